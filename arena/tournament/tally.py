"""What is counted of matches while they are folded into standings.

One small sum for each entrant in each block and one for each pair that met, all in whole numbers and
fractions: so the order of the records leaves no trace in the result.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations

from arena.errors import UserError
from arena.tournament.records import MatchRecord, SeatRecord


@cache
def matchpoints(ranks: tuple[int, ...]) -> tuple[Fraction, ...]:
    """What each seat gets for the ``ranks`` of one match, both by seat: the opponents it beat, those of equal rank
    counting half, as a share of all its opponents. So 1 is for beating everybody, 0 for nobody, and the mean over the
    table is 1/2 in every game and at every size of table."""
    opponents = len(ranks) - 1
    return tuple(
        Fraction(2 * sum(own < other for other in ranks) + ranks.count(own) - 1, 2 * opponents) for own in ranks
    )


@dataclass(slots=True)
class Sums:
    """One entrant's results, in one block or in all."""

    matches: int = 0
    wins: Fraction | int = 0
    rank: int = 0
    matchpoints: Fraction | int = 0
    money: int = 0

    def add(self, other: Sums, money: bool = True) -> None:
        """Count ``other`` too, its money only where it is of the same game."""
        self.matches += other.matches
        self.wins += other.wins
        self.rank += other.rank
        self.matchpoints += other.matchpoints
        self.money += other.money if money else 0


@dataclass(slots=True)
class Meeting:
    """Two entrants, seen from the first by name; a better rank gives it 2 ``points``, an equal one 1."""

    matches: int = 0
    points: int = 0
    money: int = 0


@dataclass(slots=True)
class Tally:
    """What has been counted of one edition, or of several; of several ``games`` (by name) all but the money."""

    games: tuple[str, ...] = ()
    matches: int = 0
    seats: int = 0
    voids: int = 0
    blocks: dict[str, dict[int, Sums]] = field(default_factory=dict)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    ended: Counter[tuple[str, str]] = field(default_factory=Counter)
    meetings: dict[tuple[str, str], Meeting] = field(default_factory=dict)

    @property
    def has_money(self) -> bool:
        """Whether money is counted: in one game's unit only."""
        return len(self.games) < 2

    def add(self, record: MatchRecord) -> None:
        """Count one match. Raises UserError where those before were of another game."""
        if self.games != (record.game,):
            if self.games:
                games = " and ".join(sorted({*self.games, record.game}))
                raise UserError(f"the edition {record.edition!r} has matches of several games: {games}")
            self.games = (record.game,)
        if record.void:
            self.voids += 1
            return
        self.matches += 1
        self.seats += len(record.seats)
        ranks = tuple(seat.rank for seat in record.seats)
        sharers = ranks.count(1)
        share: Fraction | int = Fraction(1, sharers) if sharers > 1 else 1
        for seat, points in zip(record.seats, matchpoints(ranks), strict=True):
            wins = share if seat.rank == 1 else 0
            self._sums(seat.entrant, record.block).add(Sums(1, wins, seat.rank, points, seat.money))
            self.ended[seat.entrant, seat.ended] += 1
            if seat.faults:
                self.faults.setdefault(seat.entrant, Counter()).update(seat.faults)
        for pair in combinations(record.seats, 2):
            self._meet(*sorted(pair, key=_entrant))

    def absorb(self, other: Tally) -> None:
        """Count everything of ``other`` too, whose games are among these; blocks of the same number become one."""
        self.matches += other.matches
        self.seats += other.seats
        self.voids += other.voids
        self.ended.update(other.ended)
        for entrant, blocks in other.blocks.items():
            for block, sums in blocks.items():
                self._sums(entrant, block).add(sums, self.has_money)
        for entrant, faults in other.faults.items():
            self.faults.setdefault(entrant, Counter()).update(faults)
        for pair, met in other.meetings.items():
            self._note(pair, met.matches, met.points, met.money if self.has_money else 0)

    def _sums(self, entrant: str, block: int) -> Sums:
        return self.blocks.setdefault(entrant, {}).setdefault(block, Sums())

    def _meet(self, one: SeatRecord, two: SeatRecord) -> None:
        points = 1 + (one.rank < two.rank) - (one.rank > two.rank)
        self._note((one.entrant, two.entrant), 1, points, one.money - two.money)

    def _note(self, pair: tuple[str, str], matches: int, points: int, money: int) -> None:
        met = self.meetings.setdefault(pair, Meeting())
        met.matches += matches
        met.points += points
        met.money += money


def _entrant(seat: SeatRecord) -> str:
    return seat.entrant
