"""A script or style sheet of a page that lies with whom it belongs to, not among those of all pages."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple


class PageFile(NamedTuple):
    """The file at ``path`` in the folder of the Python ``package``."""

    package: str
    path: str

    def read(self) -> str:
        """Its text."""
        return files(self.package).joinpath(self.path).read_text(encoding="utf-8")
