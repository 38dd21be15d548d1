"""Ratings by order of finish give the numbers of published tables, and the highest likelihood there is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from math import exp, log

import numpy
import pytest

from arena.errors import UserError
from arena.ratings.by_order.neighbours import neighbour_likelihood
from arena.ratings.by_order.orders import Ties, fit_orders, rate_orders
from arena.ratings.by_order.place_scores import finish_orders
from arena.ratings.connected import components_of
from arena.ratings.order_columns import RatingMatches
from arena.ratings.scale import RatingScale
from tests.ratings.simulated import matches_of, of_orders, ranks_with_ties

PUDDINGS = """
1 2 19 22 16
1 3 16 19 12
2 3 19 19 10
1 4 18 23 13
2 4 23 19 9
3 4 19 20 15
1 5 13 19 18
2 5 16 20 12
3 5 16 15 17
4 5 17 14 16
1 6 18 21 12
2 6 22 20 12
3 6 13 18 10
4 6 14 19 18
5 6 11 21 12
"""
"""Two brands of chocolate pudding, how often the first and the second was preferred, and how often neither: R. R.
Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison experiments, JASA 65, 1970."""

BASEBALL = {
    "Milwaukee": {"Detroit": "4 3", "Toronto": "4 2", "New York": "4 3", "Boston": "6 1", "Cleveland": "4 2"},
    "Detroit": {"Milwaukee": "3 3", "Toronto": "4 2", "New York": "4 3", "Boston": "6 0", "Cleveland": "6 1"},
    "Toronto": {"Milwaukee": "2 5", "Detroit": "4 3", "New York": "2 4", "Boston": "4 3", "Cleveland": "4 2"},
    "New York": {"Milwaukee": "3 3", "Detroit": "5 1", "Toronto": "2 5", "Boston": "4 3", "Cleveland": "4 2"},
    "Boston": {"Milwaukee": "5 1", "Detroit": "2 5", "Toronto": "3 3", "New York": "4 2", "Cleveland": "5 2"},
    "Cleveland": {"Milwaukee": "2 5", "Detroit": "3 3", "Toronto": "3 4", "New York": "4 3", "Boston": "4 2"},
    "Baltimore": {"Milwaukee": "2 5", "Detroit": "1 5", "Toronto": "1 6", "New York": "2 4", "Boston": "1 6"},
}
"""Games won by the home team and by its guest: A. Agresti, Categorical Data Analysis, 1990, table 10.10."""
BALTIMORE_AWAY = {"Milwaukee": "6 0", "Detroit": "4 3", "Toronto": "6 0", "New York": "6 1", "Boston": "6 0"}


def puddings() -> RatingMatches:
    orders = []
    for line in PUDDINGS.strip().splitlines():
        one, two, first, second, tied = line.split()
        orders += [[[one], [two]]] * int(first) + [[[two], [one]]] * int(second) + [[[one, two]]] * int(tied)
    return of_orders(orders)


def baseball() -> RatingMatches:
    """Games as matches of two, the home team in seat 0."""
    called, entrants, ranks = sorted(BASEBALL), [], []
    results = [(home, guest, told) for home, row in BASEBALL.items() for guest, told in row.items()]
    results += [(home, "Baltimore", told) for home, told in BALTIMORE_AWAY.items()]
    results += [("Cleveland", "Baltimore", "2 4"), ("Baltimore", "Cleveland", "3 4")]
    for home, guest, told in results:
        won, lost = map(int, told.split())
        entrants += [[called.index(home), called.index(guest)]] * (won + lost)
        ranks += [[1, 2]] * won + [[2, 1]] * lost
    return matches_of(numpy.array(entrants), numpy.array(ranks), numpy.arange(len(ranks)), called=called)


def by_name(scale: RatingScale, anchor: str) -> dict[str, float]:
    return {
        name: round(float(value), 4) for name, value in zip(scale.names, scale.anchored(anchor).values, strict=True)
    }


@pytest.mark.parametrize("ties", Ties)
def test_chocolate_puddings_have_the_worths_that_davidson_published(ties: Ties) -> None:
    (scale,) = rate_orders(puddings(), seats=False, ties=ties).scales
    worths = numpy.exp(scale.values) / numpy.exp(scale.values).sum()
    # Davidson stopped iterating early: his fourth decimal differs
    assert worths == pytest.approx([0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024], abs=6e-5)


@pytest.mark.parametrize("ties", Ties)
def test_chocolate_puddings_have_the_errors_and_ties_of_turners_package(ties: Ties) -> None:
    matches = puddings()
    found = fit_orders(matches, components_of(matches), [False], ties)
    assert found is not None
    inverse = numpy.linalg.inv(found.likelihood.layout.pin(found.information))
    apart = [inverse[at, at] + inverse[0, 0] - 2 * inverse[0, at] for at in range(1, 6)]
    assert numpy.sqrt(apart) == pytest.approx([0.1872, 0.1935, 0.1882, 0.1927, 0.1924], abs=6e-5)
    assert (found.values[-1], numpy.sqrt(inverse[-1, -1])) == pytest.approx((-0.2919, 0.0825), abs=6e-5)
    assert rate_orders(matches, seats=False, ties=ties).tie == pytest.approx(0.7468 / 2.7468, abs=2e-5)


def test_baseball_teams_have_the_worths_of_agrestis_table() -> None:
    (scale,) = rate_orders(baseball(), seats=False).scales
    assert by_name(scale, "Baltimore") == {
        "Baltimore": 0,
        "Boston": 1.1077,
        "Cleveland": 0.6839,
        "Detroit": 1.4364,
        "Milwaukee": 1.5814,
        "New York": 1.2476,
        "Toronto": 1.2945,
    }


def test_playing_at_home_is_an_effect_of_the_seat_as_in_agrestis_table() -> None:
    rating = rate_orders(baseball())
    assert by_name(rating.scales[0], "Baltimore") == {
        "Baltimore": 0,
        "Boston": 1.1438,
        "Cleveland": 0.7047,
        "Detroit": 1.4754,
        "Milwaukee": 1.6196,
        "New York": 1.2813,
        "Toronto": 1.3271,
    }
    home, away = (each.effect.mean for each in rating.seats)
    assert home is not None
    assert away is not None
    assert home - away == pytest.approx(0.3023, abs=6e-5)


def plain_together(values: Sequence[float], ranks: Sequence[int], prevalence: dict[int, float]) -> float:
    """The log-likelihood of an order by Turner's model, written down as the paper has it."""
    total = 0.0
    for rank in sorted(set(ranks)):
        left = [seat for seat, own in enumerate(ranks) if own >= rank]
        sets = [each for size in (1, *prevalence) for each in combinations(left, size)]
        weights = {
            each: sum(values[seat] for seat in each) / len(each) + prevalence.get(len(each), 0.0) for each in sets
        }
        total += weights[tuple(seat for seat in left if ranks[seat] == rank)] - log(sum(map(exp, weights.values())))
    return total


