"""Files that a configuration names: looked for in its own folder, then in the current one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from arena.config.document import Document
from arena.errors import nearest


@dataclass(frozen=True)
class FileSearch:
    """Looks for the files named in ``document``; with ``required`` they must exist."""

    document: Document
    folder: Path
    required: bool = True

    def found(self, word: str) -> str:
        """The absolute path of the file that ``word`` names, or the word itself if it names none."""
        for base in (self.folder, Path()):
            if os.path.isfile(base / word):
                return os.path.abspath(base / word)
        return word

    def resolve(self, key: str, target: str) -> str:
        """The absolute path of the file ``target``, the value of ``key``."""
        near, here = (os.path.abspath(os.path.join(base, target)) for base in (self.folder, "."))
        path = near if os.path.isfile(near) else here
        if self.required and not os.path.isfile(path):
            looked = near if near == here else f"{near} or {here}"
            raise self.document.error(key, f"no such file: {looked}{_neighbour(near)}")
        return path


def _neighbour(path: str) -> str:
    """The file of a similar name in the same folder, as a hint."""
    try:
        return nearest(os.path.basename(path), sorted(os.listdir(os.path.dirname(path))))
    except OSError:
        return ""
