"""The base class of bots that play the board game: every hook with its view and its possible answers."""

from __future__ import annotations

from arena.games.board.moves import CloseMove, DiscardMove, InterruptMove, OfferMove, PlaceMarker, TurnMove
from arena.games.board.rules import Rules
from arena.games.board.views import (
    AcceptView,
    CloseView,
    DiscardView,
    InterruptView,
    MarkerView,
    OfferView,
    TurnView,
)
from arena.games.contract import No, Yes
from arena.games.game_bot import Answer, Bot

MarkerAnswer = Answer[PlaceMarker]
TurnAnswer = Answer[TurnMove]
OfferAnswer = Answer[OfferMove] | None
AcceptAnswer = Answer[Yes | No | bool] | None
InterruptAnswer = Answer[InterruptMove] | None
CloseAnswer = Answer[CloseMove] | None
DiscardAnswer = Answer[DiscardMove]


class BoardBot(Bot, game="board"):
    """Base class of bots that play the board game. Override the hooks that your bot wants to be asked; for the other
    hooks the defaults are played."""

    rules: Rules

    def place_marker(self, view: MarkerView) -> MarkerAnswer:
        """Place the marker in the set-up (B2.4). Default: space 0."""
        raise NotImplementedError

    def turn(self, view: TurnView) -> TurnAnswer:
        """On turn, before and after rolling: open the deal, or roll, then draw (B3). Default: roll, then draw."""
        raise NotImplementedError

    def offer(self, view: OfferView) -> OfferAnswer:
        """All offers you want open, in the first phase of each tick (B4.5). Default: offers unchanged."""
        raise NotImplementedError

    def accept(self, view: AcceptView) -> AcceptAnswer:
        """Take the offer ``view.offer`` that seat ``view.by`` made you, or not (B4.5). Default: no."""
        raise NotImplementedError

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        """Make a play; where ``view.can_stop`` is set, spend a STOP against it (B4.6, B5). Default: no play."""
        raise NotImplementedError

    def close(self, view: CloseView) -> CloseAnswer:
        """As the Boss close the deal, give up, or go on, in the last phase of each tick (B4.5). Default: go on."""
        raise NotImplementedError

    def discard(self, view: DiscardView) -> DiscardAnswer:
        """Discard ``view.excess`` cards (B3.3, B8). Default: the lowest in kind order."""
        raise NotImplementedError
