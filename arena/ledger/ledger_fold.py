"""The finished deal ledger of a run: its tables by game, each with its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arena.errors import UserError, nearest_hint
from arena.ledger.book import LedgerBook
from arena.ledger.cell_sums import BLOCK_MASK
from arena.ledger.figure import COMMON_KEYS, FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.figure_rows import LedgerRow, figure_rows
from arena.ledger.game_tables import ledger_tables
from arena.ledger.gift_table import GIFTS_TABLE
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import json_number

VALUE_COLUMNS = ("figure", "unit", "matches", "n", "total", "mean", "low", "high", "blocks")
"""The columns after the keys; ``mean`` is ``total`` ÷ ``n``, ``low`` and ``high`` are the ends of its interval, and
``blocks`` is how many blocks (or groups of blocks) it is clustered by."""


@dataclass(frozen=True)
class LedgerGift:
    """What one entrant gave another a match beyond what is usual, in the game's unit, in so many ``matches``."""

    giver: str
    receiver: str
    matches: int
    estimate: Estimate


@dataclass(frozen=True)
class GameLedger:
    """The ledger of one ``game``: money is in its ``unit``. ``book`` has the sums, ``gifts`` are found by
    :mod:`arena.collusion`; with ``by_block`` every block can be told apart."""

    game: str
    unit: str
    book: LedgerBook
    gifts: Sequence[LedgerGift] = ()
    by_block: bool = False

    @property
    def tables(self) -> Mapping[str, FigureTable]:
        """The tables by name, in the order in which they are shown."""
        found = {table.name: table for table in ledger_tables(self.game).tables}
        return {**found, GIFTS_TABLE.name: GIFTS_TABLE} if self.gifts else found

    @property
    def matches(self) -> int:
        """How many matches were added up."""
        return int(self.book.matches.sum_cells().values.sum())

    @property
    def blocks(self) -> int:
        """The number of blocks of these matches, or of the groups into which the blocks were combined."""
        return len(set((self.book.matches.sum_cells().numbers & BLOCK_MASK).tolist()))

    @property
    def entrants(self) -> tuple[str, ...]:
        """Who played, by name."""
        return tuple(sorted({key[-1] for key in self.book.seats.keys}))

    @property
    def editions(self) -> tuple[str, ...]:
        """The labels of the editions that were played."""
        return tuple(sorted({key[0] for key in self.book.matches.keys}))

    def keys(self, table: FigureTable, by: Sequence[str] = (), over: Sequence[str] = ()) -> tuple[str, ...]:
        """The key columns of the table's rows: ``by``, which must be from :data:`arena.ledger.figure.COMMON_KEYS`, then
        the table's own keys except those in ``over``, which are added up. Gifts are always over all editions and
        blocks."""
        if table is GIFTS_TABLE:
            return table.keys
        return (*(name for name in COMMON_KEYS if name in by), *(name for name in table.keys if name not in over))

    def rows(
        self, name: str, by: Sequence[str] = (), over: Sequence[str] = (), entrant: str = ""
    ) -> Iterator[LedgerRow]:
        """The rows of the table of this name, split by the keys ``by`` as well, and added up over the keys in ``over``;
        with an ``entrant``, only rows about it. Raises UserError for unknown names."""
        table = self.table(name)
        check_keys(by, over, [table])
        check_entrant(entrant, self.entrants)
        if "block" in by and not self.by_block:
            raise UserError("blocks were combined: make a ledger by block")
        if table is GIFTS_TABLE:
            return self._given(entrant)
        return figure_rows(self.book, table, self.keys(table, by, over), entrant)

    def columns(
        self, name: str, by: Sequence[str] = (), over: Sequence[str] = (), entrant: str = ""
    ) -> dict[str, list[str | int | float | None]]:
        """The same rows as lists of equal length by column, from which pandas and polars make frames: the keys, then
        :data:`VALUE_COLUMNS`. Numbers are rounded to 6 decimals; what is unknown is None."""
        keys = self.keys(self.table(name), by, over)
        lines = [(*map(_plain_key, row.keys), *self.values(row)) for row in self.rows(name, by, over, entrant)]
        names = (*keys, *VALUE_COLUMNS)
        return {each: [line[place] for line in lines] for place, each in enumerate(names)}

    def values(self, row: LedgerRow) -> tuple[str | int | float | None, ...]:
        """A row's :data:`VALUE_COLUMNS`."""
        found = row.estimate
        numbers = [json_number(each) for each in (row.total, found.mean, found.low, found.high)]
        return (row.figure.name, self.unit_of(row.figure), row.matches, row.n, *numbers, found.clusters)

    def unit_of(self, figure: LedgerFigure) -> str:
        """The unit of the figure: ``share``, ``count``, ``dividends`` or the game's unit of money."""
        return self.unit if figure.unit is LedgerUnit.MONEY else figure.unit.value

    def table(self, name: str) -> FigureTable:
        """The table of this name. Raises UserError where there is none."""
        if name not in self.tables:
            known = ", ".join(self.tables)
            raise UserError(
                f"the ledger of {self.game} has no table {name!r}{nearest_hint(name, self.tables)}; it has {known}"
            )
        return self.tables[name]

    def _given(self, entrant: str) -> Iterator[LedgerRow]:
        for each in self.gifts:
            if not entrant or entrant in (each.giver, each.receiver):
                names = (each.giver, each.receiver)
                yield LedgerRow(names, GIFTS_TABLE.figures[0], each.matches, each.matches, None, each.estimate)


