"""What commands that only read a ladder share: its folder as an argument, which ladder and season, the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.app.ladder.database import open_database
from arena.app.ladder.ladders import Ladder, find_ladder
from arena.app.ladder.place import Place

Function = TypeVar("Function", bound=Callable[..., Any])

folder_argument = click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
ladder_option = click.option("--ladder", "name", default="", metavar="NAME", help="The ladder, where DIR has several.")
season_option = click.option(
    "--season", type=click.IntRange(1), metavar="N", help="This season; the last one by default."
)


@contextmanager
def opened(folder: Path, name: str, season: int | None = None) -> Iterator[tuple[sqlite3.Connection, Ladder]]:
    """The database in ``folder``, for reading, and the ladder of this name in this season. All that is read is of one
    moment, whatever is played meanwhile."""
    place = Place(folder)
    database = open_database(place.database, place.shown)
    try:
        database.execute("BEGIN")
        yield database, find_ladder(database, name, season)
    finally:
        database.close()
