"""The moves that are worth a try at an ask, best guesses first: for bots that search."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.cards.moves import NoBargain, Propose
from arena.games.cards.rules import Rules
from arena.games.cards.strategy.actions import Choice, as_play, choices, next_shift
from arena.games.cards.strategy.holdings import leads
from arena.games.cards.strategy.outlooks import Outlook
from arena.games.cards.strategy.requests import asks
from arena.games.cards.views import CardsView, DiscardView, LeadView, OfferView, PlayView
from arena.games.contract import Move

REQUESTS = 6
"""How many requests of the Boss are tried."""


def sensible_moves(view: CardsView, rules: Rules) -> Iterator[Move]:
    """The legal moves that are worth a try at any ask, best guesses first; for a discard none, so that it is left to a
    policy.

    A lead: each kind of card, the smallest first. A turn: every action, first what leaves the viewer with most if the
    round ended now; a move card is used for what it brings at once. A seat's offer: no bargain, then these actions for
    a token; the Boss's: no bargain, then the :data:`REQUESTS` that promise most.
    """

    def worth(found: Outlook) -> float:
        return found.receives(view.seat)

    def best(drops: bool) -> list[Choice]:
        return sorted(choices(view, rules, worth, drops), key=lambda choice: -worth(choice.outlook))

    if isinstance(view, LeadView):
        yield from sorted(leads(view), key=lambda lead: abs(lead.card.worth)) or view.legal_moves(rules)
    elif isinstance(view, PlayView):
        if view.moving is None:
            yield from (as_play(choice.action) for choice in best(False))
        else:
            yield next_shift(view, rules, worth)
    elif isinstance(view, OfferView):
        yield NoBargain()
        if view.seat == view.boss:
            found = sorted(asks(view, rules), key=lambda ask: -ask.chance * worth(ask.outlook))
            yield from (ask.request for ask in found[:REQUESTS])
        else:
            yield from (Propose(choice.action) for choice in best(True))
    elif not isinstance(view, DiscardView):
        yield from view.legal_moves(rules)
