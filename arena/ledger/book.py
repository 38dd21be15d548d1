"""The ledger of one game: the sums of its tables, and the fold of a match into them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.ledger.cell_sums import SumsScope, TableSums
from arena.ledger.game_tables import LedgerRows, ledger_tables


class SeatSums(msgspec.Struct, gc=False):
    """Matches, each seat of an entrant counted, and the money at their end."""

    seats: int = 0
    money: int = 0


class MatchSums(msgspec.Struct, gc=False):
    """Matches."""

    matches: int = 0


class LedgerBook:
    """The sums of one ``game``: of each of its tables by name, and matches by seat's entrant and in all."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.tables = {table.name: TableSums(table.sums) for table in ledger_tables(game).tables}
        self.seats, self.matches = TableSums(SeatSums), TableSums(MatchSums)

    def add(self, page: SumsScope, names: Sequence[str], money: Sequence[int], rows: LedgerRows) -> None:
        """A match: its entrants' ``names`` and ``money`` by seat, and the ``rows`` of its tables."""
        self.matches.at(page)[()].matches += 1
        seats = self.seats.at(page)
        for name, own in zip(names, money, strict=True):
            cell = seats[(name,)]
            cell.seats += 1
            cell.money += own
        ledger_tables(self.game).fold(lambda table: self.tables[table.name].at(page), names, rows)

    def merge(self, other: LedgerBook) -> None:
        """Take in all that another of the same game has taken in."""
        self.seats.merge(other.seats)
        self.matches.merge(other.matches)
        for name, sums in other.tables.items():
            self.tables[name].merge(sums)
