"""Two entrants compared where one sat exactly where the other did: same deal, same seat, same company.

Each match of the one has its counterpart among those of the other. What luck gave to the seat, it gave to both; so the
difference of a pair says more than two matches apart. All pairs of a block may share their deals: its mean difference
is one observation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.measures.measures import Number, beaten_shares, shared_wins
from arena.tournament.records.match_record import MatchRecord


class PairedMeasure(StrEnum):
    """What may be compared of two entrants."""

    WINS = "wins"
    """The share of wins."""

    BEATEN = "beaten"
    """The share of opponents beaten."""

    MONEY = "money"
    """Money, in the game's unit."""

    @property
    def share(self) -> bool:
        """Whether it is a share, in 0…1."""
        return self is not PairedMeasure.MONEY

    def of(self, record: MatchRecord, seat: int) -> Number:
        """What the entrant in ``seat`` had of it in this match."""
        if self is PairedMeasure.MONEY:
            return record.seats[seat].money
        ranks = tuple([each.rank for each in record.seats])
        return (shared_wins if self is PairedMeasure.WINS else beaten_shares)(ranks)[seat]


PairedPlace = tuple[str, int, str, tuple[str, ...]]
"""Where an entrant sat: edition, block, seed, and the names by seat with its own left empty."""


@dataclass(frozen=True, slots=True)
class PairedBlock:
    """What one block shows, over all editions: how many ``pairs`` of matches count, how many are ``void`` because one
    of the two is, and by measure both entrants' sums."""

    block: int
    pairs: int
    void: int
    new: dict[PairedMeasure, Number]
    old: dict[PairedMeasure, Number]

    def difference(self, measure: PairedMeasure, bound: float) -> float:
        """The mean difference of its pairs, new less old, cut at the ``bound`` either way: a test needs one that is
        settled before the first match, and without it a single deal could outweigh all others."""
        if self.is_cut(measure, bound):
            return bound if self.new[measure] > self.old[measure] else -bound
        return float(Fraction(self.new[measure] - self.old[measure]) / self.pairs)

    def is_cut(self, measure: PairedMeasure, bound: float) -> bool:
        """Whether the difference was larger than that."""
        return abs(Fraction(self.new[measure] - self.old[measure])) > Fraction(bound) * self.pairs


@dataclass(slots=True)
class _Block:
    new: dict[PairedPlace, MatchRecord] = field(default_factory=dict)
    old: dict[PairedPlace, MatchRecord] = field(default_factory=dict)


class PairFinder:
    """Finds the pairs in matches that come in any order. Matches without a counterpart do not count."""

    def __init__(self, new: str, old: str) -> None:
        self.new, self.old = new, old
        self.alone = 0
        """Matches of the two in blocks that were taken, without a counterpart."""
        self._blocks: dict[int, _Block] = {}

    def add(self, record: MatchRecord) -> None:
        """Take in a match; one of neither or of both changes nothing."""
        names = [seat.entrant for seat in record.seats]
        if (self.new in names) == (self.old in names):
            return
        block = self._blocks.setdefault(record.block, _Block())
        side, own = (block.new, self.new) if self.new in names else (block.old, self.old)
        others = tuple("" if name == own else name for name in names)
        side[record.edition, record.block, record.seed, others] = record

    def blocks(self) -> list[PairedBlock]:
        """All blocks that have pairs, in their order."""
        return [block for number in sorted(self._blocks) if (block := self.take(number)) is not None]

    def take(self, number: int) -> PairedBlock | None:
        """What one block shows, which is forgotten; None where no pair of it counts."""
        block = self._blocks.pop(number, _Block())
        both = sorted(block.new.keys() & block.old.keys())
        self.alone += len(block.new) + len(block.old) - 2 * len(both)
        counting = [place for place in both if not (block.new[place].void or block.old[place].void)]
        if not counting:
            return None
        new, old = (_measure_sums(side, counting) for side in (block.new, block.old))
        return PairedBlock(number, len(counting), len(both) - len(counting), new, old)


def _measure_sums(side: dict[PairedPlace, MatchRecord], places: Iterable[PairedPlace]) -> dict[PairedMeasure, Number]:
    """What an entrant had in these places, by measure."""
    found = [(side[place], place[3].index("")) for place in places]
    return {measure: sum(measure.of(record, seat) for record, seat in found) for measure in PairedMeasure}


@dataclass(frozen=True, slots=True)
class PairedFigures:
    """One measure in some blocks: the mean of both, and of their difference, in the measure's unit, with 95 % intervals
    clustered by block."""

    new: Estimate
    old: Estimate
    difference: Estimate


def paired_figures(blocks: Iterable[PairedBlock], measure: PairedMeasure) -> PairedFigures:
    """The measure over these blocks, nothing cut."""
    every = list(blocks)
    new, old = ([(float(side(each)[measure]), each.pairs) for each in every] for side in (_new_sums, _old_sums))
    difference = [(float(each.new[measure] - each.old[measure]), each.pairs) for each in every]
    share, step = measure.share, float(measure is PairedMeasure.WINS)
    found_new, found_old = (clustered_mean(side, share, step=step) for side in (new, old))
    return PairedFigures(found_new, found_old, clustered_mean(difference))


def _new_sums(block: PairedBlock) -> dict[PairedMeasure, Number]:
    return block.new


def _old_sums(block: PairedBlock) -> dict[PairedMeasure, Number]:
    return block.old
