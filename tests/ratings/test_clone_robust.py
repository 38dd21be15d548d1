"""Deviation ratings: copies of an entrant neither lift nor sink anybody."""

from __future__ import annotations

import numpy
import pytest

from arena.ratings.deviation import deviation_ratings, pair_payoffs
from arena.ratings.rate import Basis, RatingOptions, rate_entrants
from tests.ratings.simulated import Numbers, matches_of, of_orders

ROCK_PAPER_SCISSORS = numpy.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def with_copies(payoff: Numbers, of: int, count: int) -> Numbers:
    """The same game with so many more copies of one entrant, at the end."""
    rows = [*range(len(payoff)), *[of] * count]
    made: Numbers = payoff[numpy.ix_(rows, rows)]
    return made


def test_nobody_is_above_another_where_each_beats_the_next() -> None:
    assert deviation_ratings(ROCK_PAPER_SCISSORS) == pytest.approx([0, 0, 0], abs=1e-12)


def test_more_rocks_do_not_lift_paper() -> None:
    assert deviation_ratings(with_copies(ROCK_PAPER_SCISSORS, 0, 5)) == pytest.approx([0] * 8, abs=1e-12)


def test_entrants_in_one_line_are_as_far_below_the_best_as_they_lose_to_it() -> None:
    strength = numpy.array([3.0, 5.0, 1.0, 4.5])
    assert deviation_ratings(strength[:, None] - strength) == pytest.approx([-2, 0, -4, -0.5])


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_copies_change_no_rating_and_have_that_of_their_original(size: int) -> None:
    random = numpy.random.default_rng(size)
    for _ in range(20):
        payoff = random.normal(size=(size, size))
        payoff = payoff - payoff.T
        rated, of = deviation_ratings(payoff), int(random.integers(size))
        copied = deviation_ratings(with_copies(payoff, of, 3))
        assert copied[:size] == pytest.approx(rated, abs=1e-9)
        assert copied[size:] == pytest.approx([rated[of]] * 3, abs=1e-9)


def test_the_largest_gains_are_as_small_as_any_mixture_makes_them() -> None:
    """Against random mixtures: sorted from the largest, none is smaller at the first place where they differ."""
    random = numpy.random.default_rng(8)
    payoff = random.normal(size=(4, 4))
    payoff = payoff - payoff.T
    best = numpy.sort(deviation_ratings(payoff))[::-1]
    for mixture in random.dirichlet(numpy.ones(4), size=2000):
        gains = numpy.sort(payoff @ mixture)[::-1]
        first = next((at for at in range(4) if abs(gains[at] - best[at]) > 1e-3), None)
        assert first is None or gains[first] > best[first]


def test_payoffs_are_means_over_the_matches_that_both_sat_in() -> None:
    entrants, money = numpy.array([[0, 1, 2], [1, 0, 2]]), numpy.array([[9, 4, 1], [3, 6, 3]])
    matches = matches_of(entrants, numpy.array([[1, 2, 3], [2, 1, 2]]), numpy.arange(2), money)
    payoff, met = pair_payoffs(matches, money=True)
    assert payoff.tolist() == [[0, 4, 5.5], [-4, 0, 1.5], [-5.5, -1.5, 0]]
    assert met.tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert pair_payoffs(matches, money=False)[0].tolist() == [[0, 0.5, 0.5], [-0.5, 0, 0.25], [-0.5, -0.25, 0]]


def test_entrants_who_never_met_are_named_instead_of_rated() -> None:
    matches = of_orders([[["a"], ["b"]], [["b"], ["c"]], [["c"], ["b"]], [["b"], ["a"]]])
    found = rate_entrants(matches, RatingOptions((Basis.ORDER,), clone_robust=True)).clone_robust
    assert found is not None
    assert (found.values, found.strangers) == ({}, ("a", "c"))
