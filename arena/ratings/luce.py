"""The likelihood of orders of finish by the Plackett–Luce model with Davidson's ties, and its maximum.

Of the seats that are still there, the set S comes first with a probability that is proportional to

    exp(mean of the log-worths in S + log-prevalence of ties of |S|),

where a single seat has the log-prevalence 0 (H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, Modelling rankings in
R: the PlackettLuce package, Computational Statistics 35, 2020; for pairs R. R. Davidson, JASA 65, 1970). Every choice is
a multinomial logit, so the log-likelihood is concave, and Newton's method finds its maximum. Ties of a size that never
occurred have the prevalence 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from arena.ratings.choices import Choices
from arena.ratings.clustered import Sums
from arena.ratings.columns import Numbers

ROWS = 16384
"""Choices that are computed together: their numbers stay in the processor's caches."""
STEPS, HALVINGS = 60, 40
CLOSE = 1e-9
"""Newton's method ends when a step promises less than this of the log-likelihood: another would change nothing."""
NEAR = 1.0
"""Below this the matrix of the step before serves again."""
LARGEST = 25.0
"""Log-worths beyond this are those of somebody who never comes behind: the maximum is not finite."""
SAMPLE = 60_000
"""With more choices Newton's method starts from the maximum for one in some of them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Which parameter stands where: first those of ``entrants``, then those of ``seats``, then one that is always 0, and
    the log-prevalences of ties of the sizes ``ties``. ``pinned`` are sets of parameters whose sum is 0."""

    entrants: int
    seats: int
    ties: tuple[int, ...]
    pinned: tuple[tuple[int, ...], ...]

    @property
    def nothing(self) -> int:
        """The number of the parameter that is always 0."""
        return self.entrants + self.seats

    @property
    def size(self) -> int:
        """How many there are."""
        return self.nothing + 1 + len(self.ties)

    def pin(self, information: Numbers) -> Numbers:
        """The information on the parameters, with that of their sums, which are known."""
        made = information.copy()
        for members in self.pinned:
            rows = numpy.array(members)
            made[rows[:, None], rows] += max(1.0, float(information[rows, rows].mean()) / len(rows))
        made[self.nothing, self.nothing] += 1
        return made


@dataclass(frozen=True, slots=True)
class Fit:
    """The maximum: ``values`` of the parameters, and the ``information`` there."""

    values: Numbers
    information: Numbers


class Subsets:
    """The sets that may come first of ``size`` seats: ``shares`` has for each its members' shares 1/|S|, ``ties`` whether
    it is of each of the sizes."""

    def __init__(self, size: int, ties: Sequence[int]) -> None:
        sets = [each for count in (1, *ties) if count <= size for each in combinations(range(size), count)]
        self.shares = numpy.zeros((len(sets), size))
        self.ties = numpy.zeros((len(sets), len(ties)))
        for at, members in enumerate(sets):
            self.shares[at, members] = 1 / len(members)
            if len(members) > 1:
                self.ties[at, ties.index(len(members))] = 1
        self.one, self.two = numpy.triu_indices(size)
        self.products = self.shares[:, self.one] * self.shares[:, self.two]
        self.mixed = (self.shares[:, :, None] * self.ties[:, None, :]).reshape(len(sets), -1)


class Likelihood:
    """The log-likelihood of ``choices``, whose parameters stand as in ``layout``."""

    def __init__(self, choices: Sequence[Choices], layout: Layout) -> None:
        self.choices, self.layout = choices, layout
        self._subsets = {size: Subsets(size, layout.ties) for size in {each.size for each in choices}}

    def sums(self, values: Numbers, information: bool = True) -> tuple[float, Numbers, Numbers]:
        """The log-likelihood at ``values``, its gradient, and the information: minus its second derivatives (zeros
        where these are not wanted)."""
        log, score = 0.0, numpy.zeros(self.layout.size)
        found = numpy.zeros((self.layout.size, self.layout.size))
        for choices in self.choices:
            for start in range(0, len(choices.block), ROWS):
                part = _Part(choices, slice(start, start + ROWS), values, self)
                log += part.log
                score += part.scores(numpy.zeros(part.rows, dtype=numpy.int64), 1)[0]
                if information:
                    part.inform(found)
        return log, score, found

    def by_block(self, values: Numbers, first: int, end: int, information: bool) -> Sums:
        """The gradient by block, and with ``information`` that of all these blocks together: of those from ``first`` up
        to ``end``, which is left out."""
        scores = numpy.zeros((end - first, self.layout.size))
        found = numpy.zeros((self.layout.size, self.layout.size)) if information else None
        for choices in self.choices:
            begin, stop = numpy.searchsorted(choices.block, [first, end]).tolist()
            for start in range(begin, stop, ROWS):
                part = _Part(choices, slice(start, min(stop, start + ROWS)), values, self)
                scores += part.scores(choices.block[part.at] - first, end - first)
                if found is not None:
                    part.inform(found)
        return Sums(scores, found)

    def sample(self, every: int) -> Likelihood:
        """That of one in ``every`` of the choices."""
        return Likelihood(
            [
                Choices(each.size, each.tied, tuple(column[::every] for column in each.worths), each.block[::every])
                for each in self.choices
            ],
            self.layout,
        )

    def subsets(self, size: int) -> Subsets:
        """The sets that may come first of so many seats."""
        return self._subsets[size]


