"""The base class of bots that play the card game: every hook with its view and its possible answers."""

from __future__ import annotations

from arena.games.cards.moves import Discard, LeadMove, OfferMove, PlayMove
from arena.games.cards.rules import Rules
from arena.games.cards.views import AcceptView, DiscardView, LeadView, OfferView, PlayView
from arena.games.contract import No, Yes
from arena.games.game_bot import Answer, Bot

LeadAnswer = Answer[LeadMove]
OfferAnswer = Answer[OfferMove] | None
AcceptAnswer = Answer[Yes | No | bool] | None
PlayAnswer = Answer[PlayMove]
DiscardAnswer = Answer[Discard] | None


class CardsBot(Bot, game="cards"):
    """Base class of bots that play the card game. Override the hooks that your bot wants to be asked; for the other
    hooks the defaults are played."""

    rules: Rules

    def lead(self, view: LeadView) -> LeadAnswer:
        """As the Boss begin the round with a card, or name its colour (C3.1). Default: the first legal card."""
        raise NotImplementedError

    def offer(self, view: OfferView) -> OfferAnswer:
        """On your turn propose an action to the Boss; as the Boss request one of the seat on turn (C4.2). Default: no
        bargain."""
        raise NotImplementedError

    def accept(self, view: AcceptView) -> AcceptAnswer:
        """Take the offer of ``view.bargain``, or not (C4.2). Default: no."""
        raise NotImplementedError

    def play(self, view: PlayView) -> PlayAnswer:
        """Your turn (C3.2); while ``view.moving`` is set, the next move of a move card (C3.3). Default: pass, or what
        was agreed; the first legal move of a move card, then enough."""
        raise NotImplementedError

    def discard(self, view: DiscardView) -> DiscardAnswer:
        """Discard up to ``view.most`` cards between rounds (C6.2). Default: none."""
        raise NotImplementedError
