"""Tries whole lines before it answers, wherever it is asked: the more playouts, the more prices and plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

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
from arena.games.board.state import State
from arena.games.board.strategy import (
    candidate_closings,
    candidate_offers,
    candidate_plays,
    is_best_offer,
    mine,
    missing,
    no_deal,
    until_turn,
)
from arena.games.contract import NO, YES, No, Yes
from arena.games.playout import PlayedOut
from arena.rollouts import Line, LineSearch, Policy, money_ahead

VALUES = (
    (1.8, 0.6, 2.4, 0.8, 1.7, 8.0, 2.6),
    (1.75, 1.4, 1.7, 0.8, 1.8, 7.0, 2.6),
    (1.6, 2.2, 0.9, 1.3, 2.3, 5.0, 3.6),
    (0.7, 1.8, 0.4, 1.2, 1.4, 2.3, 3.8),
)
"""About what brings how many $M until the end of the match, for deals 1 to 3, 4 to 6, 7 to 9, and later: a clan card, a
family that it can represent, a recruitment card, a boss card, a STOP, a placard, and being on turn. Fitted to matches
of magnate and dealmaker (``tests/bench/hand_values.py``)."""
ASKED = (1.5, 2, 1, 2.5, 3, 1.25, 4, 0.75, 1.75, 3.5, 5, 6, 2.25)
PAID = (1, 0.8, 1.2, 0.6, 1.4, 0.9, 1.6, 1.1, 0.5, 1.8, 2, 1.3, 0.7)
"""The prices that it tries for a card, in dividends: what it asks as a partner, what it pays as the Boss."""
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
        state, money = cast(State, ended.state), [float(each) for each in ended.money]
        if state.outcome is None:
            clan, family, recruitment, boss, stop, placard, turn = VALUES[min(state.deal // 3, 3)]
            for seat, hand in enumerate(state.hands):
                own = [owner == seat for owner in state.owners]
                families = sum(has or held > 0 for has, held in zip(own, hand[:6], strict=True))
                money[seat] += placard * sum(own) + clan * sum(hand[:6]) + family * families
                money[seat] += recruitment * hand[13] + boss * hand[14] + stop * hand[15]
            money[state.on_turn] += turn
        return money_ahead(money, self.seat)

    def lines(self, moves: Sequence[M]) -> list[Line[M]]:
        """The moves, gone on with as magnate does, then with prices that are held."""
        return [Line(move, then) for then in (None, *self.held[:2]) for move in moves]

    def turn(self, view: TurnView) -> TurnAnswer:
        return self.search.choose(view, super().turn(view), self.lines([no_deal(view), Open()]), until_turn(view, 1))

    def offer(self, view: OfferView) -> OfferAnswer:
        boss = view.seat == view.boss
        prices = PAID if boss else ASKED
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
