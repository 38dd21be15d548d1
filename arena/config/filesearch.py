"""Finds files that a configuration names: in its own folder, then in the current one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from arena.config.documents.document import Document
from arena.errors import nearest_hint


@dataclass(frozen=True)
class FileSearch:
    """Finds the files named in ``document``; with ``required`` they must exist."""

    document: Document
    folder: Path
    required: bool = True

    def find_path(self, word: str) -> str:
        """The absolute path of the file that ``word`` names, or of the folder if it contains a ``/``; otherwise the
        word itself."""
        for base in (self.folder, Path()):
            if os.path.isfile(base / word) or ("/" in word and os.path.isdir(base / word)):
                return os.path.abspath(base / word)
        return word

    def resolve(self, key: str, target: str, or_folder: bool = False) -> str:
        """The absolute path of ``target``, the value of ``key``: a file, or with ``or_folder`` also a folder."""
        near, here = (os.path.abspath(os.path.join(base, target)) for base in (self.folder, "."))
        exists = os.path.exists if or_folder else os.path.isfile
        path = near if exists(near) else here
        if self.required and not exists(path):
            looked = near if near == here else f"{near} or {here}"
            raise self.document.error(key, f"no such file: {looked}{_neighbour_hint(near)}")
        return path


def _neighbour_hint(path: str) -> str:
    """A hint that names the file with the most similar name in the same folder."""
    try:
        return nearest_hint(os.path.basename(path), sorted(os.listdir(os.path.dirname(path))))
    except OSError:
        return ""
