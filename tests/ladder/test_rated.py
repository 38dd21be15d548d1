"""Who is rated, relative to whom, and where those stand who cannot be."""

from __future__ import annotations

import numpy
import pytest

from arena.ladder.rating.block_sums import means_by_block, plain_means
from arena.ladder.rating.placing import order_of, part_of, place_versions
from arena.ladder.rating.season_fit import SeasonRating, rate_season
from arena.ladder.rating.standing import Unrated
from arena.ratings.by_order.orders import POINTS
from arena.ratings.order_columns import RatingMatches
from arena.ratings.rate import Basis
from arena.tournament.inference.intervals import clustered_mean
from arena.tournament.measures.measures import beaten_shares
from tests.ratings.simulated import all_tables, matches_of, of_orders, ranks_with_ties

EVEN = [["a"], ["b"], ["c"]], [["b"], ["c"], ["a"]], [["c"], ["a"], ["b"]]
"""Three who beat each other equally often."""


def rated(matches: RatingMatches, *anchors: str, basis: Basis = Basis.ORDER) -> SeasonRating:
    """The ratings of these matches."""
    return rate_season(matches, basis, anchors, plain_means(matches, basis is Basis.MONEY), seats=False)


def drawn() -> RatingMatches:
    """Six of known worth in many tables of four, with ties and with money."""
    random = numpy.random.default_rng(3)
    entrants, block = all_tables(6, 12, orders=4)
    worths = numpy.array([0.8, 0.4, 0.0, 0.0, -0.4, -1.2])[entrants]
    ranks = ranks_with_ties(worths, random.normal(size=entrants.shape), -1.0, random)
    return matches_of(entrants, ranks, block, 30 - 5 * ranks + random.integers(0, 4, ranks.shape), block)


def test_ratings_are_points_relative_to_the_first_anchor_that_has_played() -> None:
    matches = drawn()
    found = rated(matches, "never-played", "bot002")
    scale = rated(matches).scale
    assert scale is not None
    apart = scale.values[0] - scale.values[2]
    assert found.anchor == "bot002"
    assert found.rating("bot002").mean == 0
    assert found.rating("bot002").half_width is None
    assert found.rating("bot000").mean == pytest.approx(apart * POINTS)


def test_without_anchor_the_mean_of_all_is_zero() -> None:
    found = rated(drawn())
    assert sum(found.rating(name).mean or 0.0 for name in found.order) == pytest.approx(0, abs=1e-6)


def test_money_ratings_are_what_a_version_makes_more_than_the_anchor() -> None:
    matches = drawn()
    found = rated(matches, "bot005", basis=Basis.MONEY)
    assert found.factor == 1
    assert found.rating("bot005").mean == 0
    assert 5 < (found.rating("bot000").mean or 0) < 15, "between one and three ranks, of five each"
    assert found.order[0] == "bot000"


def test_who_was_never_beaten_stands_above_the_scale_and_who_beat_nobody_below() -> None:
    orders = [*EVEN, [["winner"], ["a"], ["b"]], [["c"], ["b"], ["loser"]]]
    found = rated(of_orders(orders), "a")
    assert found.unrated == {"winner": Unrated.AHEAD, "loser": Unrated.BEHIND}
    assert (found.order[0], found.order[-1]) == ("winner", "loser")
    assert found.rating("winner").mean is None


def test_who_met_nobody_of_the_scale_stands_last_without_rating() -> None:
    found = rated(of_orders([*EVEN, [["x"], ["y"]], [["y"], ["x"]]]), "a")
    assert found.unrated == {"x": Unrated.APART, "y": Unrated.APART}
    assert set(found.order[-2:]) == {"x", "y"}


def test_the_anchor_has_zero_even_where_nobody_can_be_compared_with_it() -> None:
    found = rated(of_orders([[["b"], ["a"]], [["a"], ["c"]]]), "a")
    assert found.scale is None
    assert found.order == ("b", "a", "c")
    assert found.rating("a").mean == 0
    assert found.unrated == {"b": Unrated.AHEAD, "c": Unrated.BEHIND}


def test_among_the_unrated_who_is_ahead_of_others_comes_first() -> None:
    found = rated(of_orders([*EVEN, [["second"], ["a"]], [["first"], ["second"]]]), "a")
    assert found.order[:2] == ("first", "second")


def test_groups_are_places_in_the_order_that_is_shown() -> None:
    found = rated(drawn(), "bot002")
    shown = {"bot000", "bot002", "bot003", "bot005"}
    order = order_of(found, shown)
    places, groups = place_versions(order, found, part_of(found, shown))
    assert order[0] == "bot000"
    assert order[-1] == "bot005"
    assert groups == ((2, 3),), "two who are worth the same"
    assert [places[name].tier for name in order] == [1, 2, 2, 3]
    assert [places[name].alike for name in order] == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_means_by_block_are_those_of_single_matches() -> None:
    matches = drawn()
    (tables,) = matches.tables
    found = means_by_block(matches, {"bot001", "bot004"})
    assert set(found) == {"bot001", "bot004"}
    for number, name in ((1, "bot001"), (4, "bot004")):
        cells: dict[int, list[tuple[float, float]]] = {}
        for sat, ranks, money, block in zip(tables.entrants, tables.ranks, tables.money, tables.block, strict=True):
            for seat in numpy.flatnonzero(sat == number).tolist():
                share = float(beaten_shares(tuple(ranks.tolist()))[seat])
                cells.setdefault(int(block), []).append((share, float(money[seat])))
        sums = [(sum(share for share, _ in cell), len(cell)) for cell in cells.values()]
        paid = [(sum(money for _, money in cell), len(cell)) for cell in cells.values()]
        assert found[name].beaten.mean == pytest.approx(clustered_mean(sums, share=True).mean)
        assert found[name].beaten.high == pytest.approx(clustered_mean(sums, share=True).high)
        assert found[name].money == clustered_mean(paid)
        assert (found[name].matches, found[name].blocks) == (sum(len(each) for each in cells.values()), len(cells))
        assert plain_means(matches, True)[name] == pytest.approx(found[name].money.mean)
        assert plain_means(matches, False)[name] == pytest.approx(found[name].beaten.mean)
