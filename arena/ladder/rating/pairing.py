"""Which tables a ladder plays next: those of new versions, those that tell most, and some for everybody.

A round is chosen from what was played before it and from nothing else. Its tables are of three kinds, in this order:

1. *New versions*, until each has played as many tables as make it an ordinary one.
2. *Open pairs* (:mod:`arena.ladder.rating.settled_pairs`): the tables of which most is expected
   (:mod:`arena.ladder.rating.promise`), all pairs of a table taken together. Nobody plays more than
   :data:`MOST_OPEN_TABLES` times as many of these as the mean of a round.
3. *Everybody*: whoever has played least in this round, with those whom it has met seldom. So everybody has, in tables
   of any kind, at least the same part of :data:`EVEN_SHARE` of a round's seats: one table in a round of as many tables
   as there are players, at tables of four. At least half as many tables are of this kind, and all that the first two
   kinds leave.

Equal ones are told apart by lot: a hash of the seed, the number of the table and the name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from math import ceil

import numpy

from arena.errors import UserError
from arena.ladder.rating.promise import Promise
from arena.ratings.order_columns import Numbers
from arena.ratings.scale import RatingScale

EVEN_SHARE = 0.25
"""The share of a round's seats that is distributed evenly, whatever the results."""
MOST_OPEN_TABLES = 4
"""The most tables of open pairs for one player in a round, in multiples of the mean tables per player."""
EQUAL_PROMISES = 1e-9
"""Promises that differ by less than this fraction of the highest count as equal."""


@dataclass(frozen=True, slots=True)
class PairingPlayer:
    """A version that may play: its ``name``, its ``team`` ("": none), and how many ``tables`` it has played this
    season."""

    name: str
    team: str
    tables: int


@dataclass(frozen=True, slots=True)
class PairingRules:
    """When a version is no longer new (after ``newcomer_tables`` tables), and when two are as good as equal: if the
    share of matches in which one finishes above the other is within ``indifference`` of one half."""

    newcomer_tables: int
    indifference: float


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """A table: the ``names`` of its players, in an order that is drawn by lot, and ``why`` they play, in a sentence."""

    names: tuple[str, ...]
    why: str


def choose_tables(
    players: Sequence[PairingPlayer],
    met: Mapping[tuple[str, str], int],
    scales: Sequence[RatingScale],
    seats: int,
    count: int,
    wanted: PairingRules,
    seed: str,
) -> list[ChosenTable]:
    """Return the ``count`` tables of the next round, with ``seats`` players each, in the order in which to play them.

    ``met`` says how many tables each sorted pair of names has shared this season (pairs with none are left out);
    ``scales`` are those of the season's log-worths so far, without unrated players. The order in which players, pairs
    and scales are given changes nothing. Raises UserError where no table can be filled."""
    ordered = sorted(players, key=lambda player: player.name)
    check_enough_players(ordered, seats)
    choice = _Choice(ordered, met, scales, (seats, count), wanted, seed)
    choice.new_versions()
    choice.open_pairs()
    choice.fill_tables()
    return choice.chosen


def check_enough_players(players: Sequence[PairingPlayer], seats: int) -> None:
    """Raise UserError where these players, sorted by name, fill no table."""
    names = [player.name for player in players]
    twice = sorted({one for one, two in pairwise(names) if one == two})
    if twice:
        raise UserError(f"expected every version once, got {twice[0]} twice among those that play")
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    if len(names) < seats:
        raise UserError(
            f"a table of {seats} needs {seats} versions that may play, but there are {len(names)}"
            f"{f' ({shown})' if names else ''}: submit or enable {seats - len(names)} more"
        )
    teams = {player.team for player in players if player.team}
    sides = len(teams) + sum(not player.team for player in players)
    if sides < seats:
        raise UserError(
            f"a table of {seats} needs versions of {seats} teams, because no two of a team sit together, but the "
            f"{len(names)} that may play are of {sides} ({shown}): submit or enable bots of {seats - sides} more teams"
        )


