"""The likelihood of orders of finish by the Plackett–Luce model with Davidson's ties, and its maximum.

Of the seats that are still there, the set S comes first with a probability that is proportional to

    exp(mean of the log-worths in S + log-prevalence of ties of |S|),

where a single seat has the log-prevalence 0 (H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, Modelling rankings in
R: the PlackettLuce package, Computational Statistics 35, 2020; for pairs R. R. Davidson, JASA 65, 1970). Every choice
is a multinomial logit, so the log-likelihood is concave, and Newton's method finds its maximum. Ties of a size that
never occurred have the prevalence 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from arena.ratings.choices import Choices
from arena.ratings.clustered import Sums, definite
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
    """Which parameter stands where: first those of ``entrants``, then those of ``seats``, then one that is always 0,
    and the log-prevalences of ties of the sizes ``ties``. ``pinned`` are sets of parameters whose sum is 0."""

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
    """The sets that may come first of ``size`` seats, of one seat or of as many as one of the ``ties``: the numbers of
    their ``members``. ``of_seat`` has for each seat the numbers of the sets that it is in, ``of_pair`` the same for
    each two seats (the numbers of these are in ``one`` and ``two``), ``of_tie`` those of each size."""

    def __init__(self, size: int, ties: Sequence[int]) -> None:
        self.size = size
        self.members = [each for count in (1, *ties) if count <= size for each in combinations(range(size), count)]
        numbered = list(enumerate(self.members))
        self.of_seat = [[at for at, members in numbered if seat in members] for seat in range(size)]
        self.one, self.two = numpy.triu_indices(size)
        self.of_pair = [
            [at for at, members in numbered if one in members and two in members]
            for one, two in zip(self.one.tolist(), self.two.tolist(), strict=True)
        ]
        self.of_tie = [[at for at, members in numbered if len(members) == count] for count in ties]


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
    """Some rows of choices at some values of the parameters. What is computed has a row for each set, seat or pair of
    seats, and a column for each choice: sums along rows are fast, and come out the same whatever library multiplies
    matrices."""

    def __init__(self, choices: Choices, at: slice, values: Numbers, of: Likelihood) -> None:
        self.at, self.layout = at, of.layout
        self.sets = of.subsets(choices.size)
        self.worths = [numpy.ascontiguousarray(column[at].T) for column in choices.worths]
        self.rows = self.worths[0].shape[1]
        log_worths = sum(values[column] for column in self.worths)
        prevalence = [0.0, *values[self.layout.nothing + 1 :].tolist()]
        sizes = (1, *self.layout.ties)
        logs = numpy.empty((len(self.sets.members), self.rows))
        for number, members in enumerate(self.sets.members):
            mean = _added(log_worths, members) / len(members)
            logs[number] = mean + prevalence[sizes.index(len(members))]
        top = logs.max(axis=0)
        chosen = _added(log_worths, range(choices.tied)) / choices.tied
        chances = numpy.exp(logs - top)
        total = chances.sum(axis=0)
        chances /= total
        self.log = float((chosen - top - numpy.log(total)).sum()) + prevalence[sizes.index(choices.tied)] * self.rows
        self.tie_chances = [_added(chances, sets) for sets in self.sets.of_tie]
        self.tie_residual = [
            float(count == choices.tied) - chance
            for count, chance in zip(self.layout.ties, self.tie_chances, strict=True)
        ]
        self.chances = chances
        for number, members in enumerate(self.sets.members):
            if len(members) > 1:
                chances[number] /= len(members)
        self.expected = numpy.array([_added(chances, sets) for sets in self.sets.of_seat])
        self.residual = -self.expected
        self.residual[: choices.tied] += 1 / choices.tied

    def scores(self, block: Numbers, blocks: int) -> Numbers:
        """The gradient by block."""
        size = self.layout.size
        base = block.astype(numpy.int64) * size
        found = numpy.zeros(blocks * size)
        for column in self.worths:
            found += numpy.bincount((base + column).ravel(), self.residual.ravel(), minlength=blocks * size)
        for at, residual in enumerate(self.tie_residual):
            found += numpy.bincount(base + (self.layout.nothing + 1 + at), residual, minlength=blocks * size)
        return found.reshape(blocks, size)

    def inform(self, found: Numbers) -> None:
        """Add the information."""
        size, sets = self.layout.size, self.sets
        shares = numpy.array([1 / len(members) for members in sets.members])
        both = self.chances * shares[:, None]
        covariance = numpy.array([_added(both, of) for of in sets.of_pair])
        covariance -= self.expected[sets.one] * self.expected[sets.two]
        covariance[sets.one == sets.two] /= 2  # both halves are added below
        half = numpy.zeros(size * size)
        for first in self.worths:
            for second in self.worths:
                places = first[sets.one].astype(numpy.int64) * size + second[sets.two]
                half += numpy.bincount(places.ravel(), covariance.ravel(), minlength=size * size)
        self._inform_of_ties(half)
        found += half.reshape(size, size) + half.reshape(size, size).T

    def _inform_of_ties(self, half: Numbers) -> None:
        """Add to ``half`` what concerns the prevalence of ties."""
        size, first = self.layout.size, self.layout.nothing + 1
        for at, chance in enumerate(self.tie_chances):
            of_tie = set(self.sets.of_tie[at])
            mixed = -self.expected * chance
            for seat, of_seat in enumerate(self.sets.of_seat):
                if shared := [number for number in of_seat if number in of_tie]:
                    mixed[seat] += _added(self.chances, shared)
            for column in self.worths:
                places = column.astype(numpy.int64) * size + (first + at)
                half += numpy.bincount(places.ravel(), mixed.ravel(), minlength=size * size)
            for other, of_other in enumerate(self.tie_chances):
                both = chance * (float(at == other) - of_other)
                half[(first + at) * size + first + other] += float(both.sum()) / 2


def _added(rows: Numbers, chosen: Sequence[int]) -> Numbers:
    """The sum of the chosen rows; zeros where none is."""
    if not chosen:
        return numpy.zeros(rows.shape[1])
    total: Numbers = rows[chosen[0]].copy()
    for number in chosen[1:]:
        total += rows[number]
    return total


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
    return numpy.linalg.inv(information) if definite(information) else None


def layout_of(
    choices: Sequence[Choices], entrants: int, circles: Sequence[Sequence[int]], seats: Sequence[range]
) -> Layout:
    """The layout for these choices, entrants by circle, and the parameters of the seats of each group that has any."""
    ties = tuple(sorted({each.tied for each in choices if each.tied > 1}))
    count = sum(len(each) for each in seats)
    return Layout(entrants, count, ties, (*map(tuple, circles), *map(tuple, seats)))
