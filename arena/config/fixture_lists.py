"""The ``fixtures`` of a tournament: a list of its tables, in the tournament file itself or in a separate file."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from arena.config.documents.document import Document, SourceLocation, item_path
from arena.config.documents.expected_types import describe_value
from arena.config.documents.yamlfile import read_yaml
from arena.config.filesearch import FileSearch
from arena.errors import ConfigError, UserError, nearest_hint
from arena.foreign_files import read_argument
from arena.tournament.formats.list_format import MOST_BLOCKS, written_line
from arena.tournament.schedule.seat_orders import FEWEST_SEATS, SeatOrders
from arena.tournament.schedule.seatings import Seatings
from arena.tournament.tables.csv_cells import text_of

MOST_TABLES = 90_000
"""The maximum number of listed tables: slightly less than fills a configuration."""


@dataclass(frozen=True, slots=True)
class FixtureRow:
    """A table as it was written: ``cells`` are its block and its entrants; ``place`` and ``key`` are its source
    location."""

    cells: Sequence[object]
    place: SourceLocation
    key: str

    def error(self, message: str) -> ConfigError:
        """The error to raise for this table."""
        return ConfigError(message, file=self.place.file, line=self.place.line, column=self.place.column, key=self.key)


def read_fixtures(
    document: Document, search: FileSearch, teams: Mapping[str, str], orders: SeatOrders
) -> tuple[str, ...]:
    """The tables under the key ``fixtures``, each as a line of CSV
    (:func:`arena.tournament.formats.list_format.written_line`).

    The key has a list, or the path of a CSV or YAML file with one. An item is a list, or a line of CSV: first the
    block, then the entrants by name; ``teams`` gives each entrant's team ("": none). Raises ConfigError with file and
    line for an item that is not a table of these entrants or has two entrants of one team, and for two tables of a
    block that have a match in common under these seat ``orders``.
    """
    rows = list(_fixture_rows(document, search))
    if not rows:
        raise document.error("fixtures", "expected 1 table or more, got none")
    if len(rows) > MOST_TABLES:
        raise rows[MOST_TABLES].error(f"expected at most {MOST_TABLES:,} tables, got {len(rows):,}")
    places = {name: place for place, name in enumerate(teams)}
    lines: list[str] = []
    before: dict[tuple[int, tuple[int, ...]], list[tuple[FixtureRow, tuple[int, ...]]]] = {}
    for row in rows:
        block, entrants = _row_block(row), _row_entrants(row, places)
        _check_teams(row, entrants, teams)
        table = tuple(places[name] for name in entrants)
        alike = before.setdefault((block, tuple(sorted(table))), [])
        for other, seated in alike:
            _check_different(row, table, other, seated, orders)
        alike.append((row, table))
        lines.append(written_line(block, entrants))
    return tuple(lines)


def _fixture_rows(document: Document, search: FileSearch) -> Iterator[FixtureRow]:
    """The tables as they were written."""
    written = document.data["fixtures"]
    if not isinstance(written, str):
        yield from _listed_rows(document, written, "fixtures")
        return
    path = search.resolve("fixtures", written)
    if path.lower().endswith((".yaml", ".yml")):
        listed = read_yaml(path)
        yield from _listed_rows(listed, listed.data, "")
    elif path.lower().endswith(".csv"):
        yield from _csv_rows(Path(path))
    else:
        raise document.error("fixtures", f"expected a list, or a file that ends in .csv or .yaml, got {written!r}")


def _listed_rows(document: Document, listed: Any, path: str) -> Iterator[FixtureRow]:
    """The tables of a list in YAML."""
    if not isinstance(listed, list):
        raise document.error(path, f"expected a list of tables, got {describe_value(listed)}")
    for number, each in enumerate(listed):
        key = item_path(path, number)
        if isinstance(each, str):
            yield FixtureRow(_csv_cells(each), document.locate(key), key)
        elif isinstance(each, list):
            yield FixtureRow(each, document.locate(key), key)
        else:
            raise document.error(key, f"expected a list of a block and entrants, got {describe_value(each)}")


def _csv_cells(line: str) -> list[str]:
    return next(csv.reader([line], skipinitialspace=True), [])


def _csv_rows(path: Path) -> Iterator[FixtureRow]:
    """The tables of a CSV file, without its header and empty lines."""
    shown = os.fspath(path)
    try:
        with StringIO(read_argument(path).decode("utf-8-sig"), newline="") as file:
            reader = csv.reader(file, skipinitialspace=True, strict=True)
            for cells in reader:
                header = reader.line_num == 1 and cells and cells[0].strip().lower() == "block"
                if any(cell.strip() for cell in cells) and not header:
                    kept = [text_of(cell.strip()) for cell in cells]
                    while not kept[-1]:  # a spreadsheet fills short rows up
                        kept.pop()
                    yield FixtureRow(kept, SourceLocation(shown, reader.line_num, 0), "")
    except (OSError, UnicodeDecodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise ConfigError(f"cannot be read: {why}", file=shown) from None
    except csv.Error as problem:
        raise ConfigError(f"not CSV: {problem}", file=shown, line=reader.line_num) from None


def _row_block(row: FixtureRow) -> int:
    """The block of a table."""
    if not row.cells:
        raise row.error("expected a block and entrants, got an empty list")
    first = row.cells[0]
    block = int(first) if isinstance(first, str) and first.isascii() and first.isdigit() else first
    if not isinstance(block, int) or isinstance(block, bool) or not 0 <= block < MOST_BLOCKS:
        raise row.error(f"expected a block, a whole number from 0 to {MOST_BLOCKS - 1:,}, got {describe_value(first)}")
    return block


def _row_entrants(row: FixtureRow, places: dict[str, int]) -> list[str]:
    """The names of the entrants of a table."""
    names = [str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell for cell in row.cells[1:]]
    if len(names) < FEWEST_SEATS:
        raise row.error(f"expected a block and at least {FEWEST_SEATS} entrants, got {len(names)}")
    checked: list[str] = []
    for name in names:
        if not isinstance(name, str) or name not in places:
            close = nearest_hint(name, places) if isinstance(name, str) else ""
            known = ", ".join(places) if len(places) <= 20 else f"{len(places)} entrants"
            raise row.error(f"expected an entrant's name, got {describe_value(name)}{close}; there are {known}")
        if name in checked:
            raise row.error(f"{name!r} sits at this table twice")
        checked.append(name)
    return checked


def _check_teams(row: FixtureRow, entrants: Sequence[str], teams: Mapping[str, str]) -> None:
    """Raise ConfigError where two entrants of a table are of one team."""
    members: dict[str, str] = {}
    for name in entrants:
        if team := teams[name]:
            if team in members:
                raise row.error(f"{members[team]} and {name} are in one team, {team}, and never sit at one table")
            members[team] = name


def _check_different(
    row: FixtureRow, table: tuple[int, ...], other: FixtureRow, before: tuple[int, ...], orders: SeatOrders
) -> None:
    """Raise ConfigError where two tables of a block, of the same entrants, have a match in common."""
    try:
        matches, others = (Seatings([each], orders, len(each)) for each in (table, before))
    except UserError:
        return  # of so many seats there are no such orders, as is said elsewhere
    if all(others.find(match) is None for match in matches):
        return
    where = f"line {other.place.line}" if other.place.line else other.key
    listed = "" if orders is SeatOrders.LISTED else f" (seat_orders: {orders}); 'listed' plays each table as written"
    raise row.error(f"the same match as in {where} of the same block{listed}")
