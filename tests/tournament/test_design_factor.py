"""The design factor says as how many independent matches one of a design counts."""

from __future__ import annotations

from statistics import variance

import numpy
import pytest

from arena.tournament.formats.draws import Draws
from arena.tournament.inference.design_factor import LEAST_BLOCKS, EntrantBlocks, design_factor
from arena.tournament.inference.intervals import shown_degrees
from arena.tournament.inference.student_t import t_quantile_975
from arena.tournament.measures.measures import MEASURES
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.design_worth import WIDE_INTERVAL, design_told, factor_told
from arena.tournament.standings.standings import fold_standings


def blocks_of(values: list[list[float]], first: int = 0) -> EntrantBlocks:
    """The sums of these values by block, numbered from ``first``."""
    return EntrantBlocks(
        numpy.arange(first, first + len(values)),
        numpy.array([len(block) for block in values]),
        numpy.array([sum(block) for block in values]),
        numpy.array([sum(value * value for value in block) for block in values]),
    )


def drawn(count: int, name: str) -> list[float]:
    draws = Draws(name)
    return [draws.draw_below(1000) / 1000 for _ in range(count)]


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
    values = [[1.0, 2.0], [4.0, 3.0], [0.0, 2.0], [5.0, 5.0], [3.0, 1.0]]
    without = []
    for left_out in range(5):
        part = design_factor([blocks_of([block for number, block in enumerate(values) if number != left_out])]).mean
        assert part is not None
        without.append(part)
    found = design_factor([blocks_of(values)])
    assert found.mean is not None
    assert found.high == pytest.approx(found.mean + 2.776 * (4 / 5 * 4 * variance(without)) ** 0.5)
    assert found.clusters == 5


def test_the_interval_has_fewer_degrees_of_freedom_where_one_block_decides() -> None:
    values = [[1.0, 2.0], [2.0, 1.5], [1.0, 1.5], [2.0, 2.5], [1.5, 1.0], [2.0, 1.0], [9.0, 9.5]]
    left = [design_factor([blocks_of(values[:at] + values[at + 1 :])]).mean or 0 for at in range(7)]
    squares = [(each - sum(left) / 7) ** 2 for each in left]
    degrees = shown_degrees(squares)
    assert degrees is not None
    assert 2 < degrees < 4
    expected = t_quantile_975(degrees) * (6 / 7 * sum(squares)) ** 0.5
    found = design_factor([blocks_of(values)])
    assert found.mean is not None
    assert found.high is not None
    assert found.high - found.mean == pytest.approx(expected)


def test_an_entrant_that_lacks_a_block_is_left_whole_where_that_block_is_left_out() -> None:
    one = [[1.0, 2.0], [4.0, 3.0], [0.0, 2.0], [5.0, 5.0], [3.0, 1.0]]
    other = [[2.0], [7.0, 1.0, 3.0], [0.0, 1.0], [4.0, 6.0]]
    without = []
    for left_out in range(5):
        parts = [blocks_of([block for number, block in enumerate(each) if number != left_out]) for each in (one, other)]
        without.append(design_factor(parts).mean or 0)
    found = design_factor([blocks_of(one), blocks_of(other)])
    assert found.mean is not None
    assert found.high == pytest.approx(found.mean + 2.776 * (4 / 5 * 4 * variance(without)) ** 0.5)
    assert found.low == 0, "a ratio of variances is not below 0"


def test_several_entrants_are_weighed_by_their_variance() -> None:
    one, other = blocks_of([[1.0, 2.0], [4.0, 3.0], [0.0, 2.0]]), blocks_of([[10.0, 10.0], [10.0, 10.0], [10.0, 10.0]])
    assert design_factor([one, other]).mean == design_factor([one]).mean


def test_where_nothing_varies_there_is_no_factor() -> None:
    assert design_factor([blocks_of([[1 / 3, 1 / 3]] * 7)]).mean is None
    assert design_factor([]).mean is None


def test_where_all_blocks_even_out_there_is_no_factor() -> None:
    assert design_factor([blocks_of([[0.1, 0.3]] * 7)]).mean is None


