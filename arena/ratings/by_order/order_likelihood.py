"""Likelihoods of orders of finish, added up over rows that are computed together, and their maximum.

A *model* (:mod:`arena.ratings.by_order.neighbours`, :mod:`arena.ratings.by_order.joint_fit`) gives the terms of some
rows: everything else is the same for all models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy

from arena.ratings.by_order.place_scores import FinishOrders
from arena.ratings.clustered import ScoreEntries
from arena.ratings.definite import add_square, cholesky, solve_factored
from arena.ratings.order_columns import Numbers

CHUNK_ROWS = 16384
"""The number of rows computed at a time: few enough for the processor's caches."""
NEWTON_STEPS, STEP_HALVINGS = 60, 40
CLOSE_STEP = 1e-9
"""Newton's method ends when its next step would raise the log-likelihood by less than this."""
NEAR_STEP = 1.0
"""If a step would raise the log-likelihood by less than this, its matrix serves for the next step, too."""
LARGEST_WORTH = 25.0
"""A log-worth beyond this belongs to somebody who never comes behind: the maximum is not finite."""
SAMPLE_ROWS = 30_000
"""With many more rows than this, Newton's method starts from the maximum for a sample of about this many."""


@dataclass(frozen=True, slots=True)
class OrderLayout:
    """The order of the parameters: first those of ``entrants``, then those of ``seats``, then one that is always 0, and
    the log-prevalences of ties, one for each size in ``ties``. ``pinned`` are sets of parameters whose sum is 0."""

    entrants: int
    seats: int
    ties: tuple[int, ...]
    pinned: tuple[tuple[int, ...], ...]

    @property
    def zero_parameter(self) -> int:
        """The index of the parameter that is always 0."""
        return self.entrants + self.seats

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.zero_parameter + 1 + len(self.ties)

    def pin(self, information: Numbers) -> Numbers:
        """The information matrix, to which is added that the pinned sums are 0."""
        made = information.copy()
        for members in self.pinned:
            add_square(made, members, max(1.0, float(numpy.diagonal(information)[list(members)].mean()) / len(members)))
        made[self.zero_parameter, self.zero_parameter] += 1
        return made


@dataclass(frozen=True, slots=True)
class LikelihoodTerms:
    """What a model says of some rows: their log-likelihood (``log``), its derivatives, and minus its second
    derivatives. ``score`` is the derivative by the log-worth of each place (places × rows), ``tie_score`` by each
    log-prevalence (prevalences × rows). ``pairs`` is by each two places, in the order of ``numpy.triu_indices``, and
    ``mixed`` by prevalence and place, both with the rows as their last axis; ``ties`` is by two prevalences, summed
    over rows."""

    log: float
    score: Numbers
    tie_score: Numbers
    pairs: Numbers
    mixed: Numbers
    ties: Numbers


Model = Callable[[FinishOrders, Numbers, Numbers], LikelihoodTerms]
"""A function from rows, the log-worths of their places (places × rows) and the log-prevalences of ties to terms."""


