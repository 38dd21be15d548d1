"""How often gifts of a stated size are found, and honest pairs stand out, in made-up runs.

    OPENBLAS_NUM_THREADS=1 nice python tests/bench/collusion.py [--runs 2000] [--jobs 1] [--only PATTERN]

Takes an hour on one core. Runs of 200 entrants take seconds each: measure those by themselves, with fewer runs. The
figures are in ``arena docs measured``.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from multiprocessing import Pool
from time import perf_counter

import numpy

from arena.collusion.gift_sums import MONEY_COLUMN, GiftTable
from arena.collusion.pair_search import PairVerdict, judge_pairs

SEATS, ORDERS = 4, 4
"""Of each table, and its seat orders: so a pair meets in several matches of a block."""


@dataclass(frozen=True)
class World:
    """Made-up runs: so many ``entrants`` and ``blocks``, in each of which a pair meets in so many ``matches``. What A
    gives B a match is a part of A's own and one of B's own (with deviation ``bots``), what honest pairs differ by
    (``pairs``), and luck (``luck``), part of which all pairs of a block share (``shared``). Luck has the tails of
    Student's t with so many degrees of freedom (``tails``; 0: normal). Meetings are ``even``, or vary by pair and
    block. In each run ``colluders`` groups of so many in a ``ring`` give ``gift`` more, each to all others in it, or
    with ``one_way`` each to the next alone (a pair: the first to the second).

    Honest bots may have reasons: each drives harder bargains with softer bots (``tastes``: the deviation of what two
    give each other by the product of a part of the giver's and one of the receiver's; with ``alike``, of the same trait
    of both), two suit each other more or less than others (``affinity``: the deviation of what both give each other
    alike), and one loses ``loses`` more to one other at every table. With ``product``, everybody pays: ``product``
    times a part of the giver's and one of the receiver's, both above 0 with mean 1, even or with a few that are far
    larger (``parts``: ``uniform``, ``lognormal`` with a deviation of the logarithm of 0.5, or ``exponential``)."""

    name: str
    entrants: int = 6
    blocks: int = 20
    matches: int = 8
    bots: float = 4.0
    pairs: float = 1.2
    luck: float = 12.0
    shared: float = 0.3
    tails: int = 0
    even: bool = True
    colluders: int = 0
    gift: float = 0.0
    one_way: bool = False
    ring: int = 2
    tastes: float = 0.0
    alike: bool = False
    affinity: float = 0.0
    loses: float = 0.0
    product: float = 0.0
    parts: str = "uniform"


def made_up(world: World, generator: numpy.random.Generator) -> tuple[GiftTable, set[frozenset[str]]]:
    """A run, and the pairs that collude in it."""
    n = world.entrants
    names = tuple(f"bot{number:02}" for number in range(n))
    cells = tuple((giver, receiver) for giver in range(n) for receiver in range(n) if giver != receiver)
    givers, receivers = numpy.array(cells).T
    own = generator.normal(0, world.bots, (2, n))
    level = own[0][givers] + own[1][receivers] + generator.normal(0, world.pairs, len(cells))
    order = generator.permutation(n).tolist()
    guilty = set()
    for number in range(world.colluders):
        ring = order[world.ring * number : world.ring * (number + 1)]
        giving = list(permutations(ring, 2))
        if world.one_way:
            giving = list(zip(ring, [*ring[1:], ring[0]], strict=True)) if world.ring > 2 else giving[:1]
        for one, two in giving:
            guilty.add(frozenset((names[one], names[two])))
            level = level + world.gift * ((givers == one) & (receivers == two))
    if world.tastes:
        hard, soft = generator.normal(0, 1, (2, n))
        level = level + world.tastes * hard[givers] * (hard if world.alike else soft)[receivers]
    if world.affinity:
        suits = generator.normal(0, world.affinity, (n, n))
        level = level + suits[numpy.minimum(givers, receivers), numpy.maximum(givers, receivers)]
    if world.loses:
        level = level + world.loses * ((givers == order[-1]) & (receivers == order[-2]))
    if world.product:
        gives, gets = _positive_parts(world.parts, generator, (2, n))
        level = level + world.product * gives[givers] * gets[receivers]
    shape = (world.blocks, len(cells))
    counts = numpy.full(shape, world.matches) if world.even else generator.integers(0, 2 * world.matches, shape)
    counts[0] = numpy.maximum(counts[0], 1)
    noise = _luck(world, generator, shape) * (1 - world.shared) ** 0.5
    noise = noise + _luck(world, generator, (world.blocks, 1)) * world.shared**0.5
    values = counts * level + noise * numpy.sqrt(counts)
    table = GiftTable(
        names,
        cells,
        ("gift",),
        counts,
        {"gift": values, MONEY_COLUMN: numpy.zeros(shape)},
        int(counts.sum()),
        world.blocks,
    )
    return table, guilty


def _positive_parts(parts: str, generator: numpy.random.Generator, shape: tuple[int, int]) -> numpy.ndarray:
    if parts == "uniform":
        return generator.uniform(0, 2, shape)
    return generator.exponential(1, shape) if parts == "exponential" else generator.lognormal(-0.125, 0.5, shape)


def _luck(world: World, generator: numpy.random.Generator, shape: tuple[int, int]) -> numpy.ndarray:
    if not world.tails:
        return generator.normal(0, world.luck, shape)
    scale = world.luck / (world.tails / (world.tails - 2)) ** 0.5
    return generator.standard_t(world.tails, shape) * scale


@dataclass(frozen=True)
class Rates:
    """Of all runs the share in which every colluding pair was ``found``, and in which any honest was ``accused``."""

    found: float
    accused: float


def measure(world: World, runs: int, seed: int = 1, jobs: int = 1) -> Rates:
    """What is found in so many runs of this world."""
    if jobs > 1:
        with Pool(jobs) as pool:
            each = pool.map(partial(_judge_run, world, seed), range(runs), chunksize=4)
    else:
        each = [_judge_run(world, seed, run) for run in range(runs)]
    return Rates(*(sum(sides) / runs for sides in zip(*each, strict=True)))


def _judge_run(world: World, seed: int, run: int) -> tuple[bool, bool]:
    """Whether every colluding pair of a run stands out, and whether any honest one does."""
    table, guilty = made_up(world, numpy.random.Generator(numpy.random.PCG64([seed, run])))
    out = {
        frozenset((each.giver, each.receiver))
        for each in judge_pairs(table, f"{seed} {run}")
        if each.verdict is PairVerdict.STANDS_OUT
    }
    return guilty <= out, bool(out - guilty)


HONEST = (
    World("honest"),
    World("honest, pairs alike but for luck", pairs=0.0),
    World("honest, 5 entrants", entrants=5),
    World("honest, 12 entrants", entrants=12),
    World("honest, 8 blocks", blocks=8),
    World("honest, 100 blocks", blocks=100),
    World("honest, heavy tails", tails=3),
    World("honest, uneven meetings", even=False),
    World("honest, pairs differ much", pairs=4.0),
    World("honest, hard with the soft", tastes=2.0),
    World("honest, 5, hard with the soft", entrants=5, tastes=2.0),
    World("honest, 8, hard with the soft", entrants=8, tastes=2.0),
    World("honest, 12, hard with the soft", entrants=12, tastes=2.0),
    World("honest, one loses $2M to one", loses=2.0),
    World("honest, one loses $4M to one", loses=4.0),
    World("honest, 12, one loses $2M to one", entrants=12, loses=2.0),
    World("honest, 12, one loses $4M to one", entrants=12, loses=4.0),
    World("honest, 5, one loses $4M to one", entrants=5, loses=4.0),
    World("honest, 8, one loses $4M to one", entrants=8, loses=4.0),
    World("honest, harder with the soft", tastes=4.0),
    World("honest, 12, harder with the soft", entrants=12, tastes=4.0),
    World("honest, one loses $6M to one", loses=6.0),
    World("honest, 12, one loses $6M to one", entrants=12, loses=6.0),
    *(
        replace(world, name=f"honest, {entrants}, {world.name}", entrants=entrants)
        for entrants in (5, 6, 10, 16)
        for world in (
            World("additive"),
            World("like to like", tastes=2.0, alike=True),
            World("like to like, $4M", tastes=4.0, alike=True),
            World("affinity", affinity=2.0),
        )
    ),
    *(
        World(
            f"honest, {entrants}, product, {parts}{' and sum' * bool(bots)}",
            entrants=entrants,
            bots=bots,
            product=10.0,
            parts=parts,
        )
        for entrants in (5, 6, 8, 10, 16)
        for parts, bots in (("uniform", 0.0), ("lognormal", 0.0), ("exponential", 0.0), ("exponential", 4.0))
    ),
    World("honest, 200 entrants", entrants=200),
    World("honest, 200, hard with the soft", entrants=200, tastes=2.0),
)
"""Runs without colluders."""


def with_colluders() -> list[World]:
    """Runs with a pair that gives each other so much, or one the other; with two such pairs; with a ring of three."""
    base = World("")
    six, eight, twelve, most = (replace(base, entrants=entrants, colluders=1) for entrants in (6, 8, 12, 200))
    five, one_way, ring = replace(six, entrants=5), replace(twelve, one_way=True), replace(twelve, ring=3)
    return [
        *(
            replace(six, name=f"{entrants} entrants, $10M each way", entrants=entrants, gift=10.0)
            for entrants in (5, 6, 10, 16)
        ),
        replace(five, name="5 entrants, $16M each way", gift=16.0),
        replace(five, name="5 entrants, $20M each way", gift=20.0),
        replace(five, name="5 entrants, $26M one way", gift=26.0, one_way=True),
        replace(six, name="6 entrants, $14M each way", gift=14.0),
        replace(six, name="6 entrants, $20M each way", gift=20.0),
        replace(six, name="6 entrants, $19M one way", gift=19.0, one_way=True),
        replace(five, name="5 entrants, $40M one way", gift=40.0, one_way=True),
        replace(six, name="6 entrants, $32M one way", gift=32.0, one_way=True),
        replace(six, name="6 entrants, 100 blocks, $11M", blocks=100, gift=11.0),
        replace(six, name="6, hard with the soft, $20M", tastes=2.0, gift=20.0),
        replace(eight, name="8 entrants, $10M each way", gift=10.0),
        replace(eight, name="8 entrants, $14M one way", gift=14.0, one_way=True),
        replace(eight, name="8 entrants, ring of three, $12M", ring=3, gift=12.0),
        replace(twelve, name="12 entrants, $9M each way", gift=9.0),
        replace(one_way, name="12 entrants, $13M one way", gift=13.0),
        replace(twelve, name="12 entrants, heavy tails, $10M", tails=3, gift=10.0),
        replace(twelve, name="12 entrants, two pairs, $10M", colluders=2, gift=10.0),
        replace(ring, name="12 entrants, ring of three, $10M", gift=10.0),
        replace(ring, name="12, ring of three round, $16M", gift=16.0, one_way=True),
        replace(twelve, name="12, hard with the soft, $20M", tastes=2.0, gift=20.0),
        *(
            replace(world, name=f"{world.entrants}, product, uniform, ${gift:.0f}M", bots=0.0, product=5.0, gift=gift)
            for world in (six, eight, twelve)
            for gift in (10.0, 20.0)
        ),
        replace(most, name="200 entrants, $14M each way", gift=14.0),
        replace(most, name="200, ring of three, $14M", ring=3, gift=14.0),
    ]


def main() -> None:
    """Print a line for each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", default="", help="worlds whose names match this pattern")
    chosen = parser.parse_args()
    print(f"{'world':44} {'runs':>6} {'found':>8} {'honest accused':>15} {'s':>6}")
    for world in (*HONEST, *with_colluders()):
        if not re.search(chosen.only, world.name):
            continue
        began = perf_counter()
        rates = measure(world, chosen.runs, jobs=chosen.jobs)
        found = f"{rates.found:8.1%}" if world.colluders else f"{'':8}"
        print(
            f"{world.name:44} {chosen.runs:6} {found} {rates.accused:15.2%} {perf_counter() - began:6.0f}", flush=True
        )


if __name__ == "__main__":
    main()
