"""Pairs that give each other more stand out; honest ones, however they differ, do not."""

from __future__ import annotations

from dataclasses import replace

import numpy
import pytest

from arena.collusion.pair_search import PairVerdict, judge_pairs
from tests.bench.collusion import World, made_up, measure

ONLY_REASONS = World("honest", bots=0.0, pairs=0.0, luck=0.1)
ONE_PAIR = World("one pair", entrants=8, colluders=1, gift=15.0)


def made(world: World, seed: int = 1) -> tuple[list[tuple[str, str, bool, PairVerdict]], set[frozenset[str]]]:
    table, guilty = made_up(world, numpy.random.Generator(numpy.random.PCG64(seed)))
    return [(each.giver, each.receiver, each.mutual, each.verdict) for each in judge_pairs(table, "seed")], guilty


def test_a_pair_that_gives_each_other_much_is_first_with_its_size_and_stands_out() -> None:
    table, guilty = made_up(ONE_PAIR, numpy.random.Generator(numpy.random.PCG64(1)))
    first, *rest = judge_pairs(table, "seed")
    assert frozenset((first.giver, first.receiver)) in guilty
    assert (first.mutual, first.verdict) == (True, PairVerdict.STANDS_OUT)
    assert first.gift.mean == pytest.approx(30, abs=6)
    assert first.parts["gift"] == pytest.approx(first.gift.mean)
    out = [each for each in rest if each.verdict is PairVerdict.STANDS_OUT]
    assert {frozenset((each.giver, each.receiver)) for each in out} == guilty


def test_a_gift_of_one_alone_stands_out_in_its_direction() -> None:
    table, _ = made_up(replace(ONE_PAIR, one_way=True), numpy.random.Generator(numpy.random.PCG64(1)))
    ways = {each.giver: each for each in judge_pairs(table, "seed")[:2] if not each.mutual}
    assert len(ways) == 1
    assert next(iter(ways.values())).gift.mean == pytest.approx(15, abs=5)


def test_two_pairs_do_not_hide_each_other() -> None:
    found, guilty = made(replace(ONE_PAIR, entrants=12, colluders=2))
    out = {frozenset(names) for *names, _, verdict in found if verdict is PairVerdict.STANDS_OUT}
    assert out == guilty
    assert len(guilty) == 2


@pytest.mark.parametrize("fewer", [{"entrants": 4}, {"blocks": 7}])
def test_too_little_to_tell_is_said(fewer: dict[str, int]) -> None:
    found, _ = made(replace(ONE_PAIR, **fewer))
    assert {verdict for *_, verdict in found} == {PairVerdict.TOO_FEW}


def test_honest_pairs_that_differ_are_within_the_spread() -> None:
    found, _ = made(World("differ", pairs=9.0, blocks=100))
    verdicts = [verdict for *_, verdict in found]
    assert PairVerdict.STANDS_OUT not in verdicts
    assert verdicts.count(PairVerdict.WITHIN) >= 5


@pytest.mark.slow
def test_gifts_of_a_stated_size_are_found_and_honest_pairs_let_alone() -> None:
    """A smaller version of ``tests/bench/collusion.py``."""
    found = measure(World("small", entrants=6, blocks=12, colluders=1, gift=18.0), 6)
    assert found.found >= 0.9
    assert found.accused == 0
    assert measure(World("honest", entrants=6, blocks=12), 10).accused == 0


def test_a_ring_of_three_is_found_whole_where_the_others_are_many() -> None:
    ring = World("ring", entrants=12, colluders=1, ring=3, gift=13.0)
    _, guilty = made_up(ring, numpy.random.Generator(numpy.random.PCG64(1)))
    assert len(guilty) == 3
    assert len(set().union(*guilty)) == 3
    rates = measure(ring, 1)
    assert (rates.found, rates.accused) == (1.0, 0.0)
    round_it = World("round", entrants=12, colluders=1, ring=3, gift=9.0, one_way=True)
    assert len(made_up(round_it, numpy.random.Generator(numpy.random.PCG64(1)))[1]) == 3


def test_a_ring_of_three_among_eight_is_found_whole_though_its_pairs_hide_each_other() -> None:
    rates = measure(World("ring", entrants=8, colluders=1, ring=3, gift=15.0), 1)
    assert (rates.found, rates.accused) == (1.0, 0.0)


@pytest.mark.parametrize(("entrants", "gift", "least"), [(5, 20.0, 0.75), (6, 14.0, 0.55)])
def test_a_pair_that_gives_each_other_is_found_among_few(entrants: int, gift: float, least: float) -> None:
    found = measure(World("few", entrants=entrants, colluders=1, gift=gift), 5)
    assert (found.found >= least, found.accused) == (True, 0.0)


@pytest.mark.parametrize(("entrants", "seed"), [(5, 1), (6, 19)])
def test_the_one_that_gives_most_and_the_one_that_gets_most_are_honest(entrants: int, seed: int) -> None:
    """Where a few have far larger parts than the rest: by even parts alone 3 to 9 of 100 such runs accuse a pair, and 2
    or 3 of these ten."""
    world = World("product", entrants=entrants, bots=0.0, product=10.0, parts="exponential")
    assert measure(world, 10, seed).accused == 0


@pytest.mark.parametrize(("reason", "seed"), [({"tastes": 2.0}, 154), ({"loses": 4.0}, 39)])
def test_honest_bots_with_reasons_are_let_alone(reason: dict[str, float], seed: int) -> None:
    """By the outlier test alone 7 of 100 such runs have a pair that stands out, and 2 of these eight."""
    assert measure(replace(World("reasons"), **reason), 8, seed).accused == 0


def test_a_pair_out_of_line_with_honest_tables_says_so() -> None:
    table, _ = made_up(World("tastes", entrants=12, tastes=6.0), numpy.random.Generator(numpy.random.PCG64(1)))
    found = judge_pairs(table, "seed")
    assert {each.verdict for each in found} == {PairVerdict.WITHIN, PairVerdict.NOTHING}
    assert len(found) == 198


@pytest.mark.parametrize("reason", [{"tastes": 6.0}, {"loses": 30.0}])
def test_reasons_of_honest_bots_spread_their_gifts(reason: dict[str, float]) -> None:
    plain, with_reason = (
        made_up(replace(ONLY_REASONS, **more), numpy.random.Generator(numpy.random.PCG64(1)))[0]
        for more in ({}, reason)
    )
    least, most = (numpy.ptp(each.total.sum(0) / each.counts.sum(0)) for each in (plain, with_reason))
    assert least < 1
    assert most > 5
