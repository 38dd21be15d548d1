"""How often honest bots with reasons give as clear a gift anywhere in a table, estimated from simulated tables.

Honest bots may treat each other in ways that no sum describes: each drives the harder bargains the softer the other is.
So this module simulates tables of the same cells. In them, what A gives B beyond the additive model is a part of A's
times a part of B's, plus luck. A product has heavy tails, so a few honest pairs of such a table are far from the
others, farther than if pairs differed normally. A gift stands out only if it is clearer than the clearest of nearly all
of these tables.

The parts may lie evenly to both sides (normal), or a few may be far larger than all others (exponential). Then one cell
of a table, of the one that gives most and the one that gets most, is very far off, but hardly ever both cells of a
pair: so what two give each other must be clear in the lesser of its two gifts too. The two parts of a bot may be alike:
like gives to like, and what two give each other is far off in both directions at once. The other pairs show how much.

Luck is known from how blocks differ; all other spread of the pairs is taken for such products, which is the worst case.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from hashlib import sha256
from statistics import NormalDist
from typing import NamedTuple

import numpy

from arena.collusion.additive import Additive
from arena.collusion.arrays import Counts, Numbers

HONEST_TABLES = 4_999
FEWEST_HONEST_TABLES = 999
TABLE_WORK = 40_000_000
"""The number of cells of all simulated tables together: runs with very many entrants get fewer tables, but at least
:data:`FEWEST_HONEST_TABLES`."""
ENOUGH_CLEAR = 100
"""Once this many tables reach a gift's clearness, its probability is known well enough, and no more are simulated (J.
Besag & P. Clifford, Sequential Monte Carlo p-values, Biometrika 78, 1991)."""
AT_ONCE = 500_000
"""The number of cells of tables simulated at a time, which bounds memory."""
CACHED_CELLS = 32_000
"""The number of cells of simulated tables that are computed together: few enough to stay in a processor's cache."""
LEAST_PAIRS = 3
"""Fewer pairs say nothing of how alike the two parts of a bot are."""
EQUAL_CLEARNESS = 1e-9
"""Numbers that differ by less are taken as equal."""


class HonestParts(StrEnum):
    """How the parts of honest bots are distributed, whose product is what one gives another."""

    EVEN = "normal"
    FEW_LARGE = "exponential"


class Clearness(NamedTuple):
    """How far the gifts of a pair are out of line, in standard errors: the larger of both (``one``), their sum
    (``both``), and the smaller (``least``)."""

    one: float
    both: float
    least: float


def luck_share(model: Additive, blocks: Numbers) -> float:
    """The least share of luck in the spread of all cells about the model, 0 to 1. ``blocks`` has what each block shows
    of the cells (blocks × cells); its sum over blocks is how far the means are from the model. Few cells may by chance
    spread less than on average, which would make luck seem larger; so their spread is taken for the lowest in 99 of 100
    tables."""
    left = blocks - model.fitted_values(blocks)
    whole = left.sum(0)
    spread = float((whole * whole).sum())
    if spread <= EQUAL_CLEARNESS or model.freedom < 1:
        return 0.0
    count = len(blocks)
    luck = max(0.0, float((left * left).sum()) - spread / count)
    return min(1.0, luck * count / (count - 1) / spread * _lowest_variance(model.freedom))


def _lowest_variance(freedom: int) -> float:
    """The 1 % quantile of a variance estimated with this many degrees of freedom, in units of the true one (E. B.
    Wilson & M. M. Hilferty, The distribution of chi-square, 1931)."""
    part = 2 / (9 * freedom)
    root = max(0.0, 1 - part - NormalDist().inv_cdf(0.99) * float(part**0.5))
    return root * root * root


def likeness(model: Additive, values: Numbers, errors: float = 1.0) -> float:
    """How alike the two parts of a bot are, 0 to 1: the root of the correlation of what two give each other beyond the
    model, from ``values`` by cell. Few pairs show a correlation by chance, so this many standard ``errors`` of it are
    taken off."""
    left = values - model.fitted_values(values)
    forth, back = left[model.pairs].T
    size = float(numpy.sqrt((forth @ forth) * (back @ back)))
    if len(forth) < LEAST_PAIRS or size <= EQUAL_CLEARNESS:
        return 0.0
    shown = float(forth @ back) / size
    error = (1 - shown * shown) / (len(forth) - 1) ** 0.5
    return float(min(1.0, max(0.0, shown - errors * error)) ** 0.5)


def chance_among_honest(
    model: Additive,
    share: float,
    met: Counts,
    clear: Sequence[Clearness],
    seed: str,
    parts: HonestParts = HonestParts.EVEN,
    alike: float = 0.0,
) -> Numbers:
    """For each of these clearnesses (rows), the probabilities that any pair of an honest table is as clear in one gift,
    in both together, and in the lesser (rows × 3), at least 1 / (tables + 1). ``share`` is the share of luck. ``met``
    is how often the pair of each cell met: the more often, the smaller the luck in its mean. ``seed`` determines the
    tables; ``alike`` is the correlation of the two parts of a bot."""
    cells, wanted = len(met), numpy.array(clear)
    luck = numpy.sqrt(share * (1 / met) / (1 / met).mean())
    ways = (1 - share) ** 0.5
    most = int(min(HONEST_TABLES, max(FEWEST_HONEST_TABLES, TABLE_WORK // cells)))
    step = max(1, min(most, AT_ONCE // cells))
    generator = numpy.random.Generator(numpy.random.PCG64(int.from_bytes(sha256(seed.encode()).digest()[:16])))
    reached = numpy.zeros(wanted.shape, dtype=numpy.int64)
    made, part_size = 0, max(1, CACHED_CELLS // cells)
    while made < most and int(reached.min()) < ENOUGH_CLEAR:
        tables = min(step, most - made)
        hard, soft = _draw_parts(parts, generator, (2, tables, len(model.entrants)))
        soft = alike * hard + (1 - alike * alike) ** 0.5 * soft
        largest: Numbers = numpy.empty((3, tables))
        for part in range(0, tables, part_size):
            rows = slice(part, part + part_size)
            products = ways * hard[rows].take(model.givers, -1) * soft[rows].take(model.receivers, -1)
            values = products + luck * generator.normal(0, 1, products.shape)
            first, second, both = numpy.moveaxis(model.standings(values), -1, 0)
            largest[:, rows] = numpy.maximum(first, second).max(1), both.max(1), numpy.minimum(first, second).max(1)
        for way, each in enumerate(largest):
            reached[:, way] += tables - numpy.searchsorted(numpy.sort(each), wanted[:, way] - EQUAL_CLEARNESS)
        made += tables
    found: Numbers = (1.0 + reached) / (made + 1.0)
    return found


def _draw_parts(parts: HonestParts, generator: numpy.random.Generator, shape: tuple[int, ...]) -> Numbers:
    """Draw the parts of simulated entrants at random, in this ``shape``, with mean 0 and standard deviation 1."""
    match parts:
        case HonestParts.EVEN:
            return generator.normal(0, 1, shape)
        case HonestParts.FEW_LARGE:
            return generator.exponential(1, shape) - 1
