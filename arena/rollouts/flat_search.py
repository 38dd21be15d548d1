"""Flat Monte Carlo: a few moves are tried in the same imagined matches, and the best of them is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from time import monotonic
from typing import TypeVar

from arena.bot import Bot, Move, View
from arena.games.contract import hook_of
from arena.games.playout import PlayedOut, SeatPolicy, Until
from arena.players.reply_checks import read_reply

A = TypeVar("A")
M = TypeVar("M", bound=Move)
ANSWERS = 400
"""How many answers are searched in a match."""
BATCH = 8
"""How many matches are imagined at once: so memory does not grow with the budget."""

Value = Callable[[PlayedOut], float]
"""What the end of a rollout is worth to a bot."""


def money_ahead(money: Sequence[float], seat: int) -> float:
    """How far ``seat`` is ahead: its money less half the mean and half the maximum of the others' money."""
    others = [*money[:seat], *money[seat + 1 :]]
    return money[seat] - (max(others) + sum(others) / len(others)) / 2


def all_money_ahead(money: Sequence[float]) -> list[float]:
    """How far each seat is ahead, in money (:func:`money_ahead`), by seat."""
    return [money_ahead(money, seat) for seat in range(len(money))]


class FlatSearch:
    """Tries moves for ``bot`` by rollouts with ``policies``, each end of which is worth ``value``.

    At a decision it makes at most so many ``playouts``, and none after so many ``seconds`` (None: however long they
    take). All moves are tried in the same imagined matches, so that luck is the same for all. The bot's own answer is
    overruled only by a move that is better by more than ``doubt`` standard errors of the difference: with few playouts
    it rarely is. After so many ``answers`` the bot plays on without a search: among bots that never come to terms a
    match asks many times as often as usual. Counting playouts alone, the search repeats itself.
    """

    def __init__(
        self,
        bot: Bot,
        policies: SeatPolicy | Sequence[SeatPolicy],
        value: Value,
        playouts: int,
        doubt: float = 1.0,
        seconds: float | None = None,
        answers: int = ANSWERS,
    ) -> None:
        self.bot, self.policies, self.value = bot, policies, value
        self.playouts, self.doubt, self.seconds, self.answers = playouts, doubt, seconds, answers

    def choose(self, view: View, own: A, others: Sequence[M], until: Until) -> A | M:
        """The answer to the ask of ``view``: the bot's ``own``, or one of the ``others`` where that is better.

        ``own`` is whatever a hook may return; moves that the rules refuse are left out. Each rollout lasts ``until``.
        """
        first = move_of(self.bot, view, own)
        if first is None:
            return own
        tried = [move for move in dict.fromkeys(others) if move != first and self.bot.refusal(view, move) is None]
        rounds = self.playouts // (1 + len(tried))
        if not tried or rounds < 2 or not self.answers:
            return own
        self.answers -= 1
        moves: list[Move] = [first, *tried]
        (mine, *values), weights = self._try_moves(view, moves, until, rounds)
        best: A | M = own
        most = 0.0
        for move, column in zip(tried, values, strict=True):
            gain, error = mean_difference(column, mine, weights)
            if gain > max(most, self.doubt * error):
                best, most = move, gain
        return best

    def _try_moves(
        self, view: View, moves: list[M], until: Until, rounds: int
    ) -> tuple[list[list[float]], list[float]]:
        """The value of each move in each imagined match, and the weights of these matches, 1 on average."""
        bot, ask = self.bot, view.ask(self.bot.rules)
        ends = inf if self.seconds is None else monotonic() + self.seconds
        values, weights = [list[float]() for _ in moves], list[float]()
        while len(weights) < rounds:
            size = min(BATCH, rounds - len(weights))
            for state, weight in bot.imagine(view, size):
                index = state.asks.index(ask)
                for move, column in zip(moves, values, strict=True):
                    column.append(self.value(bot.play_out(state, self.policies, until, {index: move})))
                weights.append(size * weight)
                if self.seconds is not None and monotonic() >= ends:
                    return values, weights
        return values, weights


def move_of(bot: Bot, view: View, own: object) -> Move | None:
    """The legal move that the bot's reply ``own`` stands for; None if the reply is faulty or the move illegal."""
    hook = hook_of(type(view))
    answered = read_reply(hook, own)
    move = answered.move or hook.idle
    if move is None or answered.fault is not None or bot.refusal(view, move) is not None:
        return None
    return move


def mean_difference(one: list[float], other: list[float], weights: list[float]) -> tuple[float, float]:
    """The weighted mean of ``one`` less ``other``, and its standard error, which is infinite for fewer than two."""
    total = sum(weights)
    if len(weights) < 2 or not total:
        return 0.0, inf
    differences = [mine - theirs for mine, theirs in zip(one, other, strict=True)]
    mean = sum(weight * each for weight, each in zip(weights, differences, strict=True)) / total
    spread = sum((weight * (each - mean)) ** 2 for weight, each in zip(weights, differences, strict=True))
    return mean, sqrt(spread * len(weights) / (len(weights) - 1)) / total
