"""The design factor says as how many independent matches one of a design counts."""

from __future__ import annotations

from statistics import variance

import pytest

from arena.tournament.design_factor import BlockSums, design_factor, fold_blocks
from arena.tournament.draws import Draws
from arena.tournament.measures import MEASURES
from arena.tournament.records import MatchRecord, SeatRecord


def blocks_of(values: list[list[float]]) -> dict[int, BlockSums]:
    found = {number: BlockSums() for number in range(len(values))}
    for number, block in enumerate(values):
        for value in block:
            found[number].add(value)
    return found


def drawn(count: int, name: str) -> list[float]:
    draws = Draws(name)
    return [draws.below(1000) / 1000 for _ in range(count)]


def test_independent_matches_count_as_one_each() -> None:
    values = drawn(4000, "independent")
    found = design_factor([blocks_of([values[at : at + 4] for at in range(0, 4000, 4)])])
    assert found.mean is not None
    assert found.half_width is not None
    assert abs(found.mean - 1) < 0.1
    assert found.half_width < 0.15


def test_matches_of_a_block_that_all_end_alike_count_as_one_together() -> None:
    found = design_factor([blocks_of([[value] * 4 for value in drawn(500, "alike")])])
    assert found.mean == pytest.approx(1 / 4, abs=0.01)


def test_matches_that_even_each_other_out_count_for_more() -> None:
    found = design_factor([blocks_of([[value, 1 - value] for value in drawn(500, "mirrored")[:-1]] + [[0.2, 0.7]])])
    assert found.mean is not None
    assert found.mean > 100


def test_the_factor_is_the_ratio_of_both_variances_of_the_mean() -> None:
    values = [[1.0, 2.0], [4.0, 3.0], [0.0, 2.0], [5.0, 5.0]]
    every = [value for block in values for value in block]
    mean = sum(every) / 8
    by_block = 4 / 3 * sum((sum(block) - 2 * mean) ** 2 for block in values) / 64
    assert design_factor([blocks_of(values)]).mean == pytest.approx(variance(every) / 8 / by_block)


def test_the_interval_is_the_jackknife_over_blocks() -> None:
    values = [[1.0, 2.0], [4.0, 3.0], [0.0, 2.0], [5.0, 5.0]]
    without = []
    for left_out in range(4):
        part = design_factor([blocks_of([block for number, block in enumerate(values) if number != left_out])]).mean
        assert part is not None
        without.append(part)
    found = design_factor([blocks_of(values)])
    assert found.half_width == pytest.approx(3.182 * (3 / 4 * 3 * variance(without)) ** 0.5)
    assert found.clusters == 4


def test_several_entrants_are_weighed_by_their_variance() -> None:
    one, other = blocks_of([[1.0, 2.0], [4.0, 3.0], [0.0, 2.0]]), blocks_of([[10.0, 10.0], [10.0, 10.0], [10.0, 10.0]])
    assert design_factor([one, other]).mean == design_factor([one]).mean


def test_where_nothing_varies_there_is_no_factor() -> None:
    assert design_factor([blocks_of([[1.0, 1.0]] * 5)]).mean is None
    assert design_factor([]).mean is None


def test_two_blocks_have_a_factor_without_an_interval() -> None:
    found = design_factor([blocks_of([[1.0, 2.0], [4.0, 3.0]])])
    assert found.mean is not None
    assert found.half_width is None


def test_records_are_folded_by_entrant_and_block_without_void_matches() -> None:
    def record(block: int, void: bool, *money: int) -> MatchRecord:
        seats = tuple(
            SeatRecord(name, own, place) for place, (name, own) in enumerate(zip("ab", money, strict=True), 1)
        )
        return MatchRecord(f"{block}", "board", "base", block, "seed", "played", 1, seats, void=void)

    money = next(each for each in MEASURES if each.name == "mean_money")
    found = fold_blocks([record(0, False, 5, 3), record(0, False, 4, 1), record(1, True, 9, 9)], money)
    assert found == {"a": {0: BlockSums(2, 9.0, 41.0)}, "b": {0: BlockSums(2, 4.0, 10.0)}}
