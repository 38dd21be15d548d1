"""Tries out what it does in a negotiation before it does it: flat Monte Carlo on top of dealmaker."""

from __future__ import annotations

from typing import cast

from arena.bot import Start
from arena.bundled import Dealmaker
from arena.games.board import (
    AcceptAnswer,
    AcceptView,
    BoardView,
    Card,
    CloseAnswer,
    CloseView,
    GiveUp,
    GoOn,
    InterruptAnswer,
    InterruptView,
    Offer,
    OfferAnswer,
    Offers,
    OfferView,
    Pass,
    Stop,
    TakeOver,
)
from arena.games.board.moves import CloseMove, InterruptMove
from arena.games.board.strategy import (
    best_closing,
    best_recruit,
    can_recruit,
    legal_price,
    mine,
    missing,
    spoilers,
    until_turn,
)
from arena.games.contract import NO, YES, No, Yes
from arena.games.playout import PlayedOut
from arena.rollouts import FlatSearch, Policy, money_ahead

CARD = 0.5
"""What a card left in the hand is worth, in $M."""
CHEAPER, DEARER = 0.75, 1.35
"""The prices that it tries beside dealmaker's, as parts of those."""


class Planner(Dealmaker):
    """It opens, draws and discards as dealmaker does. In a negotiation it tries what dealmaker would answer against a
    few other answers, by rollouts to the end of the negotiation with a dealmaker in every seat. ``playouts`` is how
    many it makes for one answer, ``doubt`` by how many standard errors another answer must be better to be given. With
    ``seconds`` above 0 it also stops at this time, and no longer repeats itself.

    What it tries: all its offers at three quarters of their prices, and at a third more; yes and no; a STOP or none; no
    play, a takeover, a recruitment, and the play that spoils the deal; closing as cheaply as possible, going on, and
    giving up.
    """

    def __init__(
        self, playouts: int = 24, doubt: float = 1.0, seconds: float = 0.0, bar: float = 4.0, ripe: int = 4
    ) -> None:
        super().__init__(bar, ripe)
        self.playouts, self.doubt, self.seconds = playouts, doubt, seconds

    def start(self, start: Start) -> None:
        policy = Policy(Dealmaker, self.rules, self.players, seed=start.seed)
        self.search = FlatSearch(self, policy, self.worth, self.playouts, self.doubt, self.seconds or None)

    def worth(self, ended: PlayedOut) -> float:
        """What the end of a rollout is worth, in $M."""
        hand = cast(BoardView, ended.state.look(self.seat)).hand
        return money_ahead(ended.money, self.seat) + CARD * len(hand)

    def offer(self, view: OfferView) -> OfferAnswer:
        own = super().offer(view)
        if not isinstance(own, Offers):
            return own
        others = [self.priced(view, own, CHEAPER), self.priced(view, own, DEARER)]
        return self.search.choose(view, own, others, until_turn(view, 1))

    def priced(self, view: BoardView, own: Offers, by: float) -> Offers:
        """The offers at other prices."""
        found = (Offer(o.to, legal_price(view, self.rules, o.price * by), o.placards, o.clans) for o in own.offers)
        return Offers(tuple(dict.fromkeys(found)))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        others: tuple[Yes | No, ...] = (YES, NO)
        return self.search.choose(view, super().accept(view), others, until_turn(view, 1))

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        others: list[InterruptMove] = [Pass()]
        if view.can_stop is not None:
            others += [Stop()] if Card.STOP in view.hand else []
        else:
            others += [TakeOver()] if Card.BOSS in view.hand else []
            others += spoilers(view)[:1]
            if can_recruit(view):
                others.append(best_recruit(view, self.rules, missing(view.space, mine(view))))
        return self.search.choose(view, super().interrupt(view), others, until_turn(view, 1))

    def close(self, view: CloseView) -> CloseAnswer:
        deal = best_closing(view, self.rules)
        others: list[CloseMove] = [GoOn(), GiveUp()]
        if deal is not None:
            others.append(deal.close)
        return self.search.choose(view, super().close(view), others, until_turn(view, 1))
