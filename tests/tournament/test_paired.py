"""Two entrants compared where one sat exactly where the other did."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from arena.penalties import SeatEnd
from arena.tournament.inference.paired import PairedMeasure, PairFinder, paired_figures
from arena.tournament.records.match_record import MatchRecord, SeatRecord


def record(
    seats: Sequence[str],
    money: Sequence[int],
    block: int = 0,
    seed: str = "deal",
    edition: str = "board-3p",
    void: bool = False,
) -> MatchRecord:
    """A match of the board game: most money has the best rank."""
    ranks = [1 + sum(other > own for other in money) for own in money]
    told = tuple(
        SeatRecord(name, each, rank, SeatEnd.PLAYED, {}) for name, each, rank in zip(seats, money, ranks, strict=True)
    )
    id = f"{edition}/b{block:04}/{'-'.join(seats)}/{seed}"
    return MatchRecord(id, "board", edition, block, seed, "ended", 9, told, void)


def fold(*records: MatchRecord) -> PairFinder:
    pairs = PairFinder("new", "old")
    for each in records:
        pairs.add(each)
    return pairs


def test_a_block_is_the_mean_difference_of_its_pairs() -> None:
    (block,) = fold(
        record(["new", "a", "b"], [9, 5, 1]),
        record(["old", "a", "b"], [3, 5, 1]),
        record(["a", "new", "b"], [4, 4, 1]),
        record(["a", "old", "b"], [6, 0, 1]),
    ).blocks()
    assert block.pairs == 2
    assert block.difference(PairedMeasure.WINS, 1) == (1 + 0.5) / 2
    assert block.difference(PairedMeasure.BEATEN, 1) == (1 - 0.5 + 0.75 - 0) / 2
    assert block.difference(PairedMeasure.MONEY, 50) == (6 + 4) / 2


def test_only_the_same_seat_of_the_same_deal_with_the_same_others_makes_a_pair() -> None:
    pairs = fold(
        record(["new", "a", "b"], [9, 5, 1]),
        record(["old", "b", "a"], [3, 5, 1]),
        record(["a", "old", "b"], [3, 5, 1]),
        record(["old", "a", "b"], [3, 5, 1], seed="another"),
        record(["old", "a", "b"], [3, 5, 1], block=1),
        record(["old", "a", "b"], [3, 5, 1], edition="other-3p"),
        record(["old", "new", "b"], [3, 5, 1]),
        record(["a", "b", "c"], [3, 5, 1]),
    )
    assert pairs.blocks() == []
    assert pairs.alone == 6


def test_a_void_match_takes_its_counterpart_with_it() -> None:
    (block,) = fold(
        record(["new", "a", "b"], [9, 5, 1], void=True),
        record(["old", "a", "b"], [3, 5, 1]),
        record(["a", "new", "b"], [5, 9, 1]),
        record(["a", "old", "b"], [5, 3, 1]),
    ).blocks()
    assert (block.pairs, block.void) == (1, 1)
    assert block.difference(PairedMeasure.MONEY, 50) == 6


def test_blocks_come_in_order_whatever_the_order_of_matches_and_hold_all_editions() -> None:
    records = [
        record([name, "a", "b"], [block, 3, number], block=block, edition=edition)
        for number, name in enumerate(("new", "old"))
        for block in range(12)
        for edition in ("one-3p", "two-3p")
    ]
    in_order = fold(*records).blocks()
    random.Random(1).shuffle(records)
    assert fold(*records).blocks() == in_order
    assert [(each.block, each.pairs) for each in in_order] == [(block, 2) for block in range(12)]


@pytest.mark.parametrize("sign", [1, -1])
def test_money_beyond_the_bound_is_cut_and_told(sign: int) -> None:
    (block,) = fold(record(["new", "a", "b"], [sign * 200, 5, 1]), record(["old", "a", "b"], [0, 5, 1])).blocks()
    assert block.difference(PairedMeasure.MONEY, 50) == sign * 50
    assert block.difference(PairedMeasure.MONEY, 200) == sign * 200
    assert block.is_cut(PairedMeasure.MONEY, 50)
    assert not block.is_cut(PairedMeasure.MONEY, 200)
    assert paired_figures([block], PairedMeasure.MONEY).difference.mean == sign * 200


@pytest.mark.parametrize("measure", [PairedMeasure.BEATEN, PairedMeasure.WINS])
def test_the_more_pairs_a_deal_has_the_nearer_its_bound_up_to_four(measure: PairedMeasure) -> None:
    bounds = [measure.deal_bound(pairs) for pairs in (1, 2, 3, 4, 24)]
    assert bounds[0] == 1
    assert sorted(bounds, reverse=True) == bounds
    assert bounds[3] == bounds[4] == (0.5 if measure is PairedMeasure.BEATEN else 0.75)


def test_a_share_beyond_the_bound_of_its_pairs_is_cut_like_money() -> None:
    (block,) = fold(record(["new", "a", "b"], [9, 5, 1]), record(["old", "a", "b"], [0, 5, 1])).blocks()
    assert block.difference(PairedMeasure.BEATEN, PairedMeasure.BEATEN.deal_bound(1)) == 1
    assert block.difference(PairedMeasure.BEATEN, PairedMeasure.BEATEN.deal_bound(4)) == 0.5
    assert block.is_cut(PairedMeasure.BEATEN, PairedMeasure.BEATEN.deal_bound(4))


def test_figures_are_the_means_of_both_and_of_their_difference() -> None:
    records = [
        record([name, "a", "b"], [money + block % 3, 5, 1], block=block)
        for name, money in (("new", 6), ("old", 4))
        for block in range(9)
    ]
    found = paired_figures(fold(*records).blocks(), PairedMeasure.MONEY)
    assert (found.new.mean, found.old.mean, found.difference.mean) == (7, 5, 2)
    assert found.difference.alike
    assert found.difference.low is None, "blocks that are all alike do not show by how much others would differ"
    assert (found.new.half_width or 0) > 0
