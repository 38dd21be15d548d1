"""Games that hand over nothing for the ledger: their own tables are averaged; those without tables are counted."""

from __future__ import annotations

import msgspec

from arena.ledger.accumulator import LedgerSums
from tests.ledger.by_hand import ledger, match, means
from tests.thirdgame.pie import GAME as PIE


class Bid(msgspec.Struct):
    seat: int
    amount: int
    share: float
    won: bool
    word: str


class Round(msgspec.Struct):
    number: int


def test_numbers_in_rows_with_a_seat_are_averaged_by_entrant() -> None:
    rows = {
        "bids": [Bid(0, 4, 0.5, True, "x"), Bid(0, 6, 0.25, False, "y"), Bid(1, 1, 0, True, "z")],
        "rounds": [Round(1)],
    }
    found = ledger((match("ann", "bob", game=PIE.name), rows))
    assert list(found.tables) == ["columns"]
    assert means(found, "columns", "ann", "bids", "amount") == {"rows": 2, "mean": 5}
    assert means(found, "columns", "ann", "bids", "share")["mean"] == 0.375
    assert means(found, "columns", "ann", "bids", "won")["mean"] == 0.5
    assert {row.keys[1:] for row in found.rows("columns")} == {("bids", each) for each in ("amount", "share", "won")}


def test_matches_of_games_without_tables_are_only_counted() -> None:
    sums = LedgerSums()
    sums.add(match("ann", "bob", game="pie"), {})
    more = LedgerSums()
    more.add(match("ann", "bob", game="pie"), {})
    sums.merge(more)
    assert (sums.others, sums.books) == ({"pie": 2}, {})
