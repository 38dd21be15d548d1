"""By how much the correction has made means surer: the variance before, divided by the variance after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.inference.student_t import t_quantile_975

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class GainBlocks(NamedTuple):
    """What one entrant got by block: sums ``before`` and ``after`` the correction, and numbers of ``matches``, in the
    same order of blocks for all entrants (0 matches in a block in which it did not play)."""

    before: Sequence[float]
    after: Sequence[float]
    matches: Sequence[int]


def variance_gain(entrants: Iterable[GainBlocks]) -> Estimate:
    """The gain of a correction: the sum of the variances of all entrants' means by blocks before it, divided by that
    after it.

    At 2, the corrected means are as sure as the raw ones would be with twice as many blocks; below 1 the correction
    makes them less sure. The interval is that of the ratio's logarithm, by the jackknife over blocks (B. Efron, The
    Jackknife, the Bootstrap and Other Resampling Plans, 1982). No mean where nothing varied, no interval with fewer
    than :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS` blocks.
    """
    import numpy  # slow to load

    every = [_block_arrays(each) for each in entrants]
    played = sum((matches for _, _, matches in every), numpy.zeros(1)) > 0
    size = int(played.sum())
    if size < 2:
        return Estimate(None, None, None, size)
    every = [(before[played], after[played], matches[played]) for before, after, matches in every]
    before = numpy.sum([_variances(sums, matches) for sums, _, matches in every], axis=0)
    after = numpy.sum([_variances(sums, matches) for _, sums, matches in every], axis=0)
    ratio, *without = _variance_ratios(before, after)
    if ratio is None:
        return Estimate(None, None, None, size)
    logs = [log(each) for each in without if each is not None]
    if size < LEAST_CLUSTERS or len(logs) < size:
        return Estimate(ratio, None, None, size)
    mean = sum(logs) / size
    reach = t_quantile_975(size - 1) * sqrt((size - 1) / size * sum((each - mean) ** 2 for each in logs))
    return Estimate(ratio, ratio * exp(-reach), ratio * exp(reach), size)


def _block_arrays(blocks: GainBlocks) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64]]:
    import numpy

    before, after, matches = (numpy.array(each, dtype=numpy.float64) for each in blocks)
    return before, after, matches


def _variances(sums: NDArray[numpy.float64], matches: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The variance of an entrant's mean by blocks: first with all blocks, then without each of them. Computed as in
    :func:`arena.tournament.inference.intervals.clustered_mean`, from the sums that are left without a block."""
    import numpy

    sums = sums - matches * (sums.sum() / matches.sum())  # smaller numbers lose less
    played = matches > 0

    def left(numbers: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
        return numpy.concatenate([[numbers.sum()], numbers.sum() - numbers])

    count, total, number = left(played.astype(numpy.float64)), left(sums), left(matches)
    squares, products, weights = left(sums * sums), left(sums * matches), left(matches * matches)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        mean = total / number
        residuals = squares - 2 * mean * products + mean * mean * weights
        variance = count / (count - 1) * residuals / number**2
    return numpy.where(count > 1, numpy.maximum(variance, 0), 0.0)


def _variance_ratios(before: NDArray[numpy.float64], after: NDArray[numpy.float64]) -> list[float | None]:
    return [
        one / two if one > 0 and two > 0 else None for one, two in zip(before.tolist(), after.tolist(), strict=True)
    ]
