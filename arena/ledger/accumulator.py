"""The deal ledger of many matches, added up one match after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from arena.ledger.book import LedgerBook
from arena.ledger.cell_sums import BLOCK_GROUPS, SumsScope
from arena.tournament.records.match_record import MatchRecord


class LedgerSums:
    """Adds up the ledger by game, in ``books``; ``others`` counts matches of games without tables. With ``by_block``
    every block is kept apart, else some may be taken together (:data:`arena.ledger.cell_sums.BLOCK_GROUPS`)."""

    def __init__(self, by_block: bool = False) -> None:
        self.by_block = by_block
        self.books: dict[str, LedgerBook] = {}
        self.others = Counter[str]()

    def add(self, record: MatchRecord, tables: Mapping[str, Sequence[Any]]) -> None:
        """Add a match that counts, with the tables of its game."""
        if not tables:
            self.others[record.game] += 1
            return
        seats = record.seats
        block = record.block if self.by_block else record.block % BLOCK_GROUPS
        page = SumsScope(record.edition, len(seats), block)
        self._book(record.game).add(page, [seat.entrant for seat in seats], [seat.money for seat in seats], tables)

    def merge(self, other: LedgerSums) -> None:
        """Add all that ``other`` has added up."""
        self.others += other.others
        for game, book in other.books.items():
            self._book(game).merge(book)

    def _book(self, game: str) -> LedgerBook:
        if game not in self.books:
            self.books[game] = LedgerBook(game)
        return self.books[game]
