"""What a random sample says of all: exact, and right as often as it says."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy
import pytest

from arena.tournament.inference.sample_bound import most_differing


def chance_of_so_few(matches: int, drawn: int, differ: int, all_that_differ: int) -> Fraction:
    """The same probability, counted in whole numbers."""
    ways = sum(
        comb(all_that_differ, each) * comb(matches - all_that_differ, drawn - each) for each in range(differ + 1)
    )
    return Fraction(ways, comb(matches, drawn))


@pytest.mark.parametrize("matches", [1, 7, 40, 120])
def test_the_bound_is_the_largest_number_that_the_sample_does_not_rule_out(matches: int) -> None:
    for drawn in {0, 1, matches // 3, matches - 1, matches}:
        for differ in {0, drawn // 4, drawn}:
            expected = max(
                number
                for number in range(differ, matches - (drawn - differ) + 1)
                if number == differ or chance_of_so_few(matches, drawn, differ, number) >= Fraction(1, 20)
            )
            assert most_differing(matches, drawn, differ) == expected


def test_who_has_drawn_all_knows_all_and_who_has_drawn_none_knows_nothing() -> None:
    assert most_differing(960, 960, 0) == 0
    assert most_differing(960, 960, 17) == 17
    assert most_differing(960, 0, 0) == 960
    assert most_differing(960, 48, 0) == 56


def test_of_very_many_matches_it_is_the_bound_of_clopper_and_pearson() -> None:
    drawn = 250
    assert most_differing(1_000_000, drawn, 0) / 1_000_000 == pytest.approx(1 - 0.05 ** (1 / drawn), rel=5e-4)


@pytest.mark.parametrize("differing", [0.0, 0.004, 0.03, 0.3])
def test_in_at_least_95_of_100_samples_it_is_no_smaller_than_the_truth(differing: float) -> None:
    matches, drawn, samples = 2000, 100, 20_000
    truth = round(differing * matches)
    found = numpy.random.default_rng(7).hypergeometric(truth, matches - truth, drawn, samples)
    bounds = {int(each): most_differing(matches, drawn, int(each)) for each in set(found)}
    right = numpy.mean([bounds[int(each)] >= truth for each in found])
    assert right >= 0.95 - 3 * (0.05 * 0.95 / samples) ** 0.5


@pytest.mark.parametrize(("matches", "drawn", "differ"), [(5, 6, 0), (5, 3, 4), (5, 3, -1)])
def test_numbers_that_cannot_be_are_refused(matches: int, drawn: int, differ: int) -> None:
    with pytest.raises(ValueError, match="expected 0 ≤ differ ≤ drawn ≤ matches"):
        most_differing(matches, drawn, differ)
