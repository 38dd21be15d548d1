"""Tries what it could do in a round before it does it, by rollouts to the end of the round: usurper with a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from arena.bot import Move, Start
from arena.bundled import Closer, Usurper
from arena.games import cards
from arena.games.cards import strategy as on
from arena.games.cards.moves import OfferMove
from arena.games.cards.strategy import Choice
from arena.games.contract import NO, YES, No, Yes
from arena.rollouts import Line, LineSearch, Policy, money_ahead

GAIN = 2.0
"""The gain in $ for which it takes no trouble."""
A = TypeVar("A")
M = TypeVar("M", bound=Move)


class Schemer(Usurper):
    """It discards as usurper does. Everything else that usurper would do it tries against what else there is to do, in
    the order of usurper's own estimates: leads, turns, moves of a move card, bargains and the answers to them. In its
    rollouts a closer, which thinks a tenth as long, sits in every seat until the round is settled. ``playouts`` is how
    many it makes at most for one answer, ``doubt`` by how many standard errors another answer must be better to be
    given. With ``seconds`` above 0 it also stops at this time, and no longer repeats itself."""

    def __init__(self, playouts: int = 100, doubt: float = 1.0, seconds: float = 0.0) -> None:
        super().__init__()
        self.playouts, self.doubt, self.seconds = playouts, doubt, seconds

    def start(self, start: Start) -> None:
        self.search = LineSearch(
            self,
            Policy(Closer, self.rules, self.players, seed=start.seed),
            lambda ended: money_ahead(ended.money, self.seat),
            self.playouts,
            self.doubt,
            GAIN,
            self.seconds or None,
        )

    def choose(self, view: cards.CardsView, own: A, moves: Sequence[M]) -> A | M:
        """The bot's ``own`` answer, or a better one of the ``moves``."""
        return self.search.choose(view, own, [Line(move) for move in moves], on.until_round(view))

    def best_options(self, view: cards.CardsView) -> list[Choice]:
        """What it could do on its turn, best first."""
        self.look(view)
        return sorted(self.options(view), key=lambda choice: -self.score(view, choice))

    def lead(self, view: cards.LeadView) -> cards.LeadAnswer:
        own, leads = (
            super().lead(view),
            sorted(on.leads(view), key=lambda lead: (lead.card.worth < 0, abs(lead.card.worth))),
        )
        colors = {lead.card.color: lead for lead in reversed(leads)}
        return self.choose(view, own, [*colors.values(), *leads])

    def play(self, view: cards.PlayView) -> cards.PlayAnswer:
        own = super().play(view)
        if view.moving is not None:
            return self.choose(view, own, self.legal_moves(view))
        return self.choose(view, own, [on.as_play(choice.action) for choice in self.best_options(view)])

    def offer(self, view: cards.OfferView) -> cards.OfferAnswer:
        own = super().offer(view)
        if view.seat == view.boss:
            return self.choose(view, own, self.legal_moves(view))
        offers: list[OfferMove] = [cards.Propose(choice.action) for choice in self.best_options(view)]
        return self.choose(view, own, [cards.NoBargain(), *offers])

    def accept(self, view: cards.AcceptView) -> cards.AcceptAnswer:
        answers: tuple[Yes | No, ...] = (YES, NO)
        return self.choose(view, super().accept(view), answers)