def plain_neighbours(values: Sequence[float], ranks: Sequence[int], prevalence: dict[int, float]) -> float:
    """The log-likelihood of an order, as the sum over all orders that may lie behind it."""
    total, (one_for_all,) = 0.0, prevalence.values()
    for order in permutations(range(len(ranks))):
        if [ranks[seat] for seat in order] == sorted(ranks):
            chance = 1.0
            for at, seat in enumerate(order):
                chance *= exp(values[seat]) / sum(exp(values[each]) for each in order[at:])
            for one, two in pairwise(order):
                apart = (values[one] - values[two]) / 2
                tie = exp(one_for_all) / (exp(apart) + exp(-apart) + exp(one_for_all))
                chance *= tie if ranks[one] == ranks[two] else 1 - tie
            total += chance
    return log(total)


PLAIN = {Ties.TOGETHER: plain_together, Ties.NEIGHBOURS: plain_neighbours}


@pytest.fixture(scope="module")
def drawn() -> RatingMatches:
    """Some matches with ties and with seats that are not alike."""
    random = numpy.random.default_rng(7)
    entrants = numpy.array(list(permutations(range(5), 4)))
    worths = numpy.array([0.6, 0.2, 0.0, -0.3, -0.5])[entrants] + numpy.array([0.3, 0.0, 0.0, -0.3])
    return matches_of(
        entrants,
        ranks_with_ties(worths, random.normal(size=worths.shape), -1.0, random),
        numpy.arange(len(entrants)) // 4,
    )


