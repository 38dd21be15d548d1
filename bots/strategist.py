"""Tries whole lines before it answers, wherever it is asked: the more playouts, the more prices and plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from arena.bot import Move, Start
from arena.bundled import Magnate
from arena.games.board import (
    AcceptAnswer,
    AcceptView,
    CloseAnswer,
    CloseView,
    InterruptAnswer,
    InterruptView,
    OfferAnswer,
    Offers,
    OfferView,
    Open,
    TurnAnswer,
    TurnView,
)
from arena.games.board.strategy import (
    ASKED_PRICES,
    PAID_PRICES,
    candidate_closings,
    candidate_offers,
    candidate_plays,
    is_best_offer,
    mine,
    missing,
    no_deal,
    prospects,
    until_turn,
)
from arena.games.contract import NO, YES, No, Yes
from arena.games.playout import PlayedOut
from arena.rollouts import Line, LineSearch, Policy, money_ahead

HELD = ((1.5, 1.0), (2.5, 0.8), (2.0, 0.6), (3.0, 1.2), (4.0, 1.5), (1.0, 1.0), (5.0, 1.8), (1.25, 0.9))
"""The prices that it can go on with to the end of a negotiation: what it asks, and what it pays."""
LEAST = 0.8
"""The part of its price for which it sells in a line that holds its prices."""
GAIN = 0.1
"""The gain in $M for which it takes no trouble."""
M = TypeVar("M", bound=Move)


class Strategist(Magnate):
    """It tries what magnate would answer against other lines, with a magnate in every other seat: a line is a move, and
    the prices that it holds from there on. A rollout lasts until the next turn, where money is counted with what cards,
    placards and the turn will bring. ``playouts`` is how many it makes at most for one answer, ``doubt`` by how many
    standard errors another line must be better to be played. With ``seconds`` above 0 it also stops at this time, and
    no longer repeats itself."""

    def __init__(self, playouts: int = 100, doubt: float = 0.0, seconds: float = 0.0) -> None:
        super().__init__()
        self.playouts, self.doubt, self.seconds = playouts, doubt, seconds

    def start(self, start: Start) -> None:
        policy = Policy(Magnate, self.rules, self.players, seed=start.seed)
        self.search = LineSearch(self, policy, self.worth, self.playouts, self.doubt, GAIN, self.seconds or None)
        self.held = [
            Policy(
                _Firm, self.rules, self.players, seed=start.seed, options={"asked": asked, "paid": paid}, events=False
            )
            for asked, paid in HELD
        ]

    def worth(self, ended: PlayedOut) -> float:
        """How far it is ahead at the end of a rollout, with what everybody's cards will bring, in $M."""
        return money_ahead(prospects(ended), self.seat)

    def lines(self, moves: Sequence[M]) -> list[Line[M]]:
        """The moves, gone on with as magnate does, then with prices that are held."""
        return [Line(move, then) for then in (None, *self.held[:2]) for move in moves]

    def turn(self, view: TurnView) -> TurnAnswer:
        return self.search.choose(view, super().turn(view), self.lines([no_deal(view), Open()]), until_turn(view, 1))

    def offer(self, view: OfferView) -> OfferAnswer:
        boss = view.seat == view.boss
        prices = PAID_PRICES if boss else ASKED_PRICES
        tried = list[Line[Offers]]()
        for price, offers in zip(prices, candidate_offers(view, self.rules, prices), strict=True):
            then = min(range(len(HELD)), key=lambda place: abs(HELD[place][boss] - price))
            tried.append(Line(offers, self.held[then]))
        if not any(line.move.offers for line in tried):
            return super().offer(view)
        tried.insert(6, Line(Offers(())))
        tried += [Line(line.move) for line in tried]
        return self.search.choose(view, super().offer(view), tried, until_turn(view, 1))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        answers: tuple[Yes | No, ...] = (YES, NO)
        lines = self.lines(answers) if is_best_offer(view) else []
        return self.search.choose(view, super().accept(view), lines, until_turn(view, 1))

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        lines = self.lines(candidate_plays(view, self.rules))
        return self.search.choose(view, super().interrupt(view), lines, until_turn(view, 1))

    def close(self, view: CloseView) -> CloseAnswer:
        lines = self.lines(candidate_closings(view, self.rules))
        return self.search.choose(view, super().close(view), lines, until_turn(view, 1))


class _Firm(Magnate):
    """A magnate that holds its prices: ``asked`` dividends for a card of its own, ``paid`` for one of another."""

    def __init__(self, asked: float, paid: float) -> None:
        super().__init__(asked=asked)
        self.paid = paid

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat == view.boss and not missing(view.space, mine(view)).number:
            return None
        (offers,) = candidate_offers(view, self.rules, [self.paid if view.seat == view.boss else self.asked])
        return offers

    def accept(self, view: AcceptView) -> AcceptAnswer:
        least = 0 if view.by != view.boss else int(LEAST * self.asked * view.dividend)
        return super().accept(view) is True and view.offer.price >= least
