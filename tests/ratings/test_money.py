"""Ratings in money: what an entrant makes, what it leaves to others, and what cannot be told apart."""

from __future__ import annotations

from itertools import permutations

import numpy
import pytest

from arena.errors import UserError
from arena.ratings.by_money.money_ratings import rate_money
from arena.ratings.order_columns import MatchGroup, RatingMatches, RatingTables, compact_matches
from arena.ratings.rate import Basis, RatingOptions, rate_entrants
from tests.ratings.simulated import Numbers, all_tables, matches_of, names

OWN, OTHERS = numpy.array([6.0, 2.0, 0.0, -1.0, -7.0]), numpy.array([-1.5, 3.0, 0.0, -2.5, 1.0])
SEATS = numpy.array([1.0, 0.0, -0.5, -0.5])


def exact(entrants: Numbers, deal: Numbers) -> Numbers:
    """Money without any noise: 100 more in each deal, and each opponent leaves what it leaves."""
    left = OTHERS[entrants]
    others = left.sum(axis=1, keepdims=True) - left
    money: Numbers = OWN[entrants] + others + SEATS + 20 + 100 * deal[:, None]
    return money


def test_money_without_noise_is_taken_apart_exactly() -> None:
    entrants, block = all_tables(5, 4, orders=4)
    rated = rate_money(matches_of(entrants, numpy.ones_like(entrants), block, exact(entrants, block), block))
    (rating,) = rated.ratings
    assert rated.deals
    assert rated.notes == ()
    assert rating.own.values == pytest.approx(OWN, abs=1e-8)
    assert rating.others is not None
    assert rating.others.values == pytest.approx(OTHERS, abs=1e-8)
    assert rating.lead.values == pytest.approx(OWN - OTHERS, abs=1e-8)
    assert [each.effect.mean for each in rated.seats] == pytest.approx(SEATS, abs=1e-8)
    assert max(rating.own.estimate(at).half_width or 0 for at in range(5)) < 1e-6