class _Part:
    """Some rows of choices at some values of the parameters."""

    def __init__(self, choices: Choices, at: slice, values: Numbers, of: Likelihood) -> None:
        self.at, self.layout = at, of.layout
        self.sets = of.subsets(choices.size)
        self.worths = [column[at] for column in choices.worths]
        self.rows = len(self.worths[0])
        log_worths = sum(values[column] for column in self.worths)
        prevalence = values[self.layout.nothing + 1 :]
        logs = log_worths @ self.sets.shares.T + self.sets.ties @ prevalence
        top = logs.max(axis=1, keepdims=True)
        chances = numpy.exp(logs - top)
        total = chances.sum(axis=1, keepdims=True)
        self.chances = chances / total
        chosen = log_worths[:, : choices.tied].sum(axis=1) / choices.tied
        self.log = float((chosen - (top + numpy.log(total))[:, 0]).sum())
        self.expected = self.chances @ self.sets.shares
        self.residual = -self.expected
        self.residual[:, : choices.tied] += 1 / choices.tied
        self.tie_chances = self.chances @ self.sets.ties
        self.tie_residual = -self.tie_chances
        if choices.tied > 1:
            place = self.layout.ties.index(choices.tied)
            self.tie_residual[:, place] += 1
            self.log += float(prevalence[place]) * self.rows

    def scores(self, block: Numbers, blocks: int) -> Numbers:
        """The gradient by block."""
        size = self.layout.size
        base = block.astype(numpy.int64) * size
        found = numpy.zeros(blocks * size)
        for column in self.worths:
            places = (base[:, None] + column).ravel()
            found += numpy.bincount(places, self.residual.ravel(), minlength=blocks * size)
        for at in range(len(self.layout.ties)):
            places = base + (self.layout.nothing + 1 + at)
            found += numpy.bincount(places, self.tie_residual[:, at], minlength=blocks * size)
        return found.reshape(blocks, size)

    def inform(self, found: Numbers) -> None:
        """Add the information."""
        size = self.layout.size
        one, two = self.sets.one, self.sets.two
        covariance = self.chances @ self.sets.products - self.expected[:, one] * self.expected[:, two]
        covariance[:, one == two] /= 2  # both halves are added below
        half = numpy.zeros(size * size)
        for first in self.worths:
            for second in self.worths:
                places = first[:, one] * size + second[:, two]
                half += numpy.bincount(places.ravel(), covariance.ravel(), minlength=size * size)
        self._inform_of_ties(half)
        found += half.reshape(size, size) + half.reshape(size, size).T

    def _inform_of_ties(self, half: Numbers) -> None:
        """Add to ``half`` what concerns the prevalence of ties."""
        size, ties = self.layout.size, len(self.layout.ties)
        first = self.layout.nothing + 1
        mixed = (self.chances @ self.sets.mixed).reshape(self.rows, -1, ties)
        mixed -= self.expected[:, :, None] * self.tie_chances[:, None, :]
        for at in range(ties):
            for column in self.worths:
                half += numpy.bincount(
                    (column * size + first + at).ravel(), mixed[:, :, at].ravel(), minlength=size * size
                )
            for other in range(ties):
                both = self.tie_chances[:, at] * (float(at == other) - self.tie_chances[:, other])
                half[(first + at) * size + first + other] += float(both.sum()) / 2


def fit(likelihood: Likelihood) -> Fit | None:
    """The maximum of the likelihood; None where it is not finite, or the parameters cannot be told apart."""
    layout = likelihood.layout
    values = numpy.zeros(layout.size)
    values[layout.nothing + 1 :] = -1
    count = sum(len(each.block) for each in likelihood.choices)
    if count > 4 * SAMPLE:
        begun = _climb(likelihood.sample(count // SAMPLE), values)
        values = values if begun is None else begun.values
    return _climb(likelihood, values)


def _climb(likelihood: Likelihood, values: Numbers) -> Fit | None:
    layout = likelihood.layout
    log, score, information = likelihood.sums(values)
    factor = _inverse(layout.pin(information))
    for _ in range(STEPS):
        if factor is None or not numpy.isfinite(log):
            return None
        step = factor @ score
        promised = float(score @ step)
        if promised < CLOSE:
            return Fit(values + step, likelihood.sums(values + step)[2])
        fresh = promised > NEAR
        for _ in range(HALVINGS):
            tried, better, found = likelihood.sums(values + step, fresh)
            if tried >= log - 1e-9 * abs(log):
                break
            step /= 2
        values, log, score = values + step, tried, better
        if float(numpy.abs(values).max()) > LARGEST:
            return None
        if fresh:
            information, factor = found, _inverse(layout.pin(found))
    return None


def _inverse(information: Numbers) -> Numbers | None:
    """The inverse of a positive definite matrix; None where it is not."""
    try:
        spread = numpy.linalg.eigvalsh(information)
        if not spread[0] > 1e-10 * spread[-1]:
            return None
        return numpy.linalg.inv(information)
    except numpy.linalg.LinAlgError:
        return None


def layout_of(
    choices: Sequence[Choices], entrants: int, circles: Sequence[Sequence[int]], seats: Sequence[range]
) -> Layout:
    """The layout for these choices, entrants by circle, and the parameters of the seats of each group that has any."""
    ties = tuple(sorted({each.tied for each in choices if each.tied > 1}))
    count = sum(len(each) for each in seats)
    return Layout(entrants, count, ties, (*map(tuple, circles), *map(tuple, seats)))

