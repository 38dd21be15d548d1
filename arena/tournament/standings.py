"""Standings as a fold over match records: who won how much, how surely, and against whom.

What is kept while folding is one small tally for each entrant in each block and for each pair that met,
all in whole numbers and fractions: so the order of the records leaves no trace in the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from arena.tournament.intervals import Estimate, clustered_mean
from arena.tournament.records import MatchRecord, SeatRecord
from arena.tournament.schedule import ALL_EDITIONS

STRUCK_OUT, FORFEIT = "struck-out", "forfeit"


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant.

    ``wins`` counts a win shared by n as 1/n; ``win_rate`` is in 0…1, ``mean_rank`` counts from 1, best;
    their intervals are clustered by block. ``faults_by_kind`` is in the order of its keys; ``struck_out`` and
    ``forfeits`` count the matches that the bot left so.
    """

    entrant: str
    matches: int
    wins: float
    win_rate: Estimate
    mean_rank: Estimate
    mean_money: Estimate
    faults: int
    faults_by_kind: Mapping[str, int]
    struck_out: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """How ``entrant`` did in the matches it sat in with ``opponent``: ``score`` is the share of them in which
    it ranked better, an equal rank counting half; ``money_difference`` the mean of its money less the
    opponent's. Both are None when the two never met."""

    entrant: str
    opponent: str
    matches: int
    score: float | None
    money_difference: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings of one edition, or of all together (``edition`` is then ``all``).

    ``matches`` leaves out the ``voids``; ``blocks`` had at least one match that counts. ``even_share`` is the
    win rate of an entrant no better and no worse than the others: 1/seats, averaged over all seats taken if
    tables differ, None before the first match. ``rows`` go by win rate, then mean rank, mean money and name,
    those without matches last. ``crosstable`` has every ordered pair, in the order of the rows.
    """

    edition: str
    matches: int
    voids: int
    blocks: int
    even_share: float | None
    rows: tuple[Row, ...]
    crosstable: tuple[Pairing, ...]


def fold_standings(
    records: Iterable[MatchRecord], names: Iterable[str] = (), editions: Iterable[str] = ()
) -> tuple[Standings, ...]:
    """Standings of each edition and, if there are several, of all together as the last.

    Everybody in ``names`` has a row, played or not, as has whoever played without being named. ``editions``
    gives the order of the result and may hold some without a record; any others follow by label. Over all
    editions the blocks of one number are one cluster, as they share the deal's seed. ``records`` is read
    once; memory grows with blocks and entrants, not with matches.
    """
    tallies = {edition: _Tally() for edition in editions}
    listed = len(tallies)
    for record in records:
        tallies.setdefault(record.edition, _Tally()).add(record)
    labels = [*list(tallies)[:listed], *sorted(list(tallies)[listed:])]
    entrants = set(names).union(*(tally.blocks for tally in tallies.values()))
    standings = [_standings(label, tallies[label], entrants) for label in labels]
    if len(labels) > 1:
        together = _Tally()
        for tally in tallies.values():
            together.absorb(tally)
        standings.append(_standings(ALL_EDITIONS, together, entrants))
    return tuple(standings)


@dataclass(slots=True)
class _Sums:
    """One entrant's results, in one block or in all."""

    matches: int = 0
    wins: Fraction | int = 0
    rank: int = 0
    money: int = 0

    def add(self, other: _Sums) -> None:
        self.matches += other.matches
        self.wins += other.wins
        self.rank += other.rank
        self.money += other.money


@dataclass(slots=True)
class _Meeting:
    """Two entrants, seen from the first by name; a better rank gives it 2 ``points``, an equal one 1."""

    matches: int = 0
    points: int = 0
    money: int = 0


