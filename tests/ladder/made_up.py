"""Seasons of made-up versions of known strength: tables are chosen, orders of finish drawn, ratings made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy

from arena.ladder.rating.pairing import ChosenTable, PairingPlayer, PairingRules, choose_tables
from arena.ladder.rating.settled_pairs import equal_zone, pairs_of
from arena.ratings.by_order.orders import rate_orders
from arena.ratings.scale import RatingScale
from tests.ratings.simulated import matches_of, ranks_without_ties, resembling

Numbers = numpy.ndarray[Any, Any]
SEATS = 4
LIKE = 1 / 3
"""The share of a seat's luck that is the version's own in all matches of a table."""


def called(number: int) -> str:
    """What version so many is called."""
    return f"bot{number:03d}:1"


@dataclass(frozen=True)
class Known:
    """What a season's ratings say, by the numbers of two versions: told apart, rightly or not; as good as equal."""

    apart: Numbers
    wrong: Numbers
    equal: Numbers


class MadeUp:
    """A season of versions with these log-``worths``, of whom each ``joins`` in some round (the first is 0). Without
    ``chosen`` the results decide nothing: everybody meets everybody as evenly as can be. ``count`` tables a round."""

    def __init__(
        self,
        worths: Sequence[float],
        seed: int,
        *,
        chosen: bool = True,
        joins: Mapping[int, int] | None = None,
        count: int = 0,
        wanted: PairingRules | None = None,
    ) -> None:
        self.worths = numpy.array(worths, dtype=float)
        self.joins = joins or {}
        self.count = count or max(24, len(worths))
        self.wanted = (wanted or PairingRules(12, 0.05)) if chosen else PairingRules(0, 0.0)
        self.results, self.seed = chosen, seed
        self.tables = numpy.zeros(len(worths), dtype=int)
        self.rounds: list[list[ChosenTable]] = []
        self.met: dict[tuple[str, str], int] = {}
        self.scales: tuple[RatingScale, ...] = ()
        self._random = numpy.random.default_rng(seed)
        self._entrants: list[list[int]] = []
        self._ranks: list[list[int]] = []

    @property
    def size(self) -> int:
        """How many versions there are."""
        return len(self.worths)

    def play(self, rounds: int = 1) -> None:
        """Choose and play some rounds, and rate after each; where results decide nothing, after the last."""
        for _ in range(rounds):
            here = [at for at in range(self.size) if self.joins.get(at, 0) <= len(self.rounds)]
            players = [PairingPlayer(called(at), "", int(self.tables[at])) for at in here]
            scales = self.scales if self.results else ()
            name = f"{self.seed}/{len(self.rounds)}"
            self._count(choose_tables(players, self.met, scales, SEATS, self.count, self.wanted, name))
            if self.results:
                self.scales = self._rated()
        if not self.results:
            self.scales = self._rated()

    def _count(self, chosen: list[ChosenTable]) -> None:
        self.rounds.append(chosen)
        tables = [[int(name[3:6]) for name in each.names] for each in chosen]
        for each, table in zip(chosen, tables, strict=True):
            self.tables[table] += 1
            for pair in combinations(sorted(each.names), 2):
                self.met[pair] = self.met.get(pair, 0) + 1
        entrants = numpy.array([numpy.roll(table, turn) for table in tables for turn in range(SEATS)])
        noise = resembling(entrants, numpy.repeat(numpy.arange(len(tables)), SEATS), LIKE, self._random)
        self._entrants += entrants.tolist()
        self._ranks += ranks_without_ties(self.worths[entrants], noise).tolist()

    def _rated(self) -> tuple[RatingScale, ...]:
        block = numpy.repeat(numpy.arange(len(self._entrants) // SEATS), SEATS)
        names = [called(at) for at in range(self.size)]
        matches = matches_of(numpy.array(self._entrants), numpy.array(self._ranks), block, called=names)
        return rate_orders(matches, seats=False).scales

    def known(self, indifference: float) -> Known:
        """What the ratings say of all pairs now."""
        found = Known(*(numpy.zeros((self.size, self.size), dtype=bool) for _ in range(3)))
        for scale in self.scales:
            at = numpy.array([int(name[3:6]) for name in scale.names])
            here, pairs = numpy.ix_(at, at), pairs_of(scale, indifference)
            truth = numpy.sign(self.worths[at][:, None] - self.worths[at][None, :])
            found.apart[here], found.equal[here] = pairs.apart, pairs.equal
            found.wrong[here] = pairs.apart & (numpy.sign(pairs.difference) != truth)
        return found

    def outside(self, indifference: float) -> Numbers:
        """The pairs that truly differ by more than the zone, each once."""
        apart = numpy.abs(self.worths[:, None] - self.worths[None, :])
        found: Numbers = numpy.triu(apart > equal_zone(indifference), 1)
        return found

    def seats_of(self, first: int = 0, end: int | None = None) -> Numbers:
        """How many tables each version had in some rounds."""
        found = numpy.zeros(self.size, dtype=int)
        for chosen in self.rounds[first:end]:
            for each in chosen:
                found[[int(name[3:6]) for name in each.names]] += 1
        return found