class _Choice:
    """The tables of a round while they are chosen. A player's number is its index among the sorted names."""

    def __init__(
        self,
        players: Sequence[PairingPlayer],
        met: Mapping[tuple[str, str], int],
        scales: Sequence[RatingScale],
        size: tuple[int, int],
        wanted: PairingRules,
        seed: str,
    ) -> None:
        """``size`` is the number of seats at a table, and the number of tables."""
        seats, count = size
        self.chosen: list[ChosenTable] = []
        self._names = [player.name for player in players]
        self._seats, self._count, self._seed, self._wanted = seats, count, seed, wanted
        self._tables = numpy.array([player.tables for player in players], dtype=numpy.int64)
        self._now = numpy.zeros(len(players), dtype=numpy.int64)
        self._met = _meeting_matrix(self._names, met)
        teams = [player.team or f"\n{number}" for number, player in enumerate(players)]
        self._team = numpy.unique(teams, return_inverse=True)[1]
        self._together = self._team[:, None] != self._team[None, :]
        whole, more = divmod(int(count * seats * EVEN_SHARE), len(players))
        self._share = whole + (self._lots("share") < more)
        new = self._tables < wanted.newcomer_tables
        self._promise = Promise(self._names, new, scales, wanted.indifference, seats)

    def new_versions(self) -> None:
        """Choose tables for new versions, with as few of them at a table as the number of tables permits."""
        while self._left() > 0:
            missing = numpy.minimum(self._wanted.newcomer_tables - self._tables, self._left())
            new = missing > 0
            if not new.any():
                return
            at_once = min(self._seats, ceil(int(missing[new].sum()) / self._left()))
            lot = self._lot()
            first = _best_index(-self._tables.astype(float), new, lot)
            why = f"{self._names[first]} is new (table {self._tables[first] + 1} of its first "
            self._seat(self._newcomers(first, new, at_once, lot), f"{why}{self._wanted.newcomer_tables})")

    def open_pairs(self) -> None:
        """Choose tables for pairs that are not told apart, the most promising first."""
        most = max(1, MOST_OPEN_TABLES * self._count * self._seats // len(self._names))
        begun = self._now.copy()
        while self._left() > 0:
            free = self._now - begun < most
            pairs = self._promise.open & self._together & free[:, None] & free[None, :]
            if not pairs.any():
                return
            lot, value = self._lot(), self._value()
            first = divmod(_best_index(value.ravel(), pairs.ravel(), numpy.add.outer(lot, lot).ravel()), len(lot))
            table = list(first)
            while len(table) < self._seats:
                allowed = self._beside(table)
                preferred = allowed & free
                chosen = preferred if preferred.any() else allowed
                table.append(_best_index(value[table].sum(axis=0), chosen, lot))
            self._seat(table, self._not_told_apart(table, first))

    def fill_tables(self) -> None:
        """Fill the remaining tables: those who have played least in this round, with those whom they have met least."""
        while len(self.chosen) < self._count:
            lot = self._lot()
            table: list[int] = []
            while len(table) < self._seats:
                allowed = self._beside(table)
                fewest = allowed & (self._now == self._now[allowed].min())
                table.append(_best_index(-self._familiar(table).sum(axis=0), fewest, lot))
            self._seat(table, "everybody plays on")

    def _newcomers(self, first: int, new: Numbers, at_once: int, lot: Numbers) -> list[int]:
        """Return a table with up to ``at_once`` new versions; the other seats go to the most promising players."""
        table = [first]
        value = self._value()
        while len(table) < self._seats:
            allowed = self._beside(table)
            if len(table) < at_once and (allowed & new).any():
                others = allowed & new
                fewest = others & (self._tables == self._tables[others].min())
                table.append(_best_index(-self._familiar(table).sum(axis=0), fewest, lot))
            else:
                others = allowed & ~new
                table.append(_best_index(value[table].sum(axis=0), others if others.any() else allowed, lot))
        return table

    def _left(self) -> int:
        """Return how many tables may still be chosen by promise: all except those that everybody's share needs."""
        missing = numpy.maximum(self._share - self._now, 0)
        of_teams = numpy.bincount(self._team, missing)
        needed = max(ceil(int(missing.sum()) / self._seats), int(of_teams.max()), ceil(self._count * EVEN_SHARE / 2))
        return self._count - len(self.chosen) - needed

    def _value(self) -> Numbers:
        """Return the value of each pair at a table: its promise, increased somewhat if they have met seldom."""
        found: Numbers = self._promise.of_pairs() / numpy.sqrt(numpy.sqrt(self._familiar(range(len(self._names)))))
        return found

    def _familiar(self, of: Sequence[int]) -> Numbers:
        """Return how often these players (rows) have met each player, relative to chance (one is added to both
        numbers)."""
        rows = numpy.array(of, dtype=int)
        by_lot = (self._seats - 1) / max(1, int(self._tables.sum()))
        found: Numbers = (self._met[rows] + 1) / (self._tables[rows, None] * (self._tables * by_lot) + 1)
        return found

    def _beside(self, table: Sequence[int]) -> Numbers:
        """Return which players may sit at a table with these."""
        allowed: Numbers = self._together[list(table)].all(axis=0)
        return allowed

    def _lot(self) -> Numbers:
        """Return the lots for the next table; among equal players the lowest lot is chosen."""
        return self._lots(str(len(self.chosen)))

    def _lots(self, what: str) -> Numbers:
        drawn = [self._draw(what, name) for name in self._names]
        lots = numpy.empty(len(drawn), dtype=numpy.int64)
        lots[sorted(range(len(drawn)), key=drawn.__getitem__)] = numpy.arange(len(drawn))
        return lots

    def _draw(self, what: str, name: str) -> bytes:
        return sha256(f"{self._seed}/{what}/{name}".encode()).digest()

    def _seat(self, table: Sequence[int], why: str) -> None:
        names = sorted((self._names[at] for at in table), key=lambda name: self._draw(f"{len(self.chosen)}/seat", name))
        self.chosen.append(ChosenTable(tuple(names), why))
        if self._left() > 0:
            self._promise.seat(table)
        here = numpy.array(table)
        self._tables[here] += 1
        self._now[here] += 1
        self._met[numpy.ix_(here, here)] += 1

    def _not_told_apart(self, table: Sequence[int], first: tuple[int, int]) -> str:
        one, two = sorted(self._names[at] for at in first)
        more = int(self._promise.open[numpy.ix_(table, table)].sum()) // 2 - 1
        others = "" if not more else f", nor {more} other pair{'s' if more > 1 else ''} of the table"
        return f"{one} and {two} do not yet differ significantly{others}"


def _meeting_matrix(names: Sequence[str], met: Mapping[tuple[str, str], int]) -> Numbers:
    """Return as a square matrix how often each two of these have met."""
    place = {name: at for at, name in enumerate(names)}
    found = numpy.zeros((len(names), len(names)), dtype=numpy.int64)
    for (one, two), tables in met.items():
        if one in place and two in place:
            found[place[one], place[two]] = found[place[two], place[one]] = tables
    return found


def _best_index(value: Numbers, allowed: Numbers, lot: Numbers) -> int:
    """Return the index of the highest allowed value; among equal ones, that of the lowest lot."""
    among = numpy.flatnonzero(allowed)
    values = value[among]
    top = float(values.max())
    equal = among[values >= top - EQUAL_PROMISES * abs(top)]
    return int(equal[numpy.argmin(lot[equal])])
