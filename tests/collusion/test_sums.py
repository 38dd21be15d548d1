"""Gifts are added up exactly, by block and pair, at the usual prices of the whole run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from arena.collusion.gift_sums import MONEY_COLUMN, MOST_GROUPS, GiftSums
from arena.games.giving import Gift, MatchGifts, UsualAct

MATCHES: Sequence[tuple[str, int, tuple[str, ...], tuple[int, ...], MatchGifts]] = (
    ("e", 0, ("a", "b", "c"), (5, 6, 7), MatchGifts((Gift(0, 1, "paid", 3), Gift(1, 0, "cheaper", -3, 12, "like")))),
    (
        "e",
        1,
        ("b", "c", "a"),
        (1, 2, 3),
        MatchGifts((Gift(2, 0, "paid", 4),), (UsualAct("like", 6, 12), UsualAct("like", 3, 24))),
    ),
    ("f", 1, ("a", "b", "c"), (1, 1, 1), MatchGifts((Gift(1, 0, "cheaper", 0, 9, "like"),), (UsualAct("like", 1, 3),))),
)


def sums_of(matches: Sequence[tuple[str, int, tuple[str, ...], tuple[int, ...], MatchGifts]]) -> GiftSums:
    sums = GiftSums(["paid", "cheaper"])
    for match in matches:
        sums.add(*match)
    return sums


def test_gifts_stand_in_the_block_and_cell_of_their_pair() -> None:
    table = sums_of(MATCHES).table()
    assert table.names == ("a", "b", "c")
    cell = table.cells.index((0, 1))
    assert table.values["paid"][:, cell].tolist() == [3, 4]
    assert table.counts[:, cell].tolist() == [1, 2]
    assert table.values[MONEY_COLUMN][:, cell].tolist() == [6, 2]
    assert (table.matches, table.blocks) == (3, 2)


def test_a_price_is_compared_with_the_usual_one_of_the_same_edition() -> None:
    table = sums_of(MATCHES).table()
    cell = table.cells.index((1, 0))
    assert table.values["cheaper"][:, cell].tolist() == [-3 + 12 * 9 / 36, 9 * 1 / 3]


def test_neither_the_order_of_matches_nor_parts_change_anything() -> None:
    whole, turned = sums_of(MATCHES).table(), sums_of(MATCHES[::-1]).table()
    merged = sums_of(MATCHES[:1])
    merged.merge(sums_of(MATCHES[1:]))
    for other in (turned, merged.table()):
        assert (other.names, other.cells, other.matches) == (whole.names, whole.cells, whole.matches)
        assert all((other.values[kind] == whole.values[kind]).all() for kind in whole.values)


def test_the_blocks_of_a_long_run_are_taken_together() -> None:
    sums = GiftSums(["paid"])
    for block in range(MOST_GROUPS + 50):
        sums.add("e", block, ("a", "b"), (0, 0), MatchGifts((Gift(0, 1, "paid", 1),)))
    table = sums.table()
    assert table.counts.shape == (MOST_GROUPS, 2)
    assert numpy.array_equal(table.counts[:, 0], table.values["paid"][:, 0])
    assert table.counts.sum() == 2 * (MOST_GROUPS + 50)
