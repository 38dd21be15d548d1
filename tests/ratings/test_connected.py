"""Who cannot stand on one scale is told in words, and gets no invented numbers."""

from __future__ import annotations

from itertools import permutations

import numpy
import pytest

from arena.ratings.by_order.orders import rate_orders
from arena.ratings.connected import components_of
from arena.ratings.presenting.rating_text import ratings_text
from arena.ratings.presenting.words import components_in_words, name_list
from arena.ratings.rate import RatingOptions, rate_entrants
from tests.ratings.simulated import matches_of, of_orders


def test_who_won_everything_is_no_part_of_the_scale_of_the_others() -> None:
    matches = of_orders([[["top"], [one], [two]] for one, two in permutations(("a", "b", "c"), 2)] * 3)
    rating = rate_orders(matches)
    assert [scale.names for scale in rating.scales] == [("a", "b", "c")]
    assert rating.scales[0].values == pytest.approx([0, 0, 0], abs=1e-9)
    told = " ".join(components_in_words(rating.components, matches))
    assert "top was ahead of a, b and c in every match that had both." in told


def test_a_component_is_rated_as_if_those_outside_had_not_been_there() -> None:
    inside = [[["a"], ["b"]], [["b"], ["c"]], [["c"], ["a"]], [["a"], ["c"]]]
    alone = rate_orders(of_orders(inside), seats=False).scales[0]
    beaten = rate_orders(of_orders([[["top"], *each, ["last"]] for each in inside]), seats=False).scales[0]
    assert (beaten.names, beaten.values) == (alone.names, pytest.approx(alone.values, abs=1e-8))


def test_a_shared_rank_connects_as_a_win_of_each_would() -> None:
    components = components_of(of_orders([[["a"], ["b"]], [["a", "b"]]]))
    assert components.is_connected
    assert not components_of(of_orders([[["a"], ["b"]], [["a"], ["b"]]])).is_connected


def test_groups_that_never_met_are_rated_apart_and_that_is_said() -> None:
    orders = [[["a"], ["b"]], [["b"], ["a"]], [["c"], ["d"]], [["d"], ["c"]], [["c"], ["d"]]]
    matches = of_orders(orders)
    rating = rate_orders(matches, seats=False)
    assert [scale.names for scale in rating.scales] == [("a", "b"), ("c", "d")]
    assert rating.scales[1].values[0] - rating.scales[1].values[1] == pytest.approx(float(numpy.log(2)), abs=1e-4)
    text = " ".join(ratings_text(rate_entrants(matches, RatingOptions()), 100).split())
    assert text.count("No matches connect c and d with the others, so they cannot be compared.") == 2


def test_where_nobody_ever_lost_to_somebody_they_beat_there_are_no_numbers_at_all() -> None:
    matches = of_orders([[["a"], ["b"], ["c"]]] * 5)
    rating = rate_orders(matches)
    assert rating.scales == ()
    text = " ".join(ratings_text(rate_entrants(matches, RatingOptions()), 100).split())
    assert "a was ahead of b in every match that had both." in text
    assert "log-worth" not in text


def test_ties_alone_do_not_make_finite_ratings() -> None:
    rating = rate_orders(of_orders([[["a"], ["b"]], [["a", "b"]]] * 4), seats=False)
    assert rating.scales == ()
    assert rating.notes == ("there are no finite ratings, because only ties connect some entrants with others",)


def test_seats_that_always_hold_the_same_entrants_have_no_effect_of_their_own() -> None:
    entrants = numpy.tile([0, 1, 2, 3], (24, 1))
    ranks = numpy.array(list(permutations((1, 2, 3, 4))))
    rating = rate_orders(matches_of(entrants, ranks, numpy.arange(24)))
    assert rating.seats == ()
    assert rating.notes == (
        "effects of seats cannot be separated from those of the entrants in them, and are left out",
    )
    assert len(rating.scales[0].names) == 4


def test_too_few_matches_to_compare_seats_are_named() -> None:
    orders = numpy.array([[1, 2], [2, 1], [1, 2]])
    seated = numpy.array([[0, 1], [1, 2], [2, 0]])
    rating = rate_orders(matches_of(seated, numpy.array([[1, 2]] * 3), numpy.arange(3)))
    assert rating.notes == ("base-2p: too few matches to compare its seats, whose effects are left out",)
    assert rate_orders(matches_of(seated, orders, numpy.arange(3))).scales == ()


def test_long_lists_of_names_are_cut() -> None:
    assert name_list(["a"]) == "a"
    assert name_list(["a", "b", "c"]) == "a, b and c"
    assert name_list([str(number) for number in range(30)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 19 more"
