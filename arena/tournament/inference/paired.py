"""Two entrants compared where one sat exactly where the other did: same deal, same seat, same company.

Each match of one entrant has its counterpart among the matches of the other. The luck of the seat is the same for both,
so the difference of a pair says more than two unrelated matches. The pairs of a block may share their deals, so the
mean difference of a block is one observation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import sqrt

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.measures.measures import Number, beaten_shares, shared_wins
from arena.tournament.records.match_record import MatchRecord

INDEPENDENT_PAIRS = 4
"""So many pairs of a deal count as independent of each other; more of them share the deal's luck too much to make its
mean difference vary less."""


class PairedMeasure(StrEnum):
    """The measures by which two entrants can be compared."""

    WINS = "wins"
    """The share of wins."""

    BEATEN = "beaten"
    """The share of opponents beaten."""

    MONEY = "money"
    """Money, in the game's unit."""

    @property
    def share(self) -> bool:
        """Whether the measure is a share, in 0…1."""
        return self is not PairedMeasure.MONEY

    def deal_bound(self, pairs: int) -> float:
        """How far the mean difference of a deal with so many ``pairs`` is taken to lie from 0 at most, for a share. One
        pair may lie as far as 1. The mean of several varies with 1 ÷ √pairs, up to :data:`INDEPENDENT_PAIRS`: the bound
        is three deviations of it where a pair has one of 1/3 (opponents beaten) or 1/2 (wins). It follows from the
        schedule alone, so it is fixed before the first match (how often it is reached: ``arena docs measured``)."""
        deviation = 1 / 2 if self is PairedMeasure.WINS else 1 / 3
        return min(1.0, 3 * deviation / sqrt(min(pairs, INDEPENDENT_PAIRS)))

    def seat_value(self, record: MatchRecord, seat: int) -> Number:
        """The value of this measure for the entrant in ``seat`` of this match."""
        if self is PairedMeasure.MONEY:
            return record.seats[seat].money
        ranks = tuple([each.rank for each in record.seats])
        return (shared_wins if self is PairedMeasure.WINS else beaten_shares)(ranks)[seat]


PairedPlace = tuple[str, int, str, tuple[str, ...]]
"""Where an entrant sat: edition, block, seed, and the names by seat with its own left empty."""


@dataclass(frozen=True, slots=True)
class PairedBlock:
    """The pairs of one block, over all editions: how many ``pairs`` count, how many are ``void`` because one of their
    matches is, and the sums of each measure for the two entrants, ``new`` and ``old``."""

    block: int
    pairs: int
    void: int
    new: dict[PairedMeasure, Number]
    old: dict[PairedMeasure, Number]

    def difference(self, measure: PairedMeasure, bound: float) -> float:
        """The mean difference of the block's pairs, new less old, cut off at ±``bound``. A test needs a bound that is
        fixed before the first match; without one a single deal could outweigh all others."""
        if self.is_cut(measure, bound):
            return bound if self.new[measure] > self.old[measure] else -bound
        return float(Fraction(self.new[measure] - self.old[measure]) / self.pairs)

    def is_cut(self, measure: PairedMeasure, bound: float) -> bool:
        """Whether the mean difference lies beyond ±``bound``."""
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
        """Matches of either entrant without a counterpart, in the blocks that :meth:`take` has returned."""
        self._blocks: dict[int, _Block] = {}

    def add(self, record: MatchRecord) -> None:
        """Add a match; a match with neither or both of the entrants is ignored."""
        names = [seat.entrant for seat in record.seats]
        if (self.new in names) == (self.old in names):
            return
        block = self._blocks.setdefault(record.block, _Block())
        side, own = (block.new, self.new) if self.new in names else (block.old, self.old)
        others = tuple("" if name == own else name for name in names)
        side[record.edition, record.block, record.seed, others] = record

    def blocks(self) -> list[PairedBlock]:
        """Take all blocks that have pairs, in order."""
        return [block for number in sorted(self._blocks) if (block := self.take(number)) is not None]

    def take(self, number: int) -> PairedBlock | None:
        """Return the pairs of one block and forget them; None if no pair of the block counts."""
        block = self._blocks.pop(number, _Block())
        both = sorted(block.new.keys() & block.old.keys())
        self.alone += len(block.new) + len(block.old) - 2 * len(both)
        counting = [place for place in both if not (block.new[place].void or block.old[place].void)]
        if not counting:
            return None
        new, old = (_measure_sums(side, counting) for side in (block.new, block.old))
        return PairedBlock(number, len(counting), len(both) - len(counting), new, old)


def _measure_sums(side: dict[PairedPlace, MatchRecord], places: Iterable[PairedPlace]) -> dict[PairedMeasure, Number]:
    """An entrant's sum of each measure over its matches in these places."""
    found = [(side[place], place[3].index("")) for place in places]
    return {measure: sum(measure.seat_value(record, seat) for record, seat in found) for measure in PairedMeasure}


@dataclass(frozen=True, slots=True)
class PairedFigures:
    """One measure over some blocks: the means of the new and the old entrant and of their difference, in the measure's
    unit, with 95 % intervals clustered by block."""

    new: Estimate
    old: Estimate
    difference: Estimate


def paired_figures(blocks: Iterable[PairedBlock], measure: PairedMeasure) -> PairedFigures:
    """The figures of this measure over these blocks, without a bound on differences."""
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
