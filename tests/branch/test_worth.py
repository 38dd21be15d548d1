"""What a variant is worth beside another, repetition by repetition."""

from __future__ import annotations

from math import sqrt

import numpy
import pytest

from arena.commands.branch.inference.decision_worth import matchpoint_scores, variant_worth
from arena.tournament.inference.intervals import LEAST_CLUSTERS

T_975_OF_3 = 3.182
"""Student's t with 3 degrees of freedom."""


def test_differences_are_paired_by_repetition() -> None:
    recorded = [(10, 20), (12, 18), (30, 0), (8, 22)]
    changed = [(13, 18), (13, 18), (28, 2), (10, 22)]
    found = variant_worth(recorded, changed, 0)
    mean = (3 + 1 - 2 + 2) / 4  # of 3, 1, -2 and 2
    assert found.money.mean == (13 + 13 + 28 + 10) / 4
    assert [each.mean for each in found.differences] == [mean, (-2 + 0 + 2 + 0) / 4]
    spread = sqrt(sum((each - mean) ** 2 for each in (3, 1, -2, 2)) / 3)
    assert found.differences[0].half_width == pytest.approx(T_975_OF_3 * spread / sqrt(4), rel=1e-3)
    assert (found.pairs, found.left_out) == (4, 0)


def test_matchpoints_are_the_share_of_repetitions_with_more_and_half_of_the_equal_ones() -> None:
    assert [matchpoint_scores(5, 6), matchpoint_scores(5, 5), matchpoint_scores(6, 5)] == [1, 0.5, 0]
    found = variant_worth([(0,)] * 5, [(1,), (2,), (0,), (0,), (-9,)], 0).matchpoints
    assert found.mean == (1 + 1 + 0.5 + 0.5 + 0) / 5
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 0.6 < found.high < 1


def test_what_is_the_same_in_every_repetition_has_no_interval() -> None:
    nothing, always = (
        variant_worth([(4,), (7,), (9,)], [(4,), (7,), (9,)], 0),
        variant_worth([(4,), (7,)] * 3, [(1,), (4,)] * 3, 0),
    )
    for found, mean, points in ((nothing, 0, 0.5), (always, -3, 0)):
        (difference,) = found.differences
        assert (difference.mean, difference.alike, difference.half_width) == (mean, True, None)
        assert (found.matchpoints.mean, found.matchpoints.half_width) == (points, None)
    assert nothing.money.half_width is not None, "only the differences are alike"


def test_few_repetitions_have_no_interval() -> None:
    for pairs in range(1, LEAST_CLUSTERS):
        found = variant_worth([(0,)] * pairs, [(each,) for each in range(pairs)], 0)
        assert found.differences[0].mean == (pairs - 1) / 2
        assert found.differences[0].half_width is found.matchpoints.half_width is None
        assert not found.differences[0].alike


def test_a_repetition_counts_only_where_both_do() -> None:
    found = variant_worth([(1,), (), (3,), (5,)], [(2,), (9,), (), (8,)], 0)
    assert (found.differences[0].mean, found.pairs, found.left_out) == (2, 2, 2)
    none = variant_worth([(), (1,)], [(1,), ()], 0)
    assert (none.differences, none.matchpoints.mean, none.pairs, none.left_out) == ((), None, 0, 2)


@pytest.mark.parametrize("repeats", [40, 100])
def test_the_intervals_of_differences_and_matchpoints_hold_what_is_true(repeats: int) -> None:
    """Money of a kind that is met: most repetitions come out alike, some far apart, with a long tail to one side."""
    rng, tried = numpy.random.default_rng(16), 600
    recorded = rng.integers(20, 60, (tried, repeats))
    change = numpy.where(rng.random((tried, repeats)) < 0.4, 0, rng.geometric(0.15, (tried, repeats)) - 8)
    mean, more, equal = 0.6 * (1 / 0.15 - 8), 0.6 * (0.85**8), 0.4 + 0.6 * 0.15 * 0.85**7
    held = [0, 0]
    for before, after in zip(recorded.tolist(), (recorded + change).tolist(), strict=True):
        found = variant_worth([(each,) for each in before], [(each,) for each in after], 0)
        for place, (estimate, true) in enumerate(((found.differences[0], mean), (found.matchpoints, more + equal / 2))):
            assert estimate.low is not None
            assert estimate.high is not None
            held[place] += estimate.low <= true <= estimate.high
    assert all(0.925 < each / tried < 0.98 for each in held), held
