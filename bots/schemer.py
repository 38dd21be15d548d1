"""Plays rounds to their end in its head where few rivals are left to answer, and before it leads: usurper with a
search."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Any, TypeVar, cast

from arena.bot import Move, Start
from arena.bundled import Usurper
from arena.games import cards
from arena.games.cards import CARDS, CardsView, NoBargain, Propose
from arena.games.cards import strategy as on
from arena.games.cards.state import State
from arena.games.cards.strategy import Choice
from arena.games.contract import NO, YES, Imagined, No, Yes
from arena.games.playout import PlayedOut
from arena.rollouts import Line, LineSearch, Policy

SWING, LAST = 100.0, 20.0
"""How far money still moves, in $, for each seat with one round to come; and in the last round."""
POTA, REVERSE, MOVE, MORE, LESS = 37, 43, 26, 14, 8
"""About what a card that is left in hand brings until the end of the match, in $: a POTA, a reverse card, each move of
a move card, each point of a positive and of a negative card."""
GAIN = 0.001
"""The chance of winning for which it takes no trouble."""
VALUES = (0.6, 0.08)
"""How much less likely a seat that is still in holds one more value card of the colour, before and after its first
pass: seats spend these cards first."""
OTHERS = (1.7, 1.35)
"""How much more likely it holds one more of the other cards of the colour, which seats keep."""
DRAWN = 5
"""How many times as many matches are imagined as played, so that the likeliest can be played."""
A = TypeVar("A")
M = TypeVar("M", bound=Move)


def _left(card: cards.Card) -> int:
    """What a card that is left in hand brings, in $."""
    if card.is_pota or card.is_reverse:
        return POTA if card.is_pota else REVERSE
    return MOVE * card.moves + (MORE * card.worth if card.worth > 0 else -LESS * card.worth)


def swing(players: int, rounds: int) -> float:
    """How far money still moves, in $, at a table of so many players with so many rounds to come."""
    return SWING * players * rounds**0.7 if rounds else LAST


LEFT = [_left(card) for card in CARDS]


class Schemer(Usurper):
    """It plays as usurper while more than ``few`` rivals can answer. Its leads, and with fewer rivals its turns, what
    it offers the Boss and its answers to bargains, it tries against what else there is to do, in rollouts to the end of
    the round in which everybody plays as usurper. The end of a round is worth the chance to win the match, judged by
    how far money still moves. ``playouts`` is how many rollouts it makes at most for one answer, ``doubt`` by how many
    standard errors another answer must be better to be given. With ``seconds`` above 0 it also stops at this time, and
    no longer repeats itself."""

    def __init__(self, playouts: int = 100, doubt: float = 0.5, few: int = 2, seconds: float = 0.0) -> None:
        super().__init__()
        self.playouts, self.doubt, self.few, self.seconds = playouts, doubt, few, seconds

    def start(self, start: Start) -> None:
        self.scale, self.later = 1.0, False
        policy = Policy(Usurper, self.rules, self.players, seed=start.seed, events=False)
        self.search = LineSearch(self, policy, self.chance, self.playouts, self.doubt, GAIN, self.seconds or None)

    def chance(self, ended: PlayedOut) -> float:
        """Its chance to win from this end of a round: as exp(money) is to the sum of all seats' exp(money), in units of
        how far money still moves."""
        money = list(map(float, ended.money))
        if self.later:
            for seat, hand in enumerate(cast(State, ended.state).hands):
                money[seat] += sum(map(int.__mul__, hand, LEFT))
        own = money[self.seat]
        return 1.0 / sum(exp(max(-30.0, min(30.0, (each - own) / self.scale))) for each in money)

    def choose(self, view: CardsView, own: A, moves: Sequence[M]) -> A | M:
        """The bot's ``own`` answer, or a better one of the ``moves``."""
        rounds = view.rounds - view.round
        self.later, self.scale = rounds > 0, swing(self.players, rounds)
        return self.search.choose(view, own, [Line(move) for move in moves], on.until_round(view))

    def imagine(self, view: Any, n: Any = None, weigh: Any = None) -> Any:
        """As for every bot; of the numbered ones, those that explain best why others are still in come most often."""
        if n is None or view.color is None:
            return super().imagine(view, n, weigh)
        suit = [kind for kind, card in enumerate(CARDS) if card.color in (view.color, None)]
        values = [kind for kind in suit if CARDS[kind].worth]
        rivals = [(seat, view.passes[seat]) for seat in on.still_in(view) if seat != view.seat]
        keys = []
        for place, (state, weight) in enumerate(super().imagine(view, DRAWN * n, weigh)):
            for seat, turned in rivals:
                hand = cast(State, state).hands[seat]
                held = sum(hand[kind] for kind in values)
                weight *= VALUES[turned] ** held * OTHERS[turned] ** (sum(hand[kind] for kind in suit) - held)
            keys.append((log(1.0 - self.random.random()) / max(weight, 1e-30), place, state))
        keys.sort(reverse=True)
        return [Imagined(state, 1 / n) for _, _, state in keys[:n]]

    def is_late(self, view: CardsView) -> bool:
        """Whether few rivals are left to answer, and one at least no longer does."""
        return sum(seat != view.seat for seat in on.still_in(view)) <= min(self.few, self.players - 2)

    def best(self, view: CardsView) -> list[Choice]:
        """What it could do on its turn, best first by usurper's estimate."""
        self.look(view)
        return sorted(self.options(view), key=lambda choice: -self.score(view, choice))

    def lead(self, view: cards.LeadView) -> cards.LeadAnswer:
        leads = sorted(on.leads(view), key=lambda lead: (lead.card.worth < 0, abs(lead.card.worth)))
        smallest = {lead.card.color: lead for lead in reversed(leads)}
        return self.choose(view, super().lead(view), [*smallest.values(), *leads])

    def play(self, view: cards.PlayView) -> cards.PlayAnswer:
        own = super().play(view)
        if view.moving is not None or not self.is_late(view):
            return own
        return self.choose(view, own, [on.as_play(choice.action) for choice in self.best(view)])

    def offer(self, view: cards.OfferView) -> cards.OfferAnswer:
        own = super().offer(view)
        if view.seat == view.boss or not self.is_late(view):
            return own
        offers: list[NoBargain | Propose] = [NoBargain(), *[Propose(choice.action) for choice in self.best(view)]]
        return self.choose(view, own, offers)

    def accept(self, view: cards.AcceptView) -> cards.AcceptAnswer:
        answers: tuple[Yes | No, ...] = (YES, NO)
        own = super().accept(view)
        return self.choose(view, own, answers) if self.is_late(view) else own
