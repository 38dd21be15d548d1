"""The model of orders of finish that ratings use: Plackett–Luce, with ties by Davidson between neighbours in the order.

Everybody finishes in an order by Plackett–Luce: of those who are left, each comes next with a probability in proportion
to its worth. Then each two who follow each other, with log-worths a and b, share a rank with Davidson's probability

    t = v / (exp((a - b) / 2) + exp((b - a) / 2) + v),

so ties are likeliest between equals. Which of them was first is not seen: the likelihood of an order with shared ranks
is the sum over all orders that may lie behind it. For matches of two this is exactly the model of R. R. Davidson (On
extending the Bradley-Terry model to accommodate ties in paired comparison experiments, JASA 65, 1970). For larger
matches it has a property that :mod:`arena.ratings.by_order.joint_fit` lacks: a better rank in a match never improves
a rating less than a worse one would have.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import numpy

from arena.errors import UserError
from arena.ratings.by_order.order_likelihood import LikelihoodTerms, pair_numbers, upper_places
from arena.ratings.by_order.place_scores import FinishOrders
from arena.ratings.order_columns import Numbers

CHUNK_ORDERS = 16384
"""The number of orders that are computed at a time."""
MOST_TIED = 7
"""The most entrants that may share a rank: 5,040 orders may lie behind that."""


def neighbour_likelihood(places: FinishOrders, log_worths: Numbers, prevalence: Numbers) -> LikelihoodTerms:
    """The terms of these orders of finish; ``prevalence`` is the logarithm of v, or empty where nobody ever shared a
    rank. Raises UserError where more than :data:`MOST_TIED` share one."""
    if (most := max(map(len, places.groups()))) > MOST_TIED:
        raise UserError(
            f"{most} entrants share a rank in a match; ratings by order of finish allow at most {MOST_TIED}"
        )
    behind = _order_candidates(tuple(map(tuple, places.groups())))
    if len(behind) == 1:
        one = _Order(places.tied, log_worths, prevalence)
        return LikelihoodTerms(float(one.log.sum()), one.score[:-1], one.ties(), one.second, one.mixed, one.tie_second)
    step = max(1, CHUNK_ORDERS // len(behind))
    parts = [
        _sum_orders(places.tied, behind, log_worths[:, start : start + step], prevalence)
        for start in range(0, log_worths.shape[1], step)
    ]
    return LikelihoodTerms(
        sum(each.log for each in parts),
        numpy.concatenate([each.score for each in parts], axis=1),
        numpy.concatenate([each.tie_score for each in parts], axis=1),
        numpy.concatenate([each.pairs for each in parts], axis=1),
        numpy.concatenate([each.mixed for each in parts], axis=2),
        numpy.sum([each.ties for each in parts], axis=0),
    )


@cache
def _order_candidates(groups: tuple[tuple[int, ...], ...]) -> Numbers:
    """Return all strict orders that lead to these ranks: the ``groups`` are the places that share a rank, best rank
    first, and each row of the array is one order of all places."""
    orders = product(*(permutations(group) for group in groups))
    return numpy.array([[place for group in order for place in group] for order in orders])


class _Order:
    """The likelihood of strict orders of finish, in which neighbouring places do or do not share a rank (``tied``):
    ``log`` is the log-likelihood, ``score`` its derivatives by place and, last, by prevalence; the rest are minus the
    second derivatives, as in :class:`LikelihoodTerms`."""

    def __init__(self, tied: tuple[bool, ...], log_worths: Numbers, prevalence: Numbers) -> None:
        size, rows = log_worths.shape
        self.number = pair_numbers(size)
        self.score, self.log = numpy.zeros((size + 1, rows)), numpy.zeros(rows)
        self.second = numpy.zeros((len(self.number), rows))
        self.has_ties = len(prevalence) > 0
        self.mixed = numpy.zeros((len(prevalence), size, rows))
        self.tie_rows = numpy.zeros(rows)
        self._finish(log_worths)
        if self.has_ties:
            for at, flag in enumerate(tied):
                self._neighbours(at, flag, log_worths[at] - log_worths[at + 1], float(prevalence[0]))

    @property
    def tie_second(self) -> Numbers:
        """Minus the second derivative by the prevalence, summed over all rows."""
        return numpy.full((1, 1), self.tie_rows.sum()) if self.has_ties else numpy.zeros((0, 0))

    def ties(self) -> Numbers:
        """The derivatives by the prevalence."""
        return self.score[-1:] if self.has_ties else self.score[:0]

    def _finish(self, log_worths: Numbers) -> None:
        """Add the likelihood of the order by Plackett–Luce, from the last place on, summing the worths of those who are
        left."""
        size = len(log_worths)
        top = log_worths.max(axis=0)
        worths = numpy.exp(log_worths - top)
        left = worths[size - 1].copy()
        for at in range(size - 2, -1, -1):
            left += worths[at]
            self.log += log_worths[at] - top - numpy.log(left)
            chances = worths[at:] / left
            self.score[at:size] -= chances
            self.score[at] += 1
            for one in range(at, size):
                for two in range(one, size):
                    both = chances[one - at] * chances[two - at]
                    self.second[self.number[one, two]] += (chances[one - at] - both) if one == two else -both

    def _neighbours(self, at: int, tied: bool, apart: Numbers, prevalence: float) -> None:
        """Add the likelihood that places ``at`` and ``at`` + 1 share a rank, or that they do not; ``apart`` is the
        difference of their log-worths."""
        up = numpy.exp(apart / 2)
        sum_, difference = up + 1 / up, up - 1 / up
        whole = sum_ + numpy.exp(prevalence)
        chance, slope = numpy.exp(prevalence) / whole, difference / 2 / whole
        self.log -= numpy.log(whole)
        first, second = -slope, sum_ / 4 / whole - slope**2
        if tied:
            self.log += prevalence
            self.score[-1] += 1
        else:
            self.log += numpy.log(sum_)
            tangent = difference / sum_
            first = first + tangent / 2
            second = second - (1 - tangent**2) / 4
        self.score[-1] -= chance
        self.score[at] += first
        self.score[at + 1] -= first
        self.second[self.number[at, at]] += second
        self.second[self.number[at + 1, at + 1]] += second
        self.second[self.number[at, at + 1]] -= second
        self.mixed[0, at] -= chance * slope
        self.mixed[0, at + 1] += chance * slope
        self.tie_rows += chance - chance**2


def _sum_orders(tied: tuple[bool, ...], behind: Numbers, log_worths: Numbers, prevalence: Numbers) -> LikelihoodTerms:
    """The terms if several strict orders may lie ``behind`` the observed one: their mean, weighted by how likely each
    of them is; from the second derivatives it subtracts what is unknown of the order. The last axis but one of arrays
    is the order, the last is the row."""
    (size, rows), count = log_worths.shape, len(behind)
    order = _Order(tied, log_worths[behind.T].reshape(size, count * rows), prevalence)
    logs = order.log.reshape(count, rows)
    top = logs.max(axis=0)
    weights = numpy.exp(logs - top)
    total = weights.sum(axis=0)
    weights /= total
    every = numpy.arange(count)
    score = order.score.reshape(size + 1, count, rows)
    score[behind.T, every] = score[:size].copy()  # from places in the order to places in what was seen
    mixed = order.mixed.reshape(size, count, rows)
    mixed[behind.T, every] = mixed.copy()
    one, two = upper_places(size)
    place = numpy.argsort(behind, axis=1).T
    first, last = numpy.minimum(place[one], place[two]), numpy.maximum(place[one], place[two])
    number = numpy.zeros((size, size), dtype=int)
    number[one, two] = numpy.arange(len(one))
    second = order.second.reshape(len(one), count, rows)[number[first, last], every]
    second -= score[one] * score[two]
    mean = (weights * score).sum(axis=1)
    mixed -= score[:size] * score[size]
    ties = order.tie_rows.reshape(count, rows) - score[size] ** 2
    return LikelihoodTerms(
        float((top + numpy.log(total)).sum()),
        mean[:size],
        mean[size:],
        (weights * second).sum(axis=1) + mean[one] * mean[two],
        ((weights * mixed).sum(axis=1) + mean[:size] * mean[size])[None],
        numpy.full((1, 1), ((weights * ties).sum(axis=0) + mean[size] ** 2).sum()),
    )
