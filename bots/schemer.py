"""Plays rounds to their end in its head before it leads, plays or strikes a bargain: usurper with a search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, sqrt
from typing import NamedTuple, TypeVar

from arena.bot import Move, Start
from arena.bundled import Usurper
from arena.games import cards
from arena.games.cards import Card, CardsView
from arena.games.cards import strategy as on
from arena.games.cards.strategy import Outlook
from arena.games.contract import NO, YES
from arena.games.playout import PlayedOut
from arena.rollouts import Line, LineSearch, Policy

SWING, LAST = 150.0, 40.0
"""How far money still moves: so many $ times the root of the rounds to come, and so many in the round itself."""
SWAY, FLIP = 0.8, 0.05
"""As of tycoon: how far an unseen card moves the centre as its owner wants it, and the chance of a stake to turn."""
GAIN = 0.005
"""The chance of winning for which it takes no trouble."""
A = TypeVar("A")
M = TypeVar("M", bound=Move)


class Schemer(Usurper):
    """It offers and discards as usurper does. Its leads, turns and answers to bargains it tries against what else there
    is to do, in the order of usurper's own estimates, in rollouts to the end of the round. There everybody plays as
    usurper does at a glance, without bargains. The end of a round is worth the chance to win the match, judged by how
    far money still moves in the rounds to come. ``playouts`` is how many rollouts it makes at most for one answer,
    ``doubt`` by how many standard errors another answer must be better to be given. With ``seconds`` above 0 it also
    stops at this time, and no longer repeats itself."""

    def __init__(self, playouts: int = 40, doubt: float = 1.0, seconds: float = 0.0) -> None:
        super().__init__()
        self.playouts, self.doubt, self.seconds = playouts, doubt, seconds

    def start(self, start: Start) -> None:
        self.scale = 1.0
        policy = Policy(_Glance, self.rules, self.players, seed=start.seed, events=False)
        self.search = LineSearch(self, policy, self.chance, self.playouts, self.doubt, GAIN, self.seconds or None)

    def chance(self, ended: PlayedOut) -> float:
        """Its chance to win from this end of a round: as exp(money) is to the sum of all seats' exp(money), in units of
        how far money still moves."""
        own = ended.money[self.seat]
        return 1.0 / sum(exp(max(-30.0, min(30.0, (money - own) / self.scale))) for money in ended.money)

    def choose(self, view: CardsView, own: A, moves: Sequence[M]) -> A | M:
        """The bot's ``own`` answer, or a better one of the ``moves``."""
        self.scale = LAST + SWING * sqrt(view.rounds - view.round)
        return self.search.choose(view, own, [Line(move) for move in moves], on.until_round(view))

    def lead(self, view: cards.LeadView) -> cards.LeadAnswer:
        own = super().lead(view)
        leads = sorted(on.leads(view), key=lambda lead: (lead.card.worth < 0, abs(lead.card.worth)))
        smallest = {lead.card.color: lead for lead in reversed(leads)}
        return self.choose(view, own, [*smallest.values(), *leads])

    def play(self, view: cards.PlayView) -> cards.PlayAnswer:
        own = super().play(view)
        if view.moving is not None:
            return own
        best = sorted(self.options(view), key=lambda choice: -self.score(view, choice))
        return self.choose(view, own, [on.as_play(choice.action) for choice in best])

    def accept(self, view: cards.AcceptView) -> cards.AcceptAnswer:
        return self.choose(view, super().accept(view), (YES, NO))


class _Powers(NamedTuple):
    """What a hand could do in a round: moves of move cards, points up and down, POTAs, reverse cards."""

    moves: int
    up: int
    down: int
    potas: int
    reverses: int


@lru_cache(maxsize=8192)
def _powers(hand: tuple[Card, ...]) -> _Powers:
    return _Powers(
        sum(card.moves for card in hand),
        sum(max(0, card.worth) for card in hand),
        sum(min(0, card.worth) for card in hand),
        sum(card.is_pota for card in hand),
        sum(card.is_reverse for card in hand),
    )


class _Glance(Usurper):
    """usurper at a glance, for rollouts: it does not bargain, and values a round by what the centre is expected to be,
    not by what else it might be. It takes a fifth of usurper's time."""

    def offer(self, view: cards.OfferView) -> None:
        return None

    def accept(self, view: cards.AcceptView) -> bool:
        return False

    def worth(self, view: CardsView, found: Outlook, hand: list[Card]) -> float:
        """As of tycoon, for the expected centre alone."""
        me, stakes, passes, seats = view.seat, found.stakes, found.passes, view.players
        mean, centre, rivals = sum(stakes) / seats, float(found.centre), 0
        for seat, turned in enumerate(passes):
            if turned < 2 and seat != me:
                rivals += 1
                wish = (stakes[seat] - mean) * seats / (seats - 1)
                centre += SWAY * (self.cards[seat] + 0.3) * (1.0 if wish > 1 else -1.0 if wish < -1 else wish)
        keep, have, own, inside = max(0.0, 1 - 2 * FLIP * rivals), self.money[me], stakes[me], passes[me] < 2
        others = [
            (stake * (keep if turned < 2 else 1.0), weight, money)
            for stake, turned, weight, money in zip(stakes, passes, self.weight, self.money, strict=True)
            if stake and weight
        ]

        def value_and_rest(by: float) -> tuple[int, float]:
            """What a share is worth with so many points more, and what the others then receive."""
            value = found.value_of(round(centre + by))
            return value, sum([weight * max(value * stake, -money) for stake, weight, money in others])

        value, rest = value_and_rest(0.0)
        plain = best = max(value * own * (keep if inside else 1.0), -have) - rest
        if not inside or not hand:
            return plain
        power = _powers(tuple(hand))
        most = found.shares[me] + power.potas
        low, high = sorted((own, -most if found.reverses[me] % 2 else most))
        if power.reverses or (power.moves and found.reverses[me]):
            low, high = min(low, -high), max(high, -low)
        up = power.up + 2.5 * power.moves * (found.centre < 0)
        down = power.down - 2.5 * power.moves * (found.centre > 0)
        for by in (0.0, up, down):
            if by:
                value, rest = value_and_rest(by)
            best = max(best, max(value * keep * (high if value > 0 else low), -have) - rest)
        return plain + (self.hope if rivals else 1.0) * (best - plain)
