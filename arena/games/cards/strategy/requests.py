"""What a Boss could ask for in exchange for a Cousin token, and what a seat that grants it could do (C4.2)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from arena.games.cards.cards import Card
from arena.games.cards.moves import Bargain, Request, Want
from arena.games.cards.rules import Rules
from arena.games.cards.strategy.actions import Choice, Worth, choices
from arena.games.cards.strategy.holdings import unseen
from arena.games.cards.strategy.outlooks import Outlook, accepted
from arena.games.cards.views import AcceptView, CardsView, OfferView


class Ask(NamedTuple):
    """A request that the Boss may make: the outlook if it is granted, with only the smallest card that fulfils it, and
    the ``chance`` that the seat on turn can grant it."""

    request: Request
    outlook: Outlook
    chance: float


def asks(view: OfferView, rules: Rules) -> list[Ask]:
    """Every request that the viewer may make as the Boss, in the order of its legal moves. The chance assumes that the
    hand of the seat on turn is a random selection of the cards that the viewer has not seen."""
    rest = unseen(view, rules)
    total = max(1, sum(rest.values()))
    found = []
    for request in view.legal_moves(rules):
        if isinstance(request, Request):
            fitting = sum(count for card, count in rest.items() if fulfils(view, request, card))
            chance = 1 - (1 - fitting / total) ** view.hand_sizes[view.on_turn]
            then = accepted(view, rules, Bargain(view.seat, request))
            found.append(Ask(request, then, 1.0 if request.want in (Want.PASS, Want.GIFT) else chance))
    return found


def fulfils(view: CardsView, request: Request, card: Card) -> bool:
    """Whether a card of this kind, in the hand of the seat on turn, does what ``request`` asks for."""
    match request.want:
        case Want.POSITIVE:
            return card.color is view.color and card.worth >= request.least
        case Want.NEGATIVE:
            return card.color is view.color and -card.worth >= request.least
        case Want.POTA:
            return card.is_pota and card.color in (view.color, None)
        case Want.REVERSE:
            return card.is_reverse and card.color is view.color
        case Want.PASS | Want.GIFT:
            return False


def granted(view: AcceptView, rules: Rules, worth: Worth) -> list[Choice]:
    """What the viewer could do if it granted the request it is asked about, each action with the outlook after it,
    token included. Empty if it cannot grant it. Compare the result with :func:`choices`, which is without a token."""
    request = view.bargain.offer
    assert isinstance(request, Request)
    bound = replace(view, bound=None if request.want is Want.GIFT else request)
    return [each._replace(outlook=each.outlook.with_token(view.seat)) for each in choices(bound, rules, worth)]
