"""How often the 95 % intervals that arena prints hold the truth, for made-up bots of known strength.

    nice python tests/bench/coverage.py [--runs 4000] [--seed 1] [--blocks 3,4,5,6,8,10,15,20,30] [--worst 0]

Plays every design with 3 to 30 blocks many times over (tests/tournament/made_up.py) and prints by kind of interval and
number of blocks: how many of the intervals that are printed hold the truth, in the mean over all cases and in the
worst of them. The truth of a case is the mean over all its runs, or is known where all bots are equal. `--worst` names
so many of the lowest and highest cases of each kind, too.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy
from numpy.random import Generator
from tabulate import tabulate

from arena.tournament.inference.design_factor import LEAST_BLOCKS, EntrantBlocks, design_factor
from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.tables.rounded_figures import OFF_MIDDLE, is_lopsided
from tests.tournament.at_once import intervals
from tests.tournament.made_up import Array, Runs, World, play, play_twice

BLOCKS = (3, 4, 5, 6, 8, 10, 15, 20, 30)
TABLES = (("spread", 6, 4), ("spread", 7, 3), ("all", 5, 4), ("gauntlet", 4, 4), ("gauntlet", 6, 6), ("all", 6, 5))
"""Designs, with their entrants and seats."""
STRENGTHS = {"equal": (0.0,) * 7, "far apart": (3.5, 1.0, 0.3, 0.0, -0.5, -2.5, -0.2)}
BOT_DEALS = (0.3, 1.2)
LOT = 400
"""Runs that are played at once."""
FACTORS = 2000
"""Runs of which the design factor is computed, which takes long."""
LEAST_SHOWN = 0.05
"""Cases in which a smaller part of estimates has an interval do not count as worst cases: too few to tell."""


class Case(NamedTuple):
    """One estimate of one world, in all runs: its kind, sums and numbers by block (runs x blocks), the truth (None: the
    mean over the runs), bounds, if any, and the step between results."""

    kind: str
    sums: Array
    matches: Array
    truth: float | None
    bounds: tuple[float, float] | None
    step: float = 0.0


class Covered(NamedTuple):
    """Of a case: the part of estimates with an interval, and the part of these that hold the truth."""

    shown: float
    held: float


def printed(found: Estimate) -> tuple[float, float] | None:
    """The ends of an interval as tables tell it: around the mean where it is told with ±."""
    if found.mean is None or found.low is None or found.high is None or found.half_width is None:
        return None
    if is_lopsided(found):
        return found.low, found.high
    return found.mean - found.half_width, found.mean + found.half_width


def covered(case: Case) -> Covered:
    """How often the interval of a case holds the truth."""
    total, matches = case.sums.sum(), case.matches.sum()
    truth = total / matches if case.truth is None else case.truth
    shown = held = 0
    for sums, counts in zip(case.sums.tolist(), case.matches.astype(int).tolist(), strict=True):
        found = clustered_mean(zip(sums, counts, strict=True), bounds=case.bounds, step=case.step)
        if (ends := printed(found)) is not None:
            shown += 1
            held += ends[0] - 1e-9 <= truth <= ends[1] + 1e-9
    return Covered(shown / len(case.sums), held / max(shown, 1))


def covered_at_once(case: Case) -> Covered:
    """As :func:`covered`, much faster."""
    low, high = intervals(case.sums, case.matches, case.bounds, case.step)
    total, matches = case.sums.sum(), case.matches.sum()
    truth = total / matches if case.truth is None else case.truth
    mean, half = case.sums.sum(1) / case.matches.sum(1), (high - low) / 2
    straight = abs((low + high) / 2 - mean) <= OFF_MIDDLE * half
    low, high = numpy.where(straight, mean - half, low), numpy.where(straight, mean + half, high)
    told = ~numpy.isnan(low)
    held = (low[told] - 1e-9 <= truth) & (truth <= high[told] + 1e-9)
    return Covered(float(told.mean()), float(held.mean()) if told.any() else 0.0)


def cases(world: World, runs: Runs, equal: bool) -> Iterator[Case]:
    """Every kind of estimate that standings have: of entrants, pairs and seats."""
    seats = world.seats
    names = ("win_rate", "beaten", "mean_rank", "mean_money", "heavy")
    bounds = {"win_rate": (0.0, 1.0), "beaten": (0.0, 1.0), "mean_rank": (1.0, float(seats))}
    steps = {"win_rate": 1.0, "beaten": 1 / (seats - 1), "mean_rank": 1.0}
    for entrant in {0, 1, 5 if len(world.strengths) > 5 else 2}:
        for name in names:
            sums, matches = runs.by_block(getattr(runs, name), runs.entrants == entrant)
            yield Case(name, sums, matches, None, bounds.get(name), steps.get(name, 0.0))
    for one, two in ((0, 1), (0, 2)):
        first, second = runs.entrants == one, runs.entrants == two
        ranks = (runs.mean_rank * second).sum(-1, keepdims=True) - (runs.mean_rank * first).sum(-1, keepdims=True)
        points = numpy.broadcast_to((numpy.sign(ranks) + 1) / 2, runs.mean_rank.shape)
        yield Case(
            "score", *runs.by_block(points, first & second.any(1)[:, None]), 0.5 if equal else None, (0.0, 1.0), 1.0
        )
        yield Case("money_difference", *runs.differences(runs.mean_money, one, two), 0.0 if equal else None, None)
    for seat in (0, seats - 1):
        mask = numpy.zeros(runs.entrants.shape, dtype=bool)
        mask[:, seat] = True
        yield Case("seat win_rate", *runs.by_block(runs.win_rate, mask), None, (0.0, 1.0), 1.0)
        yield Case("seat mean_money", *runs.by_block(runs.mean_money, mask), None, None)


def trials(world: World, runs: int, source: Generator) -> Iterator[Case]:
    """Differences between two versions of one bot in the same seats of the same deals."""
    for stronger, differ in ((0.0, 1.0), (0.0, 0.1), (0.7, 1.0), (0.7, 0.1), (0.7, 0.02)):
        first, second = play_twice(world, runs, source, stronger, differ)
        own = first.entrants == 0
        for name, values in (
            ("more_wins", second.win_rate - first.win_rate),
            ("more_money", second.mean_money - first.mean_money),
        ):
            yield Case(name, *first.by_block(values, own), None if stronger else 0.0, None)


class Given(NamedTuple):
    """What the design factor takes of each entrant, in all runs: matches, sums and sums of squares (runs x blocks)."""

    entrants: list[tuple[Array, Array, Array]]

    @staticmethod
    def of(world: World, runs: Runs) -> Given:
        given = []
        for entrant in range(len(world.strengths)):
            mask = runs.entrants == entrant
            sums, matches = runs.by_block(runs.win_rate, mask)
            given.append((matches.astype(int), sums, runs.by_block(runs.win_rate**2, mask)[0]))
        return Given(given)


def factor(given: Given) -> Covered:
    """The design factor of wins: the truth is that of the blocks of all runs together."""

    def found(chosen: slice) -> Estimate:
        every = [tuple(part[chosen].ravel() for part in parts) for parts in given.entrants]
        met = [matches > 0 for matches, _, _ in every]
        kept = [tuple(part[has] for part in parts) for parts, has in zip(every, met, strict=True)]
        return design_factor(
            [EntrantBlocks(numpy.flatnonzero(has), *parts) for has, parts in zip(met, kept, strict=True)]
        )

    runs = len(given.entrants[0][0])
    truth = found(slice(None)).mean or 0.0
    each = [found(slice(run, run + 1)) for run in range(runs)]
    shown = [ends for one in each if (ends := printed(one)) is not None]
    return Covered(len(shown) / len(each), sum(low <= truth <= high for low, high in shown) / max(len(shown), 1))


def joined(parts: Sequence[Sequence[Case]]) -> Iterator[Case]:
    """The same cases of several lots of runs as one."""
    for each in zip(*parts, strict=True):
        sums, matches = (numpy.concatenate([getattr(part, name) for part in each]) for name in ("sums", "matches"))
        yield each[0]._replace(sums=sums, matches=matches)


def world_covered(world: World, runs: int, seeds: Sequence[int], equal: bool) -> Iterator[tuple[str, Covered]]:
    """How often each interval of a world holds the truth, by kind."""
    source, other = (numpy.random.Generator(numpy.random.PCG64(each)) for each in (seeds, [*seeds, 1]))
    lots, given = [], []
    for _ in range(0, runs, LOT):
        played = play(world, LOT, source)
        every = list(cases(world, played, equal))
        if world.design == "gauntlet":
            every += trials(world, LOT, other)
        lots.append(every)
        given.append(Given.of(world, played))
    for case in joined(lots):
        yield case.kind, covered_at_once(case)
    if world.blocks >= LEAST_BLOCKS:
        entrants = zip(*(each.entrants for each in given), strict=True)
        every_run = [tuple(numpy.concatenate(part)[:FACTORS] for part in zip(*each, strict=True)) for each in entrants]
        yield "design factor", factor(Given(every_run))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=4000, help="runs of each case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--blocks", default=",".join(map(str, BLOCKS)), help="numbers of blocks")
    parser.add_argument("--worst", type=int, default=0, help="name so many cases of each kind")
    given = parser.parse_args(arguments)
    found: defaultdict[tuple[str, int], list[tuple[Covered, str]]] = defaultdict(list)
    numbers = [int(each) for each in given.blocks.split(",")]
    for blocks in numbers:
        for table, (design, entrants, seats) in enumerate(TABLES):
            for number, (strengths, bot_deal) in enumerate((s, d) for s in STRENGTHS for d in BOT_DEALS):
                void = 0.06 if number % 2 else 0.0
                world = World(design, seats, blocks, STRENGTHS[strengths][:entrants], bot_deal, void=void)
                seeds = (given.seed, blocks, table, number)
                name = f"{design}, {entrants} entrants, {seats} seats, {strengths}, luck {bot_deal}"
                for kind, each in world_covered(world, given.runs, seeds, strengths == "equal"):
                    found[kind, blocks].append((each, name))
        print(_table(found, numbers[: numbers.index(blocks) + 1], given.runs), flush=True)
    for key, every in found.items() if given.worst else ():
        ordered = sorted((each.held, name) for each, name in every if each.shown >= LEAST_SHOWN)
        for held, name in ordered[: given.worst] + ordered[-given.worst :]:
            print(f"{100 * held:.1f}  {key[0]}  {key[1]} blocks  {name}")


def _table(found: dict[tuple[str, int], list[tuple[Covered, str]]], numbers: Sequence[int], runs: int) -> str:
    rows = []
    for kind in dict.fromkeys(kind for kind, _ in found):
        row = [kind]
        for blocks in numbers:
            each = [one for one, _ in found[kind, blocks] if one.shown >= LEAST_SHOWN]
            if not each:
                row.append("–")
                continue
            held = sum(one.held * one.shown for one in each) / sum(one.shown for one in each)
            row.append(f"{100 * held:.1f} {100 * min(one.held for one in each):.1f}")
        rows.append(row)
    note = f"\n± {196 * sqrt(0.95 * 0.05 / runs):.1f} points in one case with {runs} runs"
    return tabulate(rows, ["interval", *map(str, numbers)], disable_numparse=True) + note


if __name__ == "__main__":
    main()
