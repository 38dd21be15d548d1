"""Ratings that copies of an entrant neither lift nor sink: deviation ratings of the game of pairs.

L. Marris, S. Liu, I. Gemp, G. Piliouras & M. Lanctot, Deviation Ratings: A General, Clone-Invariant Rating Method
(arXiv 2502.11645, 2025) rate each strategy of a game by what a player would gain by deviating to it from a coarse
correlated equilibrium. They take the equilibrium in which the largest gain is smallest. Strategies whose gain cannot be
smaller are then fixed, the largest gain of the others is made as small as possible, and so on.

Here the game is one of two players: each enters an entrant, and the payoff is how far the first came out in front of
the second where both sat at a table. What one wins the other loses. In such a game the first step forces every gain to
be 0 at most, and both players to mix optimally, whatever they agree on; so the gains of one side depend on how the
other mixes alone, and each step is a linear program over mixtures (with two equal sides the same for both).
"""

from __future__ import annotations

from itertools import combinations

import numpy

from arena.ratings.order_columns import Numbers, RatingMatches
from arena.ratings.simplex import Tableau

FIXED_PRICE = 1e-7
"""An entrant whose price in the linear program is larger than this is fixed: its gain cannot be smaller."""


def deviation_ratings(payoff: Numbers) -> Numbers:
    """The rating of each entrant: 0 if the mixture of entrants that is hardest to beat does not beat it, else what it
    loses against that mixture, as a negative number. ``payoff[i, j]`` is what i wins from j, and ``payoff[j, i]`` is
    minus that.

    The variables of the linear program are the shares of the mixture, the largest gain, and how far each entrant's gain
    is below it; in later steps also how far the largest gain of the entrants not yet fixed is below the one of the step
    before.
    """
    size = len(payoff)
    scale = float(numpy.abs(payoff).max()) or 1.0
    slack = numpy.arange(size + 1, 2 * size + 1)
    rows = numpy.zeros((size + 1, 2 * size + 1))
    rows[:size, :size] = payoff / scale + 2  # so that every gain is above 0
    rows[:size, size] = -1
    rows[:size, size + 1 :] = numpy.eye(size)
    rows[size, :size] = 1
    worst = int(numpy.argmax(payoff[:, 0]))  # the first solution is the first entrant alone
    basis = [0, size, *(int(each) for at, each in enumerate(slack) if at != worst)]
    tableau = Tableau(rows, numpy.append(numpy.zeros(size), 1.0), basis)
    unfixed, costs = numpy.ones(size, dtype=bool), numpy.zeros(2 * size + 1)
    costs[size] = 1
    while True:
        prices = tableau.minimize(costs)
        tableau.free &= prices <= FIXED_PRICE
        unfixed &= tableau.free[slack]
        if not unfixed.any():
            break
        added = tableau.add(slack[unfixed])
        costs = numpy.zeros(added + 1)
        costs[added] = -1
    mixture = tableau.variables[:size]
    rated: Numbers = payoff @ mixture / mixture.sum()
    return numpy.minimum(rated, 0.0)


def pair_payoffs(matches: RatingMatches, money: bool) -> tuple[Numbers, Numbers]:
    """For each two entrants how far the first came out in front of the second on average, and in how many matches both
    sat: with ``money`` in money, else the share of these matches in which it ranked better (a shared rank counts half),
    less one half."""
    size = len(matches.names)
    sums, counts = numpy.zeros(size * size), numpy.zeros(size * size, dtype=numpy.int64)
    for tables in matches.tables:
        for one, two in combinations(range(tables.players), 2):
            first, second = tables.entrants[:, one].astype(numpy.int64), tables.entrants[:, two].astype(numpy.int64)
            if money:
                ahead = tables.money[:, one] - tables.money[:, two]
            else:
                ahead = numpy.sign(tables.ranks[:, two] - tables.ranks[:, one]) / 2
            places = first * size + second
            sums += numpy.bincount(places, ahead, minlength=size * size)
            counts += numpy.bincount(places, minlength=size * size)
    total, met = sums.reshape(size, size), counts.reshape(size, size)
    total, met = total - total.T, met + met.T
    numpy.fill_diagonal(total, 0.0)
    return numpy.divide(total, met, out=numpy.zeros_like(total), where=met > 0), met
