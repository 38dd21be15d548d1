"""Options and arguments that several commands of ladders share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.app.ladder.place import Place

Function = TypeVar("Function", bound=Callable[..., Any])


def folder_argument(command: Function) -> Function:
    """Add the argument that names the folder of ladders, as ``place``."""
    return click.argument(
        "place",
        metavar="DIR",
        type=click.Path(path_type=Path, file_okay=False),
        callback=lambda _, __, value: Place(value),
    )(command)


def ladder_option(command: Function) -> Function:
    """Add the option that names a ladder of the folder."""
    return click.option("--ladder", default="", metavar="NAME", help="Which ladder, where DIR holds several.")(command)


def season_option(command: Function) -> Function:
    """Add the option that names a season."""
    return click.option(
        "--season", type=click.IntRange(1), metavar="N", help="The season of this number; the last one by default."
    )(command)
