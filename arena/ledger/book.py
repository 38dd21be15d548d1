"""The ledger of one game: the sums of its tables, and the fold of a match into them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.ledger.cell_sums import SumsScope, TableSums
from arena.ledger.game_tables import LedgerRows, ledger_tables


class SeatSums(msgspec.Struct, gc=False):
    """The number of matches, once for each seat of an entrant, and the sum of the money at their end."""

    seats: int = 0
    money: int = 0


class MatchSums(msgspec.Struct, gc=False):
    """The number of matches."""

    matches: int = 0


class LedgerBook:
    """The sums of one ``game``: those of each of its tables, by name, and the numbers of matches, by entrant (once for
    each seat) and in all."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.tables = {table.name: TableSums(table.sums) for table in ledger_tables(game).tables}
        self.seats, self.matches = TableSums(SeatSums), TableSums(MatchSums)

    def add(self, page: SumsScope, names: Sequence[str], money: Sequence[int], rows: LedgerRows) -> None:
        """Add a match to the sums of ``page``: its entrants' ``names`` and ``money`` by seat, and the ``rows`` of its
        tables."""
        self.matches.open_page(page)[()].matches += 1
        seats = self.seats.open_page(page)
        for name, own in zip(names, money, strict=True):
            cell = seats[(name,)]
            cell.seats += 1
            cell.money += own
        ledger_tables(self.game).fold(lambda table: self.tables[table.name].open_page(page), names, rows)

    def merge(self, other: LedgerBook) -> None:
        """Add all that another book of the same game has added up."""
        self.seats.merge(other.seats)
        self.matches.merge(other.matches)
        for name, sums in other.tables.items():
            self.tables[name].merge(sums)
