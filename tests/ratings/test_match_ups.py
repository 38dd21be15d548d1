"""Whether ratings describe who beats whom: they do where strength decides, and do not in a circle."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest

from arena.ratings.by_money.money_ratings import MoneyRatings, rate_money
from arena.ratings.by_order.orders import OrderRating, rate_orders
from arena.ratings.match_ups import MatchUps
from arena.ratings.presenting.words import match_ups_in_words
from tests.bench.ratings_coverage import KINDS, cyclic
from tests.ratings.simulated import all_tables, matches_of, names, of_orders


def random_of(seed: int) -> numpy.random.Generator:
    return numpy.random.default_rng(seed)


@pytest.mark.parametrize("kind", ["order", "order, ties", "money, common deals"])
def test_where_strength_decides_match_ups_are_seldom_said(kind: str) -> None:
    random, said = random_of(1), 0
    for _ in range(5):
        fit = (rate_orders if kind.startswith("order") else rate_money)(KINDS[kind]("all tables", 10, random)).match_ups
        assert fit is not None
        said += fit.shown
    assert said <= 1


def test_in_a_circle_they_are_said_with_the_pair_that_shows_it_most() -> None:
    fit = rate_orders(cyclic(0.7, 40, random_of(2))).match_ups
    assert fit is not None
    assert fit.shown
    assert fit.chance <= 0.002
    assert fit.found > fit.expected
    called = names(6)
    assert (called.index(fit.two) - called.index(fit.one)) % 6 in (1, 2)


def test_in_money_a_gift_to_one_other_is_a_match_up() -> None:
    random = random_of(3)
    seated, blocks = all_tables(6, 20, orders=4)
    money = random.normal(50, 5, seated.shape)
    together = ((seated == 0).any(1) & (seated == 1).any(1))[:, None]
    money = money + 8 * (together & (seated == 0)) - 8 * (together & (seated == 1))
    fit = rate_money(matches_of(seated, numpy.ones(seated.shape, dtype=int), blocks, money)).match_ups
    assert fit is not None
    assert fit.shown
    assert (fit.one, fit.two) == (names(6)[0], names(6)[1])
    assert "bot000 made " in match_ups_in_words(fit, share=False)
    assert " more against bot001 than they expect" in match_ups_in_words(fit, share=False)


def test_with_few_blocks_or_two_entrants_nothing_is_tested_and_that_is_said() -> None:
    assert rate_orders(KINDS["order"]("all tables", 7, random_of(1))).match_ups is None
    assert rate_orders(of_orders([[["a"], ["b"]], [["b"], ["a"]]] * 20)).match_ups is None
    assert "in at least 8 blocks" in match_ups_in_words(None, share=True)
    assert match_ups_in_words(None, share=True).startswith("Not tested whether one order explains")


@pytest.mark.parametrize("rate", [rate_orders, rate_money])
def test_who_prints_no_match_ups_rates_without_the_test(rate: Callable[..., OrderRating | MoneyRatings]) -> None:
    matches = KINDS["order" if rate is rate_orders else "money, common deals"]("all tables", 10, random_of(1))
    with_test, without = rate(matches), rate(matches, match_ups=False)
    assert with_test.match_ups is not None
    assert without.match_ups is None
    assert without.components.members == with_test.components.members
    assert without.notes == with_test.notes


def test_what_is_said_has_the_shares_and_the_probability() -> None:
    told = match_ups_in_words(MatchUps(0.001, "ann", "bob", 0.62, 0.48), share=True)
    assert told.startswith("These ratings do not describe who beats whom (p < 0.2 %)")
    assert "ann ranked before bob in 62.0 % of cases, where they expect 48.0 %" in told
    alike = match_ups_in_words(MatchUps(0.4, "ann", "bob", 0.62, 0.48), share=True)
    assert alike.endswith("agree with these ratings (p 40.0 %).")


def test_many_entrants_are_tested_by_those_with_most_matches() -> None:
    random = random_of(5)
    entrants = random.random((3000, 120)).argsort(axis=1)[:, :4]
    entrants[:1500] = entrants[:1500] % 70
    entrants = entrants[[len(set(row)) == 4 for row in entrants.tolist()]]
    ranks = random.random(entrants.shape).argsort(axis=1).argsort(axis=1) + 1
    fit = rate_orders(matches_of(entrants, ranks, numpy.arange(len(entrants)))).match_ups
    assert fit is not None
    assert 0 < fit.chance <= 1
