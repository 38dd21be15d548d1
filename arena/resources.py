"""The folders of files that ship with arena: rules, example tournaments, bots, documentation pages.

In an installed wheel it is package data below ``arena/data``; in a checkout it is the folders ``configs``
and ``bots`` themselves, so that what people edit is what runs.
"""

from __future__ import annotations

from pathlib import Path

DISTRIBUTION = "arena-negotiation"
"""The name under which the package is installed."""
_PACKAGE_FOLDER = Path(__file__).resolve().parent
_DATA_FOLDER = _PACKAGE_FOLDER / "data"


def bundled_folder(folder: str) -> Path:
    """The folder ``bots``, ``configs/rules`` or ``configs/tournaments`` that ships with arena."""
    packed = _DATA_FOLDER / folder
    return packed if packed.is_dir() else _PACKAGE_FOLDER.parent / folder


def docs_folder() -> Path:
    """The folder of the documentation pages."""
    return _PACKAGE_FOLDER / "docs"


def luck_values() -> Path:
    """The path of the value function with which luck is removed by default."""
    return _PACKAGE_FOLDER / "luck" / "bundled-1.json"


def templates_folder() -> Path:
    """The folder of the templates for new bots."""
    return _PACKAGE_FOLDER / "templates"


def readme_text() -> str:
    """The text of README.md, from the file in a checkout, else from the installed metadata; empty where there is
    neither."""
    file = _PACKAGE_FOLDER.parent / "README.md"
    if not _DATA_FOLDER.is_dir() and file.is_file():
        return file.read_text(encoding="utf-8")
    from importlib import metadata  # what it imports would be in every bot's process

    try:
        installed = metadata.distribution(DISTRIBUTION).read_text("METADATA") or ""
    except metadata.PackageNotFoundError:
        return ""
    return installed.partition("\n\n")[2]