def test_sums_from_counts_agree_with_least_squares_row_by_row() -> None:
    """The same regression written down row by row, with a column for each deal."""
    random = numpy.random.default_rng(4)
    entrants = random.random((60, 5)).argsort(axis=1)[:, :4]
    deal = numpy.repeat(numpy.arange(20), 3)
    money = exact(entrants, deal) + random.normal(size=entrants.shape) * 9
    (rating,) = rate_money(matches_of(entrants, numpy.ones_like(entrants), deal // 2, money, deal)).ratings
    rows = []
    for sat, at in zip(entrants, deal, strict=True):
        for seat, own in enumerate(sat):
            row = numpy.zeros(5 + 5 + 4 + 20)
            row[own] = row[10 + seat] = row[14 + at] = 1
            row[[5 + other for other in sat if other != own]] = 1 / 3
            rows.append(row)
    values = numpy.linalg.lstsq(numpy.array(rows), money.ravel(), rcond=None)[0]
    assert rating.own.values == pytest.approx(values[:5] - values[:5].mean(), abs=1e-8)
    assert rating.others is not None
    assert rating.others.values == pytest.approx((values[5:10] - values[5:10].mean()) / 3, abs=1e-8)


def test_deals_of_one_table_each_are_not_taken_out_because_that_would_tell_nothing_apart() -> None:
    entrants, block = all_tables(5, 4, orders=4)
    deal = numpy.arange(len(block)) // 4
    money = exact(entrants, numpy.zeros(len(block)))
    rated = rate_money(matches_of(entrants, numpy.ones_like(entrants), block, money, deal))
    assert not rated.deals
    assert rated.ratings[0].own.values == pytest.approx(OWN, abs=1e-8)


def test_where_everybody_always_meets_the_same_opponents_that_is_said() -> None:
    entrants = numpy.array([numpy.roll([0, 1, 2, 3], turn) for turn in range(4)] * 3)
    block = numpy.arange(12) // 4
    rated = rate_money(matches_of(entrants, numpy.ones_like(entrants), block, exact(entrants, block), block))
    (rating,) = rated.ratings
    assert rating.others is None
    assert "everybody always met the same opponents" in rated.notes[0]
    lead = (OWN - OTHERS)[:4]
    assert rating.own.values == pytest.approx(lead - lead.mean(), abs=1e-8)


def test_seats_that_are_never_changed_cannot_be_told_from_their_entrants() -> None:
    entrants = numpy.tile([0, 1, 2, 3], (12, 1))
    block = numpy.arange(12) // 4
    money = exact(entrants, block)
    rated = rate_money(matches_of(entrants, numpy.ones_like(entrants), block, money, block))
    assert rated.seats == ()
    assert "effects of seats cannot be separated" in rated.notes[0]


def test_entrants_who_are_connected_by_no_match_are_rated_apart() -> None:
    one, block = all_tables(5, 3, orders=4)
    entrants = numpy.concatenate([one, one + 5])
    money = numpy.concatenate([exact(one, block), 1000 + exact(one, block)])
    blocks = numpy.concatenate([block, block])
    rated = rate_money(matches_of(entrants, numpy.ones_like(entrants), blocks, money, blocks))
    assert [rating.own.names for rating in rated.ratings] == [names(10)[:5], names(10)[5:]]
    for rating in rated.ratings:
        assert rating.own.values == pytest.approx(OWN, abs=1e-7)


def of_two_games() -> RatingMatches:
    """Four at a table of each game."""
    entrants = numpy.array(list(permutations(range(4))))
    ranks, zeros = entrants + 1, numpy.zeros(24, dtype=int)
    groups = (MatchGroup("board", "outline-4p", 4), MatchGroup("cards", "card-game-4p", 4))
    tables = RatingTables(
        4, numpy.tile(entrants, (2, 1)), numpy.zeros((48, 4)), numpy.tile(ranks, (2, 1)), *[numpy.tile(zeros, 2)] * 3
    )
    group = numpy.repeat([0, 1], 24)
    tables = RatingTables(
        4, tables.entrants, tables.money, tables.ranks, group, numpy.arange(48) // 4, numpy.arange(48) // 4
    )
    return compact_matches(RatingMatches(names(4), groups, (tables,), 0, 0))


def test_money_of_two_games_is_not_added_up() -> None:
    rated = rate_entrants(of_two_games(), RatingOptions())
    assert rated.money is None
    assert rated.left_out == "money is not rated: it has no common unit in board and cards (choose with --edition)"
    with pytest.raises(UserError, match="money has no common unit in board and cards: choose editions of one game"):
        rate_entrants(of_two_games(), RatingOptions((Basis.MONEY,)))


def test_tables_of_three_and_of_four_are_rated_together() -> None:
    tables = []
    left = numpy.array([-3.0, 6.0, 1.0, -5.0, 1.0])
    groups = (MatchGroup("board", "base-3p", 3), MatchGroup("board", "base-4p", 4))
    for number, group in enumerate(groups):
        entrants = numpy.array(list(permutations(range(5), group.players)))
        block = numpy.arange(len(entrants)) % 5
        sums = left[entrants].sum(axis=1, keepdims=True)
        money = OWN[entrants] + (sums - left[entrants]) / (group.players - 1) + 30 * group.players + 50 * block[:, None]
        ranks = (-money).argsort(axis=1).argsort(axis=1) + 1
        tables.append(
            RatingTables(group.players, entrants, money, ranks, numpy.full(len(entrants), number), block, block)
        )
    matches = compact_matches(RatingMatches(names(5), groups, tuple(tables), 0, 0))
    rated = rate_money(matches)
    assert rated.deals
    assert rated.ratings[0].own.values == pytest.approx(OWN, abs=1e-8)
    assert [(each.group.players, each.seat) for each in rated.seats] == [
        (3, 0),
        (3, 1),
        (3, 2),
        *[(4, seat) for seat in range(4)],
    ]
    assert [each.effect.mean for each in rated.seats] == pytest.approx([0] * 7, abs=1e-8)


def test_matches_of_an_edition_and_those_without_somebody_are_chosen() -> None:
    matches = of_two_games().in_groups([MatchGroup("board", "outline-4p", 4)])
    assert (matches.matches, matches.games, matches.groups) == (24, ("board",), (MatchGroup("board", "outline-4p", 4),))
    assert matches.without_entrants(["bot003"]).matches == 0
