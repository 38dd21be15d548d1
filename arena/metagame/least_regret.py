"""The populations of least regret: those in which no bot earns more than an average member.

These are the symmetric equilibria of the game (J. Nash, Non-cooperative games, Annals of Mathematics 54, 1951; a finite
symmetric game has one). For each set of bots, Newton's method looks for shares at which all of them earn the same; what
is found counts if the shares are positive and no other bot earns more. Where nothing is found, shares are moved between
bots as long as that lowers the regret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from arena.metagame.meta_game import MetaGame
from arena.metagame.mixture_cells import Array
from arena.metagame.population import single_bot, upper_gain

EVERY_SET = 8
"""With up to so many bots all sets of them are tried, with more those of up to :data:`SMALL_SET`."""
SMALL_SET = 4
STARTS = 10
NEWTON_STEPS = 25
FAR_OUT = 10
"""Newton's method is given up where a share is beyond this."""
SOLVED = 1e-9
"""Shares and differences of payoffs, relative to the largest payoff, are equal up to this."""
MOST_FOUND = 20


@dataclass(frozen=True, slots=True)
class LeastRegretMixture:
    """A population of least ``regret``, by the ``shares`` of bots: 0 for an equilibrium. In 97.5 % of cases its true
    regret is at most ``bound``; None with too few blocks. ``average`` is what a member earns."""

    shares: tuple[float, ...]
    regret: float
    bound: float | None
    average: float


def find_least_regret(game: MetaGame) -> list[LeastRegretMixture]:
    """The populations of least regret of a game without missing mixtures, those with the smallest bound first."""
    scale = max(float(numpy.abs(game.means).max()), SOLVED)
    found: list[Array] = []
    for members in _sets_of_bots(len(game.bots)):
        for shares in _equal_payoffs(game, members, scale):
            new = all(numpy.abs(shares - other).max() > SOLVED**0.5 for other in found)
            if new and _regret_of(game, shares) <= SOLVED * scale * 10 and len(found) < MOST_FOUND:
                found.append(shares)
    if not found:
        found.append(_descend(game, scale))
    mixtures = [_describe_mixture(game, shares) for shares in found]
    return sorted(mixtures, key=lambda each: (each.bound is None, each.bound or 0.0, each.shares))


def _describe_mixture(game: MetaGame, shares: Array) -> LeastRegretMixture:
    expected, influence = game.expected(shares), game.expected_influence(shares)
    average = float(shares @ expected)
    own = (influence @ shares)[:, None]
    bound = upper_gain(expected - average, influence - own)
    return LeastRegretMixture(tuple(shares.tolist()), _regret_of(game, shares), bound, average)


def _regret_of(game: MetaGame, shares: Array) -> float:
    expected = game.expected(shares)
    return max(float(expected.max() - shares @ expected), 0.0)


def _sets_of_bots(bots: int) -> Iterator[tuple[int, ...]]:
    largest = bots if bots <= EVERY_SET else SMALL_SET
    for size in range(1, largest + 1):
        yield from combinations(range(bots), size)


def _equal_payoffs(game: MetaGame, members: Sequence[int], scale: float) -> list[Array]:
    """Shares above 0 of these bots, none of the others, at which all of them earn the same among each other."""
    size = len(members)
    if size == 1:
        return [single_bot(len(game.bots), members[0])]
    generator = numpy.random.Generator(numpy.random.PCG64(1))
    starts = generator.dirichlet(numpy.ones(size), STARTS)
    starts[0] = 1 / size
    solved: list[Array] = []
    for inner in _newton_steps(_own_payoffs(game, members) / scale, starts):
        shares = numpy.zeros(len(game.bots))
        shares[list(members)] = inner / inner.sum()
        if all(numpy.abs(shares - other).max() > SOLVED**0.5 for other in solved):
            solved.append(shares)
    return solved


def _own_payoffs(game: MetaGame, members: Sequence[int]) -> Array:
    """What a seat earns for every choice of these bots by itself and then by each other seat: bots × … × bots."""
    size, seats = len(members), game.cells.seats
    tables = numpy.array(members)[numpy.indices([size] * seats).reshape(seats, -1).T]
    cells = game.cells.number[game.cells.mixtures_at(tables), tables[:, 0]]
    found: Array = game.means[cells].reshape([size] * seats)
    return found


def _newton_steps(payoffs: Array, shares: Array) -> Array:
    """Shares above 0 at which all bots earn the same, which Newton's method finds from these starts: starts × bots."""
    for _ in range(NEWTON_STEPS):
        differences, slopes = _payoff_differences(payoffs, shares)
        if (numpy.abs(differences) < SOLVED).all():
            break
        steps = (numpy.linalg.pinv(slopes) @ differences[..., None])[..., 0]
        lengths = numpy.abs(steps).max(axis=1, keepdims=True)
        shares = shares - steps * numpy.minimum(1.0, 0.5 / numpy.maximum(lengths, 0.5))
        shares = shares[numpy.abs(shares).max(axis=1) < FAR_OUT]
    differences, _ = _payoff_differences(payoffs, shares)
    good = (numpy.abs(differences) < SOLVED).all(axis=1) & (shares > SOLVED**0.5).all(axis=1)
    found: Array = shares[good]
    return found


def _payoff_differences(payoffs: Array, shares: Array) -> tuple[Array, Array]:
    """What each bot but the last earns more than the last, and by how much the shares' sum is above 1: starts × bots;
    and the derivatives of all of these by each share: starts × bots × shares."""
    starts, size = shares.shape
    drawn = payoffs[..., None]
    for _ in range(payoffs.ndim - 2):
        drawn = (drawn.reshape(-1, size, drawn.shape[-1]) * shares.T).sum(axis=1)
    against = numpy.moveaxis(numpy.broadcast_to(drawn.reshape(size, size, -1), (size, size, starts)), -1, 0)
    earned = (against * shares[:, None, :]).sum(axis=2)
    slopes = (payoffs.ndim - 1) * against
    differences = numpy.concatenate([earned[:, :-1] - earned[:, -1:], shares.sum(axis=1, keepdims=True) - 1], axis=1)
    return differences, numpy.concatenate([slopes[:, :-1] - slopes[:, -1:], numpy.ones((starts, 1, size))], axis=1)


def _descend(game: MetaGame, scale: float) -> Array:
    """The population with the least regret that moving shares from one bot to another leads to."""
    size = len(game.bots)
    starts = [numpy.full(size, 1 / size), *(single_bot(size, bot) for bot in range(size))]
    best = min(starts, key=lambda shares: _regret_of(game, shares))
    least, step = _regret_of(game, best), 0.25
    while step > SOLVED**0.5 and least > SOLVED * scale:
        moves = [_move_share(best, giver, taker, step) for giver in range(size) for taker in range(size)]
        nearest = min(moves, key=lambda shares: _regret_of(game, shares))
        if (regret := _regret_of(game, nearest)) < least:
            best, least = nearest, regret
        else:
            step /= 2
    return best


def _move_share(shares: Array, giver: int, taker: int, step: float) -> Array:
    moved = shares.copy()
    amount = min(step, float(moved[giver]))
    moved[giver] -= amount
    moved[taker] += amount
    return moved
