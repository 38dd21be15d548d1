"""What taking luck out has gained: the ratio of variances, and how far its interval reaches."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy
import pytest

from arena.luck.gain import GainBlocks, variance_gain
from arena.tournament.inference.student_t import t_quantile_975


def drawn(rng: numpy.random.Generator, blocks: int, entrants: int, luck: float) -> list[GainBlocks]:
    """Entrants with a skill of their own; ``luck`` is what is taken out, of variance 1 per block as the rest."""
    found = []
    for _ in range(entrants):
        matches = rng.integers(1, 9, blocks)
        rest, taken = rng.standard_normal(blocks), rng.standard_normal(blocks) * luck
        before, after = (rest + taken) * matches, rest * matches
        found.append(GainBlocks(before.tolist(), after.tolist(), matches.tolist()))
    return found


def test_the_gain_is_the_variance_of_means_before_divided_by_that_after() -> None:
    entrants = drawn(numpy.random.default_rng(1), 12, 3, 1.5)
    sums = [0.0, 0.0]
    for each in entrants:
        for place, totals in enumerate((each.before, each.after)):
            mean = sum(totals) / sum(each.matches)
            residuals = [total - mean * matches for total, matches in zip(totals, each.matches, strict=True)]
            sums[place] += sum(residual**2 for residual in residuals) / sum(each.matches) ** 2
    assert variance_gain(entrants).mean == pytest.approx(sums[0] / sums[1])


def test_the_interval_is_that_of_the_jackknife_over_blocks() -> None:
    entrants = drawn(numpy.random.default_rng(2), 9, 4, 1)
    logs = []
    for left_out in range(9):
        kept = [block for block in range(9) if block != left_out]
        part = variance_gain([GainBlocks(*([row[block] for block in kept] for row in each)) for each in entrants])
        assert part.mean is not None
        logs.append(log(part.mean))
    mean = sum(logs) / 9
    reach = t_quantile_975(8) * sqrt(8 / 9 * sum((each - mean) ** 2 for each in logs))
    found = variance_gain(entrants)
    assert found.mean is not None
    assert (found.low, found.high) == (pytest.approx(found.mean * exp(-reach)), pytest.approx(found.mean * exp(reach)))


@pytest.mark.parametrize(("blocks", "entrants"), [(12, 6), (30, 4)])
def test_the_interval_covers_the_true_gain(blocks: int, entrants: int) -> None:
    rng, covered = numpy.random.default_rng(blocks), 0
    for _ in range(400):
        found = variance_gain(drawn(rng, blocks, entrants, 1.0))
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 2 <= found.high
    assert 0.92 <= covered / 400 <= 0.99


def test_taking_nothing_out_gains_nothing_for_sure() -> None:
    same = [each._replace(after=each.before) for each in drawn(numpy.random.default_rng(3), 10, 3, 1)]
    found = variance_gain(same)
    assert (found.mean, found.low, found.high) == (1, 1, 1)


def test_an_entrant_that_missed_blocks_counts_with_those_it_played() -> None:
    one = GainBlocks([2.0, 0.0, 4.0, 9.0], [1.0, 0.0, 2.0, 4.5], [1, 0, 1, 1])
    assert variance_gain([one]).mean == pytest.approx(4)


def test_without_variance_or_with_few_blocks_there_is_no_gain_or_no_interval() -> None:
    assert variance_gain([GainBlocks([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1, 1, 1])]).mean is None
    assert variance_gain([]).mean is None
    assert variance_gain([GainBlocks([1.0], [2.0], [1])]).mean is None
    two = variance_gain([GainBlocks([1.0, 3.0], [1.0, 2.0], [1, 1])])
    assert (two.mean, two.low, two.high) == (pytest.approx(4), None, None)
