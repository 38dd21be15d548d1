"""What a game provides for the ledger, and what the ledger does with a game that provides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.games import load_game
from arena.games.presenting import checked_part
from arena.ledger.figure import FigureTable
from arena.ledger.other_games import COLUMNS_TABLE, add_columns

LedgerRows = Mapping[str, Sequence[Any]]
"""The rows of a match by the name of their table."""
SumsOf = Callable[[FigureTable], Any]
"""A function that returns the sums of a table, to which a match is to be added."""


class FailureReasons(NamedTuple):
    """Why negotiations of a game fail: in the ``table`` the name of the figure with the share that was ``closed``, and
    by the name of the figure with its share among the failed each of the ``reasons`` in words. ``negotiations`` is what
    the game calls them."""

    table: FigureTable
    closed: str
    reasons: Mapping[str, str]
    negotiations: str = "negotiations"


class PriceFigures(NamedTuple):
    """Which ``figures`` of the ``table`` are prices that an entrant asks and gets, in short: apart by ``key`` alone."""

    table: FigureTable
    key: str
    figures: tuple[str, ...]


class LedgerTables(NamedTuple):
    """The ``tables`` of a game's ledger, in the order in which they are shown, and ``fold(sums_of, names, rows)`` that
    adds a match to them: the entrants' ``names`` by seat, and the rows of its tables.

    A report shows them under ``title`` ("": one that names the game); ``labels`` are words for the values of keys, by
    key and value; ``failures`` say why negotiations failed, and ``prices`` what an entrant asks and gets, where they
    can.
    """

    tables: tuple[FigureTable, ...]
    fold: Callable[[SumsOf, Sequence[str], LedgerRows], None]
    title: str = ""
    labels: Mapping[tuple[str, str], str] = {}
    failures: FailureReasons | None = None
    prices: PriceFigures | None = None


def _add_columns(sums_of: SumsOf, names: Sequence[str], rows: LedgerRows) -> None:
    add_columns(sums_of(COLUMNS_TABLE), names, rows)


OTHER_GAMES = LedgerTables((COLUMNS_TABLE,), _add_columns)


def ledger_tables(game: str) -> LedgerTables:
    """The ledger tables of this game. Raises UserError if there is no such game."""
    tables = load_game(game).presenting.ledger
    return OTHER_GAMES if tables is None else checked_part(game, tables(), LedgerTables)
