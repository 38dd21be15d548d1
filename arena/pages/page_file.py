"""A script or style sheet of a page that is stored in the package it belongs to, not in ``arena/pages``."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple


class PageFile(NamedTuple):
    """The file at ``path`` in the folder of the Python ``package``."""

    package: str
    path: str

    def read(self) -> str:
        """Return the text of the file."""
        return files(self.package).joinpath(self.path).read_text(encoding="utf-8")


class ScopedFiles(NamedTuple):
    """Files one after the other, with a text before and one after them: scripts in a block, whose names others do not
    see, or rules of style under a selector."""

    before: str
    files: tuple[PageFile, ...]
    after: str

    def read(self) -> str:
        """Return the text of all."""
        return self.before + "".join(file.read() for file in self.files) + self.after


PagePart = PageFile | ScopedFiles
"""A script or style sheet that a page includes."""