def test_few_blocks_have_a_factor_without_an_interval() -> None:
    for blocks in range(2, LEAST_BLOCKS):
        found = design_factor([blocks_of([[1.0, 2.0], [4.0, 3.0], [0.0, 2.0], [5.0, 5.0]][:blocks])])
        assert found.mean is not None
        assert found.half_width is None


def records(blocks: int) -> list[MatchRecord]:
    """Two seat orders of a deal, in which the better seat has 1 or 2 more."""
    found = []
    for block in range(blocks):
        for order, names in enumerate(("ab", "ba")):
            more = Draws(f"{block}/{order}").draw_below(3)
            seats = (SeatRecord(names[0], 5 + more, 1), SeatRecord(names[1], 5, 2))
            found.append(MatchRecord(f"{block}/{order}", "board", "base", block, str(block), "played", 1, seats))
    return found


def test_standings_have_the_factor_of_every_measure_with_an_interval() -> None:
    (standings,) = fold_standings(records(20))
    values = [[float(each.seats[order].money) for order, each in enumerate(pair)] for pair in _pairs(records(20))]
    mirrored = [[float(each.seats[1 - order].money) for order, each in enumerate(pair)] for pair in _pairs(records(20))]
    expected = design_factor([blocks_of(values), blocks_of(mirrored)])
    assert standings.design["mean_money"].mean == pytest.approx(expected.mean)
    assert standings.design["mean_money"].half_width == pytest.approx(expected.half_width)
    assert list(standings.design) == [each.name for each in MEASURES if each.interval]


def test_void_matches_have_no_part_in_it() -> None:
    void = MatchRecord("v", "board", "base", 0, "0", "played", 1, (SeatRecord("a", 99, 1), SeatRecord("b", 0, 2)), True)
    with_void, without = fold_standings([*records(9), void])[0], fold_standings(records(9))[0]
    assert with_void.design == without.design


def test_in_words_it_says_what_the_matches_are_worth() -> None:
    (standings,) = fold_standings(records(20))
    factor = standings.design["mean_money"]
    assert factor.mean is not None
    assert factor.half_width is not None
    told = design_told(standings)
    assert told.startswith("Design factor (above 1 the design pays): ")
    assert f"mean money {factor.mean:.2f} ±{factor.half_width:.2f}" in told
    worth = f"40 matches are worth {40 * factor.mean:.0f} ±{40 * factor.half_width:.0f} independent ones."
    assert told.endswith(f"so for mean money {worth}"), "the wins of all blocks even out, and have no factor"


def test_in_words_a_factor_whose_interval_is_wide_is_not_known() -> None:
    (standings,) = fold_standings(records(5))
    factor = standings.design["mean_money"]
    assert factor.mean is not None
    assert factor.half_width is not None
    assert factor.half_width > WIDE_INTERVAL * factor.mean
    assert factor_told(factor) in design_told(standings)
    assert design_told(standings).startswith("Design factor: unknown after 5 blocks (mean money ")


def test_in_words_few_blocks_tell_nothing() -> None:
    (few,) = fold_standings(records(LEAST_BLOCKS - 1))
    assert design_told(few) == f"No design factor with fewer than {LEAST_BLOCKS} blocks."
    (none,) = fold_standings([], editions=["base"])
    assert design_told(none) == ""


def _pairs(found: list[MatchRecord]) -> list[list[MatchRecord]]:
    return [found[at : at + 2] for at in range(0, len(found), 2)]


def test_its_interval_holds_as_often_as_it_says() -> None:
    """400 tournaments of 6 equal entrants in 8 blocks, in which a deal makes 30 % of the variance: their factor is
    1 ÷ (1 + 7 · 0.3) with 8 matches a block. The long simulation is tests/bench/factor_coverage.py."""
    source = numpy.random.Generator(numpy.random.PCG64(3))
    entrants, blocks, matches, truth = 6, 8, 8, 1 / 3.1
    covered = 0
    for _ in range(400):
        deal = source.standard_normal((entrants, blocks, 1)) * 0.3**0.5
        values = deal + source.standard_normal((entrants, blocks, matches)) * 0.7**0.5
        totals, squares = values.sum(-1), (values * values).sum(-1)
        counts = numpy.full(blocks, matches)
        found = design_factor(
            [EntrantBlocks(numpy.arange(blocks), counts, totals[each], squares[each]) for each in range(entrants)]
        )
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert 372 <= covered <= 390