class Likelihood:
    """The log-likelihood of ``rows`` under a ``model``, with parameters as in ``layout``."""

    def __init__(self, rows: Sequence[FinishOrders], layout: OrderLayout, model: Model) -> None:
        self.rows, self.layout, self.model = rows, layout, model

    def sums(self, values: Numbers, information: bool = True) -> tuple[float, Numbers, Numbers]:
        """The log-likelihood at ``values``, its gradient, and the information: minus its second derivatives (zeros
        without ``information``)."""
        size = self.layout.size
        log, score, half = 0.0, numpy.zeros(size), numpy.zeros(size * size)
        for rows in self.rows:
            for at in _slices(0, len(rows.block)):
                worths, terms = self._terms(rows, at, values)
                log += terms.log
                for places, numbers in self._scores(worths, terms):
                    score += numpy.bincount(places.ravel(), numbers.ravel(), minlength=size)
                if information:
                    self._inform(half, worths, terms)
        return log, score, _symmetric_matrix(half, size) if information else half.reshape(size, size)

    def rows_of(self, first: int, end: int) -> int:
        """The number of orders of finish in the blocks from ``first`` up to but without ``end``."""
        return sum(stop - begin for begin, stop in self._here(first, end))

    def entries(self, first: int, end: int, values: Numbers) -> Iterator[ScoreEntries]:
        """The gradient of each of the blocks from ``first`` up to but without ``end``, in parts."""
        for block, worths, terms in self._parts(first, end, values):
            yield from self._entries(block, worths, terms)

    def entries_and_information(self, block: int, values: Numbers) -> tuple[list[ScoreEntries], Numbers]:
        """The gradient of a block, in parts, and its information."""
        half, found = numpy.zeros(self.layout.size**2), list[ScoreEntries]()
        for blocks, worths, terms in self._parts(block, block + 1, values):
            found += self._entries(blocks, worths, terms)
            self._inform(half, worths, terms)
        return found, _symmetric_matrix(half, self.layout.size)

    def sample(self, every: int) -> Likelihood:
        """The likelihood of one in ``every`` of the rows."""
        return Likelihood([each.select_rows(slice(None, None, every)) for each in self.rows], self.layout, self.model)

    def _terms(self, rows: FinishOrders, at: slice, values: Numbers) -> tuple[list[Numbers], LikelihoodTerms]:
        worths = [numpy.ascontiguousarray(column[at].T).astype(numpy.int64) for column in rows.worths]
        log_worths = sum((values[column] for column in worths[1:]), values[worths[0]])
        return worths, self.model(rows, log_worths, values[self.layout.zero_parameter + 1 :])

    def _parts(self, first: int, end: int, values: Numbers) -> Iterator[tuple[Numbers, list[Numbers], LikelihoodTerms]]:
        """The rows of the blocks from ``first`` up to but without ``end``, in parts: the number of each row's block,
        counted from ``first`` on, and what :meth:`_terms` gives."""
        for rows, (begin, stop) in zip(self.rows, self._here(first, end), strict=True):
            for at in _slices(begin, stop):
                yield rows.block[at].astype(numpy.int64) - first, *self._terms(rows, at, values)

    def _here(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """The first row of these blocks and the row after their last, for each of the :attr:`rows`."""
        for rows in self.rows:
            begin, stop = numpy.searchsorted(rows.block, [first, end]).tolist()
            yield begin, stop

    def _entries(self, block: Numbers, worths: Sequence[Numbers], terms: LikelihoodTerms) -> Iterator[ScoreEntries]:
        """The gradient of each of these blocks."""
        for places, numbers in self._scores(worths, terms):
            blocks = numpy.broadcast_to(block, places.shape)
            yield ScoreEntries(blocks.ravel(), places.ravel(), numbers.ravel())

    def _scores(self, worths: Sequence[Numbers], terms: LikelihoodTerms) -> Iterator[tuple[Numbers, Numbers]]:
        """The indices of each row's parameters, and the derivatives by them."""
        for column in worths:
            yield column, terms.score
        for number, score in enumerate(terms.tie_score):
            yield numpy.full(score.shape, self.layout.zero_parameter + 1 + number), score

    def _inform(self, half: Numbers, worths: Sequence[Numbers], terms: LikelihoodTerms) -> None:
        """Add one half of the information to ``half``, the matrix row by row; the other half is its transpose. Visits
        only the places that are not 0, because with many entrants these are few."""
        size, first_tie = self.layout.size, self.layout.zero_parameter + 1
        one, two = upper_places(len(terms.score))
        pairs = (terms.pairs / numpy.where(one == two, 2.0, 1.0)[:, None]).ravel()  # both halves are added later
        for first in worths:
            upper = first[one] * size
            for second in worths:
                numpy.add.at(half, (upper + second[two]).ravel(), pairs)
            for number, mixed in enumerate(terms.mixed):
                numpy.add.at(half, (first * size + (first_tie + number)).ravel(), mixed.ravel())
        half.reshape(size, size)[first_tie:, first_tie:] += terms.ties / 2


@cache
def upper_places(size: int) -> tuple[Numbers, Numbers]:
    """The rows and the columns of the upper triangle of a matrix of this ``size``: ``numpy.triu_indices``, made once,
    because matrices of few places are made as often as there are blocks."""
    one, two = numpy.triu_indices(size)
    one.flags.writeable = two.flags.writeable = False
    return one, two


@cache
def pair_numbers(size: int) -> dict[tuple[int, int], int]:
    """The index of each pair of places, the smaller one first, in :func:`upper_places`."""
    one, two = upper_places(size)
    return {pair: at for at, pair in enumerate(zip(one.tolist(), two.tolist(), strict=True))}


def _symmetric_matrix(half: Numbers, size: int) -> Numbers:
    """The sum of ``half``, as a matrix of ``size`` rows, and its transpose."""
    square = half.reshape(size, size)
    whole: Numbers = square + square.T
    return whole


def _slices(first: int, end: int) -> Iterator[slice]:
    for start in range(first, end, CHUNK_ROWS):
        yield slice(start, min(end, start + CHUNK_ROWS))


@dataclass(frozen=True, slots=True)
class LikelihoodFit:
    """The maximum of a ``likelihood``: the ``values`` of the parameters, and the ``information`` there."""

    likelihood: Likelihood
    values: Numbers
    information: Numbers

    def rows_of(self, first: int, end: int) -> int:
        """Part of :class:`arena.ratings.clustered.EstimateBlocks`: the number of orders of finish in the blocks from
        ``first`` up to but without ``end``."""
        return self.likelihood.rows_of(first, end)

    def entries(self, first: int, end: int) -> Iterator[ScoreEntries]:
        """The gradients of the blocks from ``first`` up to but without ``end``, in parts."""
        return self.likelihood.entries(first, end, self.values)

    def entries_and_information(self, block: int) -> tuple[list[ScoreEntries], Numbers]:
        """The gradient of a block, in parts, and its information."""
        return self.likelihood.entries_and_information(block, self.values)


def maximize_likelihood(likelihood: Likelihood) -> LikelihoodFit | None:
    """The maximum of the likelihood by Newton's method; None where it is not finite, or the parameters cannot be told
    apart."""
    layout = likelihood.layout
    values = numpy.zeros(layout.size)
    values[layout.zero_parameter + 1 :] = -1
    count = sum(len(each.block) for each in likelihood.rows)
    if count > 4 * SAMPLE_ROWS:
        begun = _climb_likelihood(likelihood.sample(count // SAMPLE_ROWS), values)
        values = values if begun is None else begun.values
    return _climb_likelihood(likelihood, values)


def _climb_likelihood(likelihood: Likelihood, values: Numbers) -> LikelihoodFit | None:
    layout = likelihood.layout
    log, score, found = likelihood.sums(values)
    factor = cholesky(layout.pin(found))
    for _ in range(NEWTON_STEPS):
        if factor is None or not numpy.isfinite(log):
            return None
        step = solve_factored(factor, score)
        promised = float(score @ step)
        if promised < CLOSE_STEP:
            values = values + step
            return LikelihoodFit(likelihood, values, likelihood.sums(values)[2])
        fresh = promised > NEAR_STEP
        for _ in range(STEP_HALVINGS):
            tried, better, found = likelihood.sums(values + step, fresh)
            if tried >= log - 1e-9 * abs(log):
                break
            step /= 2
        values, log, score = values + step, tried, better
        if float(numpy.abs(values).max()) > LARGEST_WORTH:
            return None
        if fresh:
            factor = cholesky(layout.pin(found))
    return None