@dataclass(slots=True)
class _Tally:
    """What has been counted of one edition, or of several."""

    matches: int = 0
    seats: int = 0
    voids: int = 0
    blocks: dict[str, dict[int, _Sums]] = field(default_factory=dict)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    ended: Counter[tuple[str, str]] = field(default_factory=Counter)
    meetings: dict[tuple[str, str], _Meeting] = field(default_factory=dict)

    def add(self, record: MatchRecord) -> None:
        if record.void:
            self.voids += 1
            return
        self.matches += 1
        self.seats += len(record.seats)
        sharers = sum(seat.rank == 1 for seat in record.seats)
        share: Fraction | int = Fraction(1, sharers) if sharers > 1 else 1
        for seat in record.seats:
            self._sums(seat.entrant, record.block).add(_Sums(1, share if seat.rank == 1 else 0, seat.rank, seat.money))
            self.ended[seat.entrant, seat.ended] += 1
            if seat.faults:
                self.faults.setdefault(seat.entrant, Counter()).update(seat.faults)
        for pair in combinations(record.seats, 2):
            self._meet(*sorted(pair, key=_entrant))

    def absorb(self, other: _Tally) -> None:
        """Count everything of ``other`` too; blocks of the same number become one."""
        self.matches += other.matches
        self.seats += other.seats
        self.voids += other.voids
        self.ended.update(other.ended)
        for entrant, blocks in other.blocks.items():
            for block, sums in blocks.items():
                self._sums(entrant, block).add(sums)
        for entrant, faults in other.faults.items():
            self.faults.setdefault(entrant, Counter()).update(faults)
        for pair, met in other.meetings.items():
            self._note(pair, met.matches, met.points, met.money)

    def _sums(self, entrant: str, block: int) -> _Sums:
        return self.blocks.setdefault(entrant, {}).setdefault(block, _Sums())

    def _meet(self, one: SeatRecord, two: SeatRecord) -> None:
        points = 1 + (one.rank < two.rank) - (one.rank > two.rank)
        self._note((one.entrant, two.entrant), 1, points, one.money - two.money)

    def _note(self, pair: tuple[str, str], matches: int, points: int, money: int) -> None:
        met = self.meetings.setdefault(pair, _Meeting())
        met.matches += matches
        met.points += points
        met.money += money


def _entrant(seat: SeatRecord) -> str:
    return seat.entrant


def _standings(edition: str, tally: _Tally, entrants: set[str]) -> Standings:
    totals = {entrant: _total(tally.blocks.get(entrant, {}).values()) for entrant in entrants}
    order = sorted(totals, key=lambda entrant: _place(entrant, totals[entrant]))
    return Standings(
        edition=edition,
        matches=tally.matches,
        voids=tally.voids,
        blocks=len({block for blocks in tally.blocks.values() for block in blocks}),
        even_share=tally.matches / tally.seats if tally.seats else None,
        rows=tuple(_row(entrant, totals[entrant], tally) for entrant in order),
        crosstable=tuple(_pairing(x, y, tally) for x in order for y in order if x != y),
    )


def _total(blocks: Iterable[_Sums]) -> _Sums:
    total = _Sums()
    for sums in blocks:
        total.add(sums)
    return total


def _place(entrant: str, total: _Sums) -> tuple[bool, Fraction, Fraction, Fraction, str]:
    """The sort key, exact: a rounded mean could part two that are equal."""
    n = total.matches or 1
    return (
        not total.matches,
        -Fraction(total.wins) / n,
        Fraction(total.rank, n),
        -Fraction(total.money, n),
        entrant,
    )


def _row(entrant: str, total: _Sums, tally: _Tally) -> Row:
    blocks = tally.blocks.get(entrant, {}).values()
    faults = tally.faults.get(entrant, Counter())
    return Row(
        entrant=entrant,
        matches=total.matches,
        wins=float(total.wins),
        win_rate=clustered_mean((float(sums.wins), sums.matches) for sums in blocks),
        mean_rank=clustered_mean((sums.rank, sums.matches) for sums in blocks),
        mean_money=clustered_mean((sums.money, sums.matches) for sums in blocks),
        faults=faults.total(),
        faults_by_kind=dict(sorted(faults.items())),
        struck_out=tally.ended[entrant, STRUCK_OUT],
        forfeits=tally.ended[entrant, FORFEIT],
    )


def _pairing(entrant: str, opponent: str, tally: _Tally) -> Pairing:
    met = tally.meetings.get((min(entrant, opponent), max(entrant, opponent)))
    if met is None:
        return Pairing(entrant, opponent, 0, None, None)
    first = entrant < opponent
    points = met.points if first else 2 * met.matches - met.points
    money = met.money if first else -met.money
    return Pairing(entrant, opponent, met.matches, points / (2 * met.matches), money / met.matches)
