"""Monte Carlo over lines of play: a move and how the bot goes on after it are tried together; better lines get more
rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from arena.bot import Bot, Move, View
from arena.games.playout import SeatPolicy, Until
from arena.rollouts.flat_search import ANSWERS, BATCH, Value, mean_difference, move_of

A = TypeVar("A")
M = TypeVar("M", bound=Move)
M_co = TypeVar("M_co", bound=Move, covariant=True)
WIDTH = 1.2
"""How many lines are tried at most, as a multiple of the square root of the playouts (progressive widening)."""
CUT = 2.0
"""A line is given up once another one is better by so many standard errors of the difference."""


class Line(NamedTuple, Generic[M_co]):
    """A move to try, and the policy that answers for the bot's own seat after it (None: the one of all seats)."""

    move: M_co
    then: SeatPolicy | None = None


class LineSearch:
    """Tries lines for ``bot`` by rollouts in which ``policy`` sits in all other seats; ``value`` says what the end
    of a rollout is worth to the bot.

    A line is a move and the way in which the bot plays on after it: so it can see that a high price is worth naming if
    it is not lowered afterwards. At a decision at most so many ``playouts`` are made, or as many as the ``seconds``
    allow (None: however long they take); fewer where it is clear before which line is best, or that none is better than
    the bot's own answer by ``least``. All lines are tried in the same imagined matches.

    The more playouts, the more lines are tried: of the list that it is given the first ones, :data:`WIDTH` times the
    square root of the playouts. They are halved again and again, and the better half shares the next part of the
    playouts (sequential halving: Z. Karnin, T. Koren, O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits,
    ICML 2013). The own answer is overruled if the best line is better by more than ``doubt`` standard errors of the
    difference. After so many searched ``answers`` (:data:`ANSWERS`; a bot may set the attribute) the bot plays on
    without a search. Counting playouts alone, the search repeats itself.
    """

    def __init__(
        self,
        bot: Bot,
        policy: SeatPolicy,
        value: Value,
        playouts: int,
        doubt: float = 1.0,
        least: float = 0.0,
        seconds: float | None = None,
    ) -> None:
        self.bot, self.policy, self.value = bot, policy, value
        self.playouts, self.doubt, self.least = playouts, doubt, least
        self.seconds, self.answers = seconds, ANSWERS

    def choose(self, view: View, own: A, lines: Sequence[Line[M]], until: Until) -> A | M:
        """The answer to the ask of ``view``: the bot's ``own``, or the move of one of the ``lines`` if that is better.

        ``own`` is whatever a hook may return, followed by the policy of all seats. Moves that the rules refuse are left
        out. The first lines should be those that are most often better. Each rollout lasts ``until``.
        """
        first = move_of(self.bot, view, own)
        if first is None or self.playouts < 4 or not self.answers:
            return own
        tried = self._widen(view, Line(first), lines)
        if not tried:
            return own
        self.answers -= 1
        best = _Trial(self, view, [Line(first), *tried], until).race()
        return own if best is None else tried[best - 1].move

    def _widen(self, view: View, own: Line[Move], lines: Sequence[Line[M]]) -> list[Line[M]]:
        """The lines that the budget allows to try: each at least twice before half of them go."""
        most = max(2, int(WIDTH * sqrt(self.playouts)))
        while most > 2 and self.playouts // _halvings(most) // most < 2:
            most -= 1
        found = list[Line[M]]()
        for line in dict.fromkeys(lines):
            if line != own and self.bot.refusal(view, line.move) is None:
                found.append(line)
                if len(found) == most - 1:
                    break
        return found


def _halvings(lines: int) -> int:
    """How many halvings leave one of so many lines, the bot's own line among them; at least 1."""
    return max(1, (lines - 1).bit_length())


class _Trial:
    """The rollouts of one decision: the value of each line in each imagined match, and the weights of these matches."""

    def __init__(self, search: LineSearch, view: View, lines: Sequence[Line[Move]], until: Until) -> None:
        self.search, self.view, self.lines, self.until = search, view, lines, until
        self.values = [list[float]() for _ in lines]
        self.weights = list[float]()
        bot = search.bot
        self.policies = [
            [search.policy if line.then is None or seat != bot.seat else line.then for seat in range(bot.players)]
            for line in lines
        ]
        self.ends = None if search.seconds is None else monotonic() + search.seconds
        self.late = False

    def race(self) -> int | None:
        """The number of the line to play in place of the bot's own, which is number 0; None to play its own."""
        alive, left = list(range(1, len(self.lines))), self.search.playouts
        for stage in range(_halvings(len(self.lines)), 0, -1):
            share = left // stage
            while not self._is_decided(alive):
                each = 1 + len(alive)
                matches = min(max(4, int(sqrt(self.search.playouts) / 2), len(self.weights)), share // each)
                if matches < 1 or self.late:
                    break
                self._play([0, *alive], matches)
                left, share = left - matches * each, share - matches * each
                alive = self._rank(alive)
            if stage > 1:
                alive = alive[: (len(alive) + 1) // 2]
        if not alive:
            return None
        gain, error = self._gain(alive[0])
        return alive[0] if gain > self.search.doubt * error else None

    def _gain(self, number: int, over: int = 0) -> tuple[float, float]:
        """How much more line ``number`` gains on average than line ``over``, and the standard error of that."""
        return mean_difference(self.values[number], self.values[over], self.weights)

    def _rank(self, alive: list[int]) -> list[int]:
        """The lines that may still be the best, best first."""
        gains = {number: self._gain(number) for number in alive}
        found = [each for each in alive if gains[each][0] + CUT * gains[each][1] > self.search.least]
        found.sort(key=lambda number: -gains[number][0])
        for number in found[1:]:
            behind, error = self._gain(number, found[0])
            if behind + CUT * error <= 0:
                found.remove(number)
        return found

    def _is_decided(self, alive: list[int]) -> bool:
        """Whether no line is left, or a single one that is surely better than the bot's own."""
        if len(alive) != 1 or not self.weights:
            return not alive
        gain, error = self._gain(alive[0])
        return gain > CUT * error

    def _play(self, tried: list[int], matches: int) -> None:
        """Play the lines ``tried`` in as many more imagined ``matches``, or in fewer if time runs out."""
        bot, ask = self.search.bot, self.view.ask(self.search.bot.rules)
        for done in range(0, matches, BATCH):
            size = min(BATCH, matches - done)
            for state, weight in bot.imagine(self.view, size):
                index = state.asks.index(ask)
                for number in tried:
                    first = {index: self.lines[number].move}
                    ended = bot.play_out(state, self.policies[number], self.until, first)
                    self.values[number].append(self.search.value(ended))
                self.weights.append(size * weight)
                if self.ends is not None and monotonic() >= self.ends:
                    self.late = True
                    return
