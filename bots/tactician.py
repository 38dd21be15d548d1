"""Magnate with a tree search: before every answer it grows a tree in which rivals choose for themselves."""

from __future__ import annotations

from typing import TypeVar

from arena.bot import Start
from arena.bundled import Magnate
from arena.games.board import (
    AcceptAnswer,
    AcceptView,
    BoardView,
    CloseAnswer,
    CloseView,
    InterruptAnswer,
    InterruptView,
    OfferAnswer,
    OfferView,
    TurnAnswer,
    TurnView,
)
from arena.games.board.strategy import prospects, sensible_moves, until_turn
from arena.games.playout import PlayedOut
from arena.rollouts import Policy, TreeSearch, all_money_ahead

A = TypeVar("A")


class Tactician(Magnate):
    """It grows a tree of what may come of each sensible answer (information-set Monte Carlo tree search): in the tree
    every seat chooses what has been best for itself so far, and a magnate plays on from there until the next turn. Ends
    are worth how far a seat is ahead, with what its cards will bring. ``playouts`` is how many it makes at most for one
    answer. With ``single`` all seats choose by what its own seat sees, else each by what it sees itself.
    ``exploration`` says how much it tries moves that have looked worse so far, as a multiple of the range of values.
    It gives another answer than magnate's only if that is better by more than ``doubt`` standard errors. With
    ``seconds`` above 0 it also stops at this time, and no longer repeats itself."""

    def __init__(
        self,
        playouts: int = 100,
        single: bool = False,
        exploration: float = 0.4,
        doubt: float = 0.0,
        seconds: float = 0.0,
    ) -> None:
        super().__init__()
        self.playouts, self.single, self.exploration = playouts, single, exploration
        self.doubt, self.seconds = doubt, seconds

    def start(self, start: Start) -> None:
        self.search = TreeSearch(
            self,
            Policy(Magnate, self.rules, self.players, seed=start.seed),
            self.values,
            sensible_moves,
            self.playouts,
            single=self.single,
            seconds=self.seconds or None,
        )
        self.search.exploration, self.search.doubt = self.exploration, self.doubt

    def values(self, ended: PlayedOut) -> list[float]:
        """How far each seat is ahead at the end of a rollout, in $M."""
        return all_money_ahead(prospects(ended))

    def choose(self, view: BoardView, own: A) -> A:
        """Magnate's answer, or a better one."""
        return self.search.choose(view, own, until_turn(view, 1))

    def turn(self, view: TurnView) -> TurnAnswer:
        return self.choose(view, super().turn(view))

    def offer(self, view: OfferView) -> OfferAnswer:
        return self.choose(view, super().offer(view))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        return self.choose(view, super().accept(view))

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        return self.choose(view, super().interrupt(view))

    def close(self, view: CloseView) -> CloseAnswer:
        return self.choose(view, super().close(view))
