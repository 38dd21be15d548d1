"""Plackett–Luce with Davidson's ties as in Turner's work: those who share a rank are chosen together.

Of the seats that have no rank yet, the set S gets the next one with a probability proportional to

    exp(mean of the log-worths in S + log-prevalence of ties of |S|),

where a single seat has the log-prevalence 0 (H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, Modelling rankings in
R: the PlackettLuce package, Computational Statistics 35, 2020; for pairs R. R. Davidson, JASA 65, 1970). Every choice
is a multinomial logit, so the log-likelihood is concave. Ties of a size that never occurred have the prevalence 0.

A set counts as one choice, and each of its n members gets 1/n of it. So among five equal entrants, two who share the
first rank gain less than the third, who is chosen alone from the other three. Therefore this model is only for
comparisons with other programs; ratings use :mod:`arena.ratings.by_order.neighbours`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy

from arena.ratings.by_order.order_likelihood import LikelihoodTerms, Model, pair_numbers, upper_places
from arena.ratings.by_order.place_scores import FinishOrders
from arena.ratings.order_columns import Numbers


def model_with_ties(ties: tuple[int, ...]) -> Model:
    """The model with ties of these sizes."""

    def model(places: FinishOrders, log_worths: Numbers, prevalence: Numbers) -> LikelihoodTerms:
        size, rows = log_worths.shape
        number = pair_numbers(size)
        log, score, pairs = 0.0, numpy.zeros((size, rows)), numpy.zeros((len(number), rows))
        tie_score, mixed = numpy.zeros((len(ties), rows)), numpy.zeros((len(ties), size, rows))
        both = numpy.zeros((len(ties), len(ties)))
        for group in places.groups():
            left = slice(group.start, size)
            if size - group.start > 1:
                part = _choice_terms(len(group), ties, log_worths[left], prevalence)
                log += part.log
                score[left] += part.score
                tie_score += part.tie_score
                mixed[:, left] += part.mixed
                both += part.ties
                rest = range(group.start, size)
                pairs[[number[a, b] for a in rest for b in rest if a <= b]] += part.pairs
        return LikelihoodTerms(log, score, tie_score, pairs, mixed, both)

    return model


def _choice_terms(tied: int, ties: tuple[int, ...], log_worths: Numbers, prevalence: Numbers) -> LikelihoodTerms:
    """The likelihood terms of choosing the first ``tied`` of all."""
    size, rows = log_worths.shape
    sets = _first_sets(size, ties)
    logs = numpy.empty((len(sets), rows))
    for at, members in enumerate(sets):
        logs[at] = _sum_rows(log_worths, members) / len(members)
        if len(members) > 1:
            logs[at] += prevalence[ties.index(len(members))]
    top = logs.max(axis=0)
    chances = numpy.exp(logs - top)
    total = chances.sum(axis=0)
    chances /= total
    log = float((logs[sets.index(tuple(range(tied)))] - top - numpy.log(total)).sum())
    of_tie = [[at for at, members in enumerate(sets) if len(members) == count] for count in ties]
    tie_chances = numpy.array([_sum_rows(chances, of) for of in of_tie]).reshape(len(ties), rows)
    for at, members in enumerate(sets):
        chances[at] /= len(members)
    expected = numpy.array([_sum_rows(chances, _sets_holding(sets, [seat])) for seat in range(size)])
    mixed = -tie_chances[:, None, :] * expected
    for number, count in enumerate(ties):
        for seat in range(size):
            mixed[number, seat] += _sum_rows(
                chances, [at for at in _sets_holding(sets, [seat]) if len(sets[at]) == count]
            )
    for at, members in enumerate(sets):
        chances[at] /= len(members)
    one, two = upper_places(size)
    pairs = -expected[one] * expected[two]
    for pair, at in pair_numbers(size).items():
        pairs[at] += _sum_rows(chances, _sets_holding(sets, pair))
    score = -expected
    score[:tied] += 1 / tied
    flags = numpy.array([float(count == tied) for count in ties]).reshape(-1, 1)
    both = numpy.diag(tie_chances.sum(axis=1)) - tie_chances @ tie_chances.T
    return LikelihoodTerms(log, score, flags - tie_chances, pairs, mixed, both)


@cache
def _first_sets(size: int, ties: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of places that may come first where ``size`` places are left: each place alone, and each tie of
    as many places as one of the ``ties`` has."""
    return [each for count in (1, *ties) if count <= size for each in combinations(range(size), count)]


def _sets_holding(sets: Sequence[tuple[int, ...]], members: Sequence[int]) -> list[int]:
    """Return the indices of those ``sets`` that contain all ``members``."""
    return [at for at, each in enumerate(sets) if all(member in each for member in members)]


def _sum_rows(rows: Numbers, chosen: Sequence[int]) -> Numbers:
    """The sum of the chosen rows; zeros where none is."""
    if not chosen:
        return numpy.zeros(rows.shape[1])
    total: Numbers = rows[chosen[0]].copy()
    for number in chosen[1:]:
        total += rows[number]
    return total