def check_keys(by: Sequence[str], over: Sequence[str], tables: Sequence[FigureTable]) -> None:
    """Raise UserError for names in ``by`` that are no common keys, or in ``over`` that are no keys of these tables."""
    for name in by:
        if name not in COMMON_KEYS:
            raise UserError(f"by: expected {', '.join(COMMON_KEYS)}, got {name!r}{nearest_hint(name, COMMON_KEYS)}")
    known = list(dict.fromkeys(key for table in tables if table is not GIFTS_TABLE for key in table.keys))
    for name in over:
        if name not in known:
            raise UserError(f"over: expected {', '.join(known) or 'nothing'}, got {name!r}{nearest_hint(name, known)}")


def check_entrant(entrant: str, known: Sequence[str]) -> None:
    """Raise UserError if there is no entrant of this name; "" means no entrant."""
    if entrant and entrant not in known:
        raise UserError(f"nobody called {entrant!r} played{nearest_hint(entrant, known)}; there are {', '.join(known)}")


@dataclass(frozen=True)
class DealLedger:
    """The deal ledger of a run: ``games`` by name, from so many ``matches``. It leaves out ``voids``, matches
    ``without_replay``, and matches of ``others``, games that have no tables."""

    games: Mapping[str, GameLedger]
    matches: int
    voids: int = 0
    without_replay: int = 0
    others: Mapping[str, int] = field(default_factory=dict)

    def game(self, name: str = "") -> GameLedger:
        """The ledger of this game, or of the only one without a name. Raises UserError if there is no such game, or if
        there are several and no name."""
        known = ", ".join(self.games)
        if not name and len(self.games) == 1:
            return next(iter(self.games.values()))
        if not name:
            raise UserError(f"expected the name of a game, got none, and there are {known}")
        if name not in self.games:
            raise UserError(f"there is no ledger of {name!r} here; there are {known}")
        return self.games[name]


def ledger_figures(game: str) -> Iterator[tuple[FigureTable, LedgerFigure]]:
    """Every figure of the ledger of this game, with its table."""
    for table in (*ledger_tables(game).tables, GIFTS_TABLE):
        for figure in table.figures:
            yield table, figure


def _plain_key(key: str | int) -> str | int:
    """The key; of an enum, its plain value."""
    return str(key) if isinstance(key, str) else key
