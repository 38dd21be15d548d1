"""How a figure of an entrant differs from the mean of the same figure of all others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from arena.ledger.book import LedgerBook
from arena.ledger.figure import SEAT_CASES, FigureTable, LedgerFigure
from arena.ledger.figure_rows import BlockRows, by_keys
from arena.tournament.inference.intervals import EQUAL_MEANS, Estimate, shown_degrees
from arena.tournament.inference.student_t import t_above, t_quantile_975

LEAST_BLOCKS = 5
"""Blocks in which an entrant must have cases to be compared: fewer show too little of how much blocks differ."""

LEAST_CASES = 30
"""Cases that an entrant must have to be compared."""
LEAST_EITHER = 10.0
"""The least n * p * (1-p) with which a share is compared, where p is the share of the others and n the entrant's cases.
With less, it may be chance that an entrant has no such cases at all."""

Floats = NDArray[numpy.float64]


Told = tuple[Estimate, float, float]


class EntrantDifference(NamedTuple):
    """How an ``entrant`` differs in a ``figure``, in the figure's unit: its ``own`` value, the mean of those of all
    ``others`` (each counts once), and the ``estimate`` of own less others.

    ``keys`` are the values of the table's other keys. ``t`` is the difference in standard errors, ``chance`` the
    probability that an entrant that does not differ would show one as large, to either side (Student's t).
    """

    entrant: str
    keys: tuple[str | int, ...]
    figure: LedgerFigure
    own: float
    others: float
    estimate: Estimate
    t: float
    chance: float


class QuotientComparison(NamedTuple):
    """For each entrant its ``own`` quotient, the mean of the ``others``', and how each block moves their difference:
    the linear part of its deviation (``influence``, entrants × blocks), which adds up to 0."""

    own: Floats
    others: Floats
    influence: Floats


def compare_quotients(totals: Floats, counts: Floats) -> QuotientComparison:
    """Compare quotients Σ totals ÷ Σ counts of entrants (rows) over the same blocks (columns); every entrant must have
    counts, and there must be two entrants.

    By the delta method a block moves a quotient R = T/N by (t - R*n)/N. The influence on a difference is therefore that
    of the own quotient less the mean of those of the others, block by block: so what blocks do to all alike cancels.
    """
    size = len(totals) - 1
    n = counts.sum(axis=1)
    own = totals.sum(axis=1) / n
    moved = (totals - own[:, None] * counts) / n[:, None]
    others = (own.sum() - own) / size
    return QuotientComparison(own, others, moved - (moved.sum(axis=0) - moved) / size)


def estimate_differences(totals: Floats, counts: Floats) -> Iterator[tuple[float, float, Told | None]]:
    """For each entrant its own quotient, the mean of the others', and the estimate of the difference with its t and its
    chance (None if blocks are too few or all alike); see :func:`compare_quotients`."""
    found = compare_quotients(totals, counts)
    for own, others, influence in zip(found.own.tolist(), found.others.tolist(), found.influence.tolist(), strict=True):
        yield own, others, _difference_estimate(own - others, influence)


def entrant_differences(
    book: LedgerBook, table: FigureTable, by: Sequence[str], figures: Sequence[LedgerFigure]
) -> Iterator[EntrantDifference]:
    """The differences of all entrants in these figures of a ``table`` that has a key `entrant`. ``by`` are the other
    keys to keep apart, from the table's own and `edition`; all keys not in ``by`` are added up."""
    places = {name: place for place, name in enumerate(table.sums.__struct_fields__)}
    groups: dict[tuple[str | int, ...], dict[str, BlockRows]] = {}
    for (entrant, *rest), group in by_keys(book.tables[table.name], table.keys, ("entrant", *by)).items():
        groups.setdefault(tuple(rest), {})[str(entrant)] = group
    seated = [name for name in by if name == "edition"]
    played = by_keys(book.seats, ("entrant",), ("entrant", *seated))
    for keys in sorted(groups, key=lambda each: tuple(map(str, each))):
        named = dict(zip(by, keys, strict=True))
        seats = {name: played[(name, *(named[each] for each in seated))] for name in groups[keys]}
        for figure in figures:
            yield from _of_figure(keys, figure, groups[keys], seats, places)


def _of_figure(
    keys: tuple[str | int, ...],
    figure: LedgerFigure,
    groups: Mapping[str, BlockRows],
    seats: Mapping[str, BlockRows],
    places: Mapping[str, int],
) -> Iterator[EntrantDifference]:
    blocks = sorted({block for each in (*groups.values(), *seats.values()) for block in each.blocks})
    at = {block: place for place, block in enumerate(blocks)}
    totals = {name: _block_sums(group, places[figure.total], at) / figure.scale for name, group in groups.items()}
    if figure.cases == SEAT_CASES:
        counts = {name: _block_sums(seats[name], 0, at) for name in groups}
    else:
        counts = {name: _block_sums(group, places[figure.divisor], at) for name, group in groups.items()}
    names = sorted(name for name in groups if counts[name].any())
    if len(names) < 2:
        return
    matrices = (numpy.array([of[name] for name in names]) for of in (totals, counts))
    for name, (own, others, told) in zip(names, estimate_differences(*matrices), strict=True):
        if told is not None and _has_enough(figure, counts[name], others):
            yield EntrantDifference(name, keys, figure, own, others, *told)


def _has_enough(figure: LedgerFigure, counts: Floats, others: float) -> bool:
    """Whether an entrant with these numbers of cases by block has enough to be compared."""
    n = float(counts.sum())
    if numpy.count_nonzero(counts) < LEAST_BLOCKS or n < LEAST_CASES:
        return False
    return not figure.yes_or_no or n * others * (1 - others) >= LEAST_EITHER


def _block_sums(group: BlockRows, column: int, at: Mapping[int, int]) -> Floats:
    """One column of the sums, block by block; 0 for blocks that the group does not have."""
    found: Floats = numpy.zeros(len(at))
    found[[at[block] for block in group.blocks]] = numpy.array(group.values[:, column], dtype=numpy.float64)
    return found


def _difference_estimate(difference: float, influence: Sequence[float]) -> Told | None:
    """The estimate of a difference, its t and its chance; None if all blocks are alike or there are too few.

    The variance is G/(G-1) * Σ influence² over G blocks; its degrees of freedom are G-1, or as many as the kurtosis of
    the influences shows (:func:`arena.tournament.inference.intervals.shown_degrees`), if that is fewer.
    """
    size = len(influence)
    if size < LEAST_BLOCKS:
        return None
    squares = [each * each for each in influence]
    variance = fsum(squares) * size / (size - 1)
    error = sqrt(variance)
    if error <= EQUAL_MEANS * max(1.0, abs(difference)):
        return None
    df = min(size - 1.0, shown_degrees(squares) or size - 1.0)
    t = difference / error
    estimate = Estimate.from_half_width(difference, t_quantile_975(df) * error, size)
    return estimate, t, min(2 * t_above(abs(t), df), 1.0)
