"""How often honest bots, each harder with the softer, are as far apart."""

from __future__ import annotations

import numpy
import pytest

from arena.collusion.additive import Additive
from arena.collusion.honest_tables import (
    HONEST_TABLES,
    Clearness,
    HonestParts,
    chance_among_honest,
    likeness,
    luck_share,
)


def model_of(entrants: int) -> Additive:
    return Additive([(one, two) for one in range(entrants) for two in range(entrants) if one != two])


def chances(
    share: float,
    clear: list[float],
    seed: str = "seed",
    kind: str = "one",
    parts: HonestParts = HonestParts.EVEN,
    model: Additive | None = None,
    met: numpy.ndarray | None = None,
) -> list[float]:
    model = model or model_of(6)
    met = numpy.full(len(model.givers), 10) if met is None else met
    each = [Clearness(number, number, number) for number in clear]
    found = chance_among_honest(model, share, met, each, seed, parts)
    return list(found[:, Clearness._fields.index(kind)].tolist())


def test_the_clearer_a_gift_the_fewer_honest_tables_reach_it() -> None:
    often, seldom, never = chances(0.3, [4.0, 6.0, 60.0])
    assert often > seldom > never == 1 / (HONEST_TABLES + 1)


def test_products_are_farther_apart_than_luck() -> None:
    products, luck = chances(0.0, [5.5, 60.0]), chances(1.0, [5.5, 60.0])
    assert products[0] > 5 * luck[0]


def test_where_all_is_luck_it_is_the_tail_of_the_normal_outlier_test() -> None:
    """4.7 is the 1 % point of Student's t with 9 degrees of freedom for 20 ways, by Bonferroni a little above."""
    model = model_of(5)
    (chance,) = chances(1.0, [4.79], model=model)
    assert 0.004 <= chance <= 0.012


def test_where_few_parts_are_large_one_gift_is_often_clear_but_hardly_ever_both_of_a_pair() -> None:
    few = {kind: chances(0.1, [5.0, 60.0], kind=kind, parts=HonestParts.FEW_LARGE)[0] for kind in Clearness._fields}
    even = {kind: chances(0.1, [5.0, 60.0], kind=kind)[0] for kind in Clearness._fields}
    assert few["one"] > 2 * even["one"]
    assert few["least"] < 0.01 < few["both"] < few["one"]


def test_the_same_seed_makes_the_same_tables_and_another_one_nearly_the_same_chances() -> None:
    assert chances(0.3, [4.0]) == chances(0.3, [4.0])
    assert chances(0.3, [4.0]) != chances(0.3, [4.0], "other")
    assert chances(0.3, [4.0]) == pytest.approx(chances(0.3, [4.0], "other"), rel=0.4)


def test_pairs_that_seldom_met_have_more_luck() -> None:
    model = model_of(6)
    met = numpy.full(30, 100)
    even = chances(1.0, [4.5, 60.0], model=model, met=met)
    met[:2] = 1
    uneven = chances(1.0, [4.5, 60.0], model=model, met=met)
    assert uneven[0] > 5 * even[0]


def test_the_share_of_luck_is_never_said_to_be_more_than_it_is_but_in_1_of_100_tables() -> None:
    generator = numpy.random.Generator(numpy.random.PCG64(1))
    model, runs, true = model_of(6), 300, 0.5
    ways = generator.normal(0, 1, (runs, 1, 30)) / 20
    luck = generator.normal(0, 20**-0.5, (runs, 20, 30))
    shares = numpy.array([luck_share(model, blocks) for blocks in ways + luck])
    assert (shares > true).mean() <= 0.04
    assert 0.1 <= numpy.median(shares) <= 0.3


def test_without_any_spread_nothing_is_called_luck() -> None:
    assert luck_share(model_of(6), numpy.zeros((9, 30))) == 0.0


def test_the_parts_of_a_bot_are_as_alike_as_what_two_give_each_other_but_for_chance() -> None:
    generator = numpy.random.Generator(numpy.random.PCG64(3))
    model = model_of(10)
    hard, soft = generator.normal(0, 1, (2, 200, 10))
    alike = hard[:, model.givers] * hard[:, model.receivers]
    apart = hard[:, model.givers] * soft[:, model.receivers]
    assert numpy.median([likeness(model, values) for values in alike]) > 0.8
    assert numpy.median([likeness(model, values) for values in apart]) < 0.2
    assert likeness(model, numpy.zeros(90)) == 0.0


def test_the_more_alike_the_parts_the_farther_off_both_gifts_of_a_pair_are() -> None:
    model = model_of(6)
    met, clear = numpy.full(30, 10), [Clearness(60.0, 60.0, 3.0)]
    apart, alike = (chance_among_honest(model, 0.2, met, clear, "seed", alike=each)[0][2] for each in (0.0, 0.95))
    assert alike > 3 * apart
