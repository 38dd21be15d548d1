"""Who can invade whom, and the cycles of that: each bot among copies of another, with resamples of blocks.

One invader sits among copies of the resident. It can invade if it earns more there than the residents do among
themselves (J. W. Weibull, Evolutionary Game Theory, 1995: a resident that nobody can invade is evolutionarily stable or
neutral; with the lead as payoff, this is to earn more than the mean of the table). It displaces the resident if also
the resident cannot invade it in turn. If A displaces B, B displaces C, and C displaces A, no order of the bots
describes the field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy

from arena.metagame.meta_game import MetaGame
from arena.metagame.mixture_cells import Array
from arena.metagame.population import single_bot
from arena.tournament.inference.intervals import Estimate

RESAMPLES, FEWEST_RESAMPLES = 1000, 200
MOST_RESAMPLED = 20_000_000
"""The most means in all resamples together; of games with more cells there are fewer resamples."""
MOST_GROUPS = 400
"""Blocks are combined into at most so many groups before they are drawn, which share no deal either."""
LONGEST_CYCLE = 6
MOST_CYCLES = 1000


def resampled_means(game: MetaGame) -> Array:
    """The means of cells in resamples of the blocks, drawn with replacement (B. Efron, The Annals of Statistics 7,
    1979): resamples × cells. Always the same draws."""
    groups = min(game.blocks, MOST_GROUPS)
    number = min(RESAMPLES, max(FEWEST_RESAMPLES, MOST_RESAMPLED // len(game.means)))
    sums, seats = (_group_blocks(values, groups) for values in (game.sums, game.seats))
    generator = numpy.random.Generator(numpy.random.PCG64(1))
    drawn = generator.integers(0, groups, (number, groups)) + groups * numpy.arange(number)[:, None]
    times = numpy.bincount(drawn.ravel(), minlength=number * groups).reshape(number, groups).astype(float)
    return game.means_of(times @ sums, times @ seats)


def _group_blocks(values: Array, groups: int) -> Array:
    """Blocks by cell, combined: block b goes into group b modulo the number of ``groups``."""
    found = numpy.zeros((groups, values.shape[1]))
    numpy.add.at(found, numpy.arange(len(values)) % groups, values)
    return found


@dataclass(frozen=True, slots=True)
class Invasion:
    """One ``invader`` among copies of the ``resident``, by number: its ``gain`` over what the residents earn among
    themselves, and the ``share`` of resamples in which it gains."""

    invader: int
    resident: int
    gain: Estimate
    share: float | None

    @property
    def succeeds(self) -> bool | None:
        """Whether the invader gains; None where the interval of the gain holds 0."""
        if self.gain.low is None or self.gain.high is None:
            return None
        return True if self.gain.low > 0 else False if self.gain.high < 0 else None


@dataclass(frozen=True, slots=True)
class DisplacementCycle:
    """``bots`` of which each displaces the next, and the last the first, and the ``share`` of resamples in which all of
    them do."""

    bots: tuple[int, ...]
    share: float


@dataclass(frozen=True)
class InvasionGraph:
    """The gains of all bots among copies of all others, in the matches (``gains``, invaders × residents) and in each
    of the ``resamples``."""

    game: MetaGame
    gains: Array
    resamples: Array

    @cached_property
    def invasions(self) -> list[Invasion]:
        """All invasions that can be looked at, by resident and then invader."""
        size, found = len(self.game.bots), []
        for resident in range(size):
            influence = self.game.expected_influence(single_bot(size, resident))
            for invader in range(size):
                if invader == resident or numpy.isnan(self.gains[invader, resident]):
                    continue
                moved = influence[:, invader] - influence[:, resident]
                gain = self.game.combined_estimate(float(self.gains[invader, resident]), moved)
                share = float((self.resamples[:, invader, resident] > 0).mean())
                found.append(Invasion(invader, resident, gain, share))
        return found

    @cached_property
    def cycles(self) -> list[DisplacementCycle]:
        """The shortest cycles, those that hold in most resamples first: none has the bots of another and more. They
        have at most :data:`LONGEST_CYCLE` bots, and only the first :data:`MOST_CYCLES` are looked at."""
        displaces = _displacements(self.gains)
        resampled = _displacements(self.resamples)
        found: list[DisplacementCycle] = []
        sets: set[frozenset[int]] = set()
        for length in range(3, min(LONGEST_CYCLE, len(displaces)) + 1):
            shorter = frozenset(sets)
            for bots in _closed_walks(displaces, length):
                if any(each < set(bots) for each in shorter) or len(found) >= MOST_CYCLES:
                    continue
                steps = [resampled[:, one, two] for one, two in zip(bots, (*bots[1:], bots[0]), strict=True)]
                found.append(DisplacementCycle(bots, float(numpy.logical_and.reduce(steps).mean())))
                sets.add(frozenset(bots))
        return sorted(found, key=lambda each: (-each.share, each.bots))


def _displacements(gains: Array) -> Array:
    """Whether each bot displaces each other: it gains among the other's copies, and the other loses among its own."""
    found: Array = (gains > 0) & (numpy.swapaxes(gains, -1, -2) < 0)
    return found


def _closed_walks(displaces: Array, length: int) -> Iterator[tuple[int, ...]]:
    """The cycles of this many bots, each once, from its lowest number."""
    after = [numpy.flatnonzero(row).tolist() for row in displaces]

    def go_on(walk: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(walk) == length:
            if displaces[walk[-1], walk[0]]:
                yield walk
            return
        for bot in after[walk[-1]]:
            if bot > walk[0] and bot not in walk:
                yield from go_on((*walk, bot))

    for first in range(len(displaces)):
        yield from go_on((first,))


def find_invasions(game: MetaGame, resampled: Array) -> InvasionGraph:
    """Who can invade whom, with these means of cells in resamples."""
    return InvasionGraph(game, _invasion_gains(game, game.means), _invasion_gains(game, resampled))


def _invasion_gains(game: MetaGame, means: Array) -> Array:
    """By how much each bot earns more among copies of each other than these among themselves: … × bots × bots."""
    size, columns = len(game.bots), []
    for resident in range(size):
        expected = game.expected_of(means, single_bot(size, resident))
        columns.append(expected - expected[..., resident : resident + 1])
    return numpy.stack(columns, axis=-1)