@pytest.mark.parametrize("ties", Ties)
def test_no_other_parameters_have_a_higher_likelihood(ties: Ties, drawn: RatingMatches) -> None:
    found = fit_orders(drawn, components_of(drawn), [True], ties)
    assert found is not None
    layout, (tables,) = found.likelihood.layout, drawn.tables

    def likelihood(values: numpy.ndarray) -> float:  # type: ignore[type-arg]
        prevalence = dict(zip(layout.ties, values[layout.zero_parameter + 1 :].tolist(), strict=True))
        return sum(
            PLAIN[ties]([values[who] + values[5 + seat] for seat, who in enumerate(sat)], ranks, prevalence)
            for sat, ranks in zip(tables.entrants.tolist(), tables.ranks.tolist(), strict=True)
        )

    assert found.likelihood.sums(found.values)[0] == pytest.approx(likelihood(found.values), abs=1e-8)
    best, (number,) = likelihood(found.values), [layout.size]
    for at in [at for at in range(number) if at != layout.zero_parameter]:
        moved = numpy.zeros(number)
        moved[at] = 0.02
        assert max(likelihood(found.values + moved), likelihood(found.values - moved)) < best


@pytest.mark.parametrize("ties", Ties)
def test_gradient_and_information_are_the_derivatives_of_the_likelihood(ties: Ties, drawn: RatingMatches) -> None:
    found = fit_orders(drawn, components_of(drawn), [True], ties)
    assert found is not None
    likelihood, values = found.likelihood, found.values + numpy.linspace(-0.3, 0.3, len(found.values))
    _, score, information = likelihood.sums(values)
    for at in range(len(values)):
        step = numpy.zeros(len(values))
        step[at] = 1e-5
        up, down = likelihood.sums(values + step), likelihood.sums(values - step)
        assert score[at] == pytest.approx((up[0] - down[0]) / 2e-5, abs=1e-4)
        assert information[at] == pytest.approx((down[1] - up[1]) / 2e-5, abs=1e-4)


def test_three_that_share_a_rank_are_summed_over_all_their_orders() -> None:
    values, ranks = [0.5, -0.2, 0.1, 0.4], [1, 1, 1, 4]
    whole = of_orders([[["a", "b", "c"], ["d"]]])
    rows = finish_orders(whole, numpy.zeros(4, dtype=int), [None], 4)
    terms = neighbour_likelihood(rows[0], numpy.array(values)[:, None], numpy.array([-0.7]))
    assert terms.log == pytest.approx(plain_neighbours(values, ranks, {2: -0.7}))


def test_shared_ranks_of_very_many_are_refused_in_a_line() -> None:
    some = [[[each] for each in "abcdefgh"], [[each] for each in "hgfedcba"]]
    with pytest.raises(
        UserError, match="8 entrants share a rank in a match; ratings by order of finish allow at most 7"
    ):
        rate_orders(of_orders([*some, [list("abcdefgh")]]))


def test_two_that_share_the_first_rank_are_rated_equal_and_above_the_third() -> None:
    balanced = [[[name] for name in order] for order in permutations("abcde")]
    (scale,) = rate_orders(of_orders([*balanced, *[[["a", "b"], ["c"], ["d"], ["e"]]] * 40]), seats=False).scales
    first, second, third, fourth, fifth = scale.values.tolist()
    assert first == pytest.approx(second, abs=1e-9)
    assert min(first, second) > third > fourth > fifth
