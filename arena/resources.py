"""The folders of files that ship with arena: rules, example tournaments, bots, documentation pages.

In an installed wheel it is package data below ``arena/data``; in a checkout it is the folders ``configs``
and ``bots`` themselves, so that what people edit is what runs.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_DATA = _PACKAGE / "data"


def bundled(folder: str) -> Path:
    """The folder ``bots``, ``configs/rules`` or ``configs/tournaments`` that ships with arena."""
    packed = _DATA / folder
    return packed if packed.is_dir() else _PACKAGE.parent / folder


def docs() -> Path:
    """The folder of the documentation pages."""
    return _PACKAGE / "docs"


def templates() -> Path:
    """The folder of the templates for new bots."""
    return _PACKAGE / "templates"
