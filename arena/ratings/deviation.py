"""Ratings that copies of an entrant neither lift nor sink: deviation ratings of the game of pairs.

L. Marris, S. Liu, I. Gemp, G. Piliouras & M. Lanctot, Deviation Ratings: A General, Clone-Invariant Rating Method
(arXiv 2502.11645, 2025) rate the strategies of a game by what a player would gain who deviates to one of them from a
coarse correlated equilibrium. Of all equilibria that one is taken in which the largest gain is least; those whose gain
cannot be less are fixed there, then the largest of the others is made least, and so on.

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
"""An entrant is fixed whose price in the linear program is larger: its gain cannot be less."""


def deviation_ratings(payoff: Numbers) -> Numbers:
    """The rating of each entrant: 0 for those whom the mixture of entrants that is hardest to beat does not beat, below
    0 what the others lose against it. ``payoff`` has in row i and column j what i wins from j, and minus that in row j
    and column i.

    Variables are the shares of the mixture, the largest gain, and what each entrant's gain is less than that; in later
    steps also by how much the largest of those that are not fixed is less than the one before.
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
        prices = tableau.least(costs)
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
