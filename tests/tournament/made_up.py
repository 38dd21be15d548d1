"""Made-up bots of known strength, at the tables of real schedules, played by numpy many thousand times over.

What a bot achieves in a match is its strength, plus what the deal is worth to it and to its seat, plus chance (Gumbel's
distribution, so that without deals the order of finish would follow R. D. Luce's model). Money follows from that, and
ranks follow from money, with some ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
from numpy.random import Generator

from arena.tournament.formats.make_format import Contest, Formats, RoundRobinTables, make_format
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders

Array = numpy.ndarray[Any, Any]


class Design(NamedTuple):
    """A format, which tables it has play, and which matches share a deal."""

    format: Formats
    tables: RoundRobinTables = RoundRobinTables.ALL
    deals: Deals = Deals.TABLE


DESIGNS = {
    "spread": Design(Formats.ROUND_ROBIN, RoundRobinTables.SPREAD),
    "all": Design(Formats.ROUND_ROBIN, RoundRobinTables.ALL, Deals.DUPLICATE),
    "gauntlet": Design(Formats.GAUNTLET),
}


@dataclass(frozen=True, slots=True)
class World:
    """Who plays, and how: ``strengths`` by entrant (chance has a deviation of 1.28), the deviations of what a deal is
    worth to a bot and to a seat, and the part of matches that are void."""

    design: str
    seats: int
    blocks: int
    strengths: Sequence[float]
    bot_deal: float = 0.6
    seat_deal: float = 0.7
    void: float = 0.0


class Runs(NamedTuple):
    """Many runs of one world. ``block`` and ``entrants`` are of its matches, ``counts`` says which of them count; the
    other arrays are runs x matches x seats. ``heavy`` is money with heavy tails."""

    block: Array
    entrants: Array
    counts: Array
    win_rate: Array
    mean_rank: Array
    beaten: Array
    mean_money: Array
    heavy: Array

    def by_block(self, values: Array, mask: Array) -> tuple[Array, Array]:
        """The sums of those seats of each match that the ``mask`` (matches x seats) chooses, one a match, and the
        number of these matches: both runs x blocks."""
        inside = numpy.zeros((len(self.block), int(self.block.max()) + 1))
        inside[numpy.arange(len(self.block)), self.block] = 1
        chosen = (values * mask).sum(-1) * self.counts
        return chosen @ inside, (self.counts * mask.any(1)) @ inside

    def differences(self, values: Array, one: int, two: int) -> tuple[Array, Array]:
        """By how much more the first of two entrants has where both sit, as :meth:`by_block`."""
        first, second = self.entrants == one, self.entrants == two
        both = (first.any(1) & second.any(1))[:, None]
        return self.by_block(values, (first * 1.0 - second) * both)


def fixtures(world: World) -> tuple[Array, Array, Array]:
    """Of each match of a world: its block, the number of its deal, its entrants in seat order."""
    design, entrants = DESIGNS[world.design], len(world.strengths)
    contest = Contest(entrants=entrants, challengers=(0,), tables=design.tables)
    schedule = Schedule(
        entrants,
        [ScheduledEdition("made-up", world.seats)],
        world.blocks,
        SeatOrders.ROTATIONS,
        make_format(design.format, contest),
    )
    deals: dict[object, int] = {}
    found = []
    for fixture in schedule:
        table = tuple(sorted(fixture.entrants)) if design.deals is Deals.TABLE else ()
        deal = deals.setdefault((fixture.block, table), len(deals))
        found.append((fixture.block, deal, fixture.entrants))
    blocks, numbers, seats = zip(*found, strict=True)
    return numpy.array(blocks), numpy.array(numbers), numpy.array(seats)


def play(world: World, runs: int, source: Generator) -> Runs:
    """So many runs of a world."""
    block, deal, entrants = fixtures(world)
    achieved = _achieved(world, runs, source, deal, entrants)
    counts = (source.random((runs, len(block))) >= world.void) * 1.0
    return _scored(block, entrants, counts, achieved, source.standard_t(3, achieved.shape))


def play_twice(world: World, runs: int, source: Generator, stronger: float, differ: float) -> tuple[Runs, Runs]:
    """The same matches with two versions of entrant 0, of which the second answers otherwise in a part of all matches
    (``differ``), and is then ``stronger`` by so much."""
    block, deal, entrants = fixtures(world)
    counts = (source.random((runs, len(block))) >= world.void) * 1.0
    first = _achieved(world, runs, source, deal, entrants)
    changed = (entrants == 0) & (source.random((runs, len(block), 1)) < differ)
    second = numpy.where(changed, _achieved(world, runs, source, deal, entrants) + stronger, first)
    luck = source.standard_t(3, first.shape)
    return _scored(block, entrants, counts, first, luck), _scored(block, entrants, counts, second, luck)


def _achieved(world: World, runs: int, source: Generator, deal: Array, entrants: Array) -> Array:
    deals = int(deal.max()) + 1
    of_bot = world.bot_deal * source.standard_normal((runs, len(world.strengths), deals))
    of_seat = world.seat_deal * source.standard_normal((runs, deals, world.seats))
    achieved = numpy.array(world.strengths)[entrants] + of_bot[:, entrants, deal[:, None]] + of_seat[:, deal]
    return achieved + source.gumbel(size=achieved.shape) - 0.05 * numpy.arange(world.seats)


def _scored(block: Array, entrants: Array, counts: Array, achieved: Array, luck: Array) -> Runs:
    """Ranks and money: one unit of what is achieved is worth 12 of money, which is whole, so that there are ties."""
    money = numpy.rint(40 + 12 * achieved)
    richer = (money[..., None, :] > money[..., :, None]).sum(-1)
    equal = (money[..., None, :] == money[..., :, None]).sum(-1)
    opponents = entrants.shape[1] - 1
    return Runs(
        block,
        entrants,
        counts,
        win_rate=numpy.where(richer == 0, 1 / equal, 0.0),
        mean_rank=1.0 + richer,
        beaten=(opponents - richer - (equal - 1) / 2) / opponents,
        mean_money=money,
        heavy=numpy.rint(30 * numpy.exp(0.2 * achieved) + 8 * luck),
    )


def ties(runs: Runs) -> float:
    """The part of matches in which two or more have the same rank."""
    ranks = numpy.sort(runs.mean_rank, axis=-1)
    return float((ranks[..., 1:] == ranks[..., :-1]).any(-1).mean())
