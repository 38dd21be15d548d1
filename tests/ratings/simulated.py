"""Matches of entrants of known strength, drawn by chance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp
from typing import Any

import numpy

from arena.ratings.order_columns import MatchGroup, RatingMatches, RatingTables, compact_matches

Numbers = numpy.ndarray[Any, Any]
GROUP = MatchGroup("board", "base-4p", 4)


def names(count: int) -> tuple[str, ...]:
    """So many names, in alphabetical order."""
    return tuple(f"bot{number:03d}" for number in range(count))


def matches_of(
    entrants: Numbers,
    ranks: Numbers,
    block: Numbers,
    money: Numbers | None = None,
    deal: Numbers | None = None,
    called: Sequence[str] = (),
    group: MatchGroup | None = None,
) -> RatingMatches:
    """Matches of one edition, a row each."""
    players = entrants.shape[1]
    tables = RatingTables(
        players,
        entrants,
        numpy.zeros(entrants.shape) if money is None else money.astype(float),
        ranks,
        numpy.zeros(len(entrants), dtype=int),
        block,
        numpy.arange(len(entrants)) if deal is None else deal,
    )
    group = group or MatchGroup("board", f"base-{players}p", players)
    return compact_matches(RatingMatches(tuple(called) or names(int(entrants.max()) + 1), (group,), (tables,), 0, 0))


def of_orders(orders: Sequence[Sequence[Sequence[str]]], blocks: Sequence[int] = ()) -> RatingMatches:
    """Matches told as orders of finish: a match is a list of the names that share each rank. Names sit in the order of
    the alphabet; each match is a block of its own, if ``blocks`` does not say otherwise."""
    called = sorted({name for order in orders for rank in order for name in rank})
    entrants, ranks = [], []
    for order in orders:
        place = {name: 1 + sum(map(len, order[:at])) for at, rank in enumerate(order) for name in rank}
        seated = sorted(place)
        entrants.append([called.index(name) for name in seated])
        ranks.append([place[name] for name in seated])
    tables = []
    given = numpy.array(blocks or range(len(orders)))
    sizes = numpy.array([len(each) for each in entrants])
    groups = tuple(MatchGroup("board", f"base-{size}p", size) for size in sorted(set(sizes.tolist())))
    for number, group in enumerate(groups):
        at = numpy.flatnonzero(sizes == group.players)
        rows = numpy.array([entrants[row] for row in at]), numpy.array([ranks[row] for row in at])
        zeros = numpy.zeros(rows[0].shape)
        tables.append(RatingTables(group.players, rows[0], zeros, rows[1], numpy.full(len(at), number), given[at], at))
    return compact_matches(RatingMatches(tuple(called), groups, tuple(tables), 0, 0))


def all_tables(count: int, blocks: int, orders: int = 1) -> tuple[Numbers, Numbers]:
    """In each block every table of four of so many entrants, in so many seat orders: who sits where, and the block."""
    tables = numpy.array([numpy.roll(each, turn) for each in combinations(range(count), 4) for turn in range(orders)])
    return numpy.tile(tables, (blocks, 1)), numpy.repeat(numpy.arange(blocks), len(tables))


def some_tables(count: int, blocks: int, random: numpy.random.Generator) -> tuple[Numbers, Numbers]:
    """Blocks of unequal sizes: 6 to 30 matches of four drawn at random of so many entrants."""
    sizes = random.integers(6, 31, blocks)
    tables = random.random((int(sizes.sum()), count)).argsort(axis=1)[:, :4]
    return tables, numpy.repeat(numpy.arange(blocks), sizes)


def resembling(entrants: Numbers, block: Numbers, share: float, random: numpy.random.Generator) -> Numbers:
    """Normal noise for each seat, of which this ``share`` of the variance is the entrant's own in the block."""
    common = random.normal(size=(int(block.max()) + 1, int(entrants.max()) + 1))
    alone = random.normal(size=entrants.shape)
    mixed: Numbers = numpy.sqrt(share) * common[block[:, None], entrants] + numpy.sqrt(1 - share) * alone
    return mixed


def ranks_without_ties(worths: Numbers, noise: Numbers) -> Numbers:
    """Ranks by Plackett–Luce: each seat's log-worth with Gumbel noise made of standard normal ``noise``. Those of one
    match are independent, so each match follows the model, however much matches of a block resemble each other."""
    below = 0.5 * (1 + _erf(noise / numpy.sqrt(2)))
    utility = worths - numpy.log(-numpy.log(numpy.clip(below, 1e-12, 1 - 1e-12)))
    ranks: Numbers = (-utility).argsort(axis=1).argsort(axis=1) + 1
    return ranks


def ranks_with_ties(worths: Numbers, noise: Numbers, prevalence: float, random: numpy.random.Generator) -> Numbers:
    """The same with ties between neighbours: their log-prevalence is given."""
    order = ranks_without_ties(worths, noise).argsort(axis=1)
    in_order = numpy.take_along_axis(worths, order, axis=1)
    apart = (in_order[:, :-1] - in_order[:, 1:]) / 2
    chance = exp(prevalence) / (numpy.exp(apart) + numpy.exp(-apart) + exp(prevalence))
    tied = random.random(chance.shape) < chance
    places = numpy.tile(numpy.arange(1, worths.shape[1] + 1), (len(worths), 1))
    places[:, 1:][tied] = 0
    ranks = numpy.empty_like(order)
    numpy.put_along_axis(ranks, order, numpy.maximum.accumulate(places, axis=1), axis=1)
    return ranks


def _erf(x: Numbers) -> Numbers:
    """The error function within 1.5e-7: Abramowitz & Stegun 7.1.26."""
    t = 1 / (1 + 0.3275911 * numpy.abs(x))
    factors = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
    series = numpy.zeros_like(x)
    for factor in factors:
        series = (series + factor) * t
    found: Numbers = numpy.sign(x) * (1 - series * numpy.exp(-x * x))
    return found
