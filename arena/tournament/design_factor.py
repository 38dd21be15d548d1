"""What a match of a tournament's design is worth: as how many independent matches it counts.

Matches that share a deal resemble each other, which makes a mean less sure than as many independent matches would; seat
orders and tables that even things out make it surer. The *design factor* is the variance that the mean would have if
every match had a deal, a table and a seat order of its own, divided by the one it has by its blocks. At 0.5 two
matches are worth one independent match. (It is the inverse of L. Kish's design effect, Survey Sampling, 1965.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from arena.tournament.intervals import LEAST_CLUSTERS, Estimate, t_quantile_975
from arena.tournament.measures import Measure, SeatInMatch
from arena.tournament.records import MatchRecord


@dataclass(slots=True)
class BlockSums:
    """What an entrant got in one block: in how many matches, in all, and the sum of squares."""

    matches: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Count one match."""
        self.matches += 1
        self.total += value
        self.squares += value * value


Blocks = Mapping[int, BlockSums]
"""The sums of one entrant by block."""


def fold_blocks(records: Iterable[MatchRecord], measure: Measure) -> dict[str, dict[int, BlockSums]]:
    """What each entrant got by this measure, by its name and by block; void matches do not count."""
    found: dict[str, dict[int, BlockSums]] = {}
    for record in records:
        if record.void:
            continue
        ranks = tuple([seat.rank for seat in record.seats])
        for number, seat in enumerate(record.seats):
            sums = found.setdefault(seat.entrant, {}).setdefault(record.block, BlockSums())
            sums.add(float(measure.of(SeatInMatch(record, seat, number, ranks))))
    return found


def design_factor(entrants: Iterable[Blocks]) -> Estimate:
    """The design factor of one entrant, or of several together (both variances added up), with its 95 % interval by the
    jackknife over blocks (B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982). No mean where
    nothing varied, no interval below :data:`arena.tournament.intervals.LEAST_CLUSTERS` blocks."""
    each = [dict(blocks) for blocks in entrants]
    numbers = sorted({number for blocks in each for number in blocks})
    whole = _ratio([list(blocks.values()) for blocks in each])
    if whole is None or len(numbers) < LEAST_CLUSTERS:
        return Estimate(whole, None, None, len(numbers))
    without = []
    for left_out in numbers:
        part = _ratio([[sums for number, sums in blocks.items() if number != left_out] for blocks in each])
        if part is None:
            return Estimate(whole, None, None, len(numbers))
        without.append(part)
    mean, size = fsum(without) / len(without), len(without)
    error = sqrt((size - 1) / size * fsum((part - mean) ** 2 for part in without))
    return Estimate.around(whole, t_quantile_975(size - 1) * error, size)


def _ratio(entrants: Sequence[Sequence[BlockSums]]) -> float | None:
    """The variances of the means of independent matches, added up over entrants, divided by those of blocks."""
    variances = [found for blocks in entrants if (found := _variances(blocks)) is not None]
    by_blocks = fsum(clustered for _, clustered in variances)
    return fsum(independent for independent, _ in variances) / by_blocks if by_blocks > 0 else None


def _variances(blocks: Sequence[BlockSums]) -> tuple[float, float] | None:
    """The variance of an entrant's mean, if matches were independent, and by blocks; None with fewer than two."""
    size, matches = len(blocks), sum(sums.matches for sums in blocks)
    if size < 2 or matches < 2:
        return None
    mean = fsum(sums.total for sums in blocks) / matches
    squares = fsum(sums.squares for sums in blocks) - matches * mean**2
    residuals = fsum((sums.total - mean * sums.matches) ** 2 for sums in blocks)
    return squares / (matches - 1) / matches, size / (size - 1) * residuals / matches**2
