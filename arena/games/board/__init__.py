"""The board game I'm the Boss! (rules B1 to B9), in every edition that a rules file describes.

Where a rule is found: B1 ``cards``, ``rules``; B2 ``setup``; B3 ``turn``; B4 ``negotiation``, with what is legal in
``legal``, ``judge`` and ``closing``; B5 ``plays``; B6, B7 ``settle``; B8 keys of ``rules``; B9 ``closing``.

A bot imports from here what it is shown and what it may answer; what happened stands in :mod:`events`, and what most
bots want to know of a view in :mod:`arena.games.board.strategy`.
"""

from arena.games.board import events
from arena.games.board.answers import HOOKS
from arena.games.board.cards import CARDS, FAMILIES, Card, Family
from arena.games.board.moves import (
    Agreement,
    Close,
    Discard,
    Draw,
    GiveUp,
    GoOn,
    Lay,
    Offer,
    Offers,
    Open,
    Pass,
    PlaceMarker,
    Recruit,
    Roll,
    Stop,
    TakeOver,
    Travel,
    Unchanged,
)
from arena.games.board.rules import Rules, Space, check_rules, seats
from arena.games.board.state import start
from arena.games.board.tell import tell
from arena.games.board.views import (
    AcceptView,
    BoardView,
    ClosedDeal,
    CloseView,
    DiscardView,
    InterruptView,
    MarkerView,
    OfferView,
    OpenOffer,
    OpenPlay,
    Placard,
    TurnView,
)
from arena.games.contract import Game, No, Yes

GAME = Game(
    name="board",
    hooks=HOOKS,
    rules_type=Rules,
    events=events.EVENTS,
    start=start,
    check_rules=check_rules,
    seats=seats,
    tell=tell,
    unit="$M",
)

__all__ = [
    "CARDS",
    "FAMILIES",
    "GAME",
    "AcceptView",
    "Agreement",
    "BoardView",
    "Card",
    "Close",
    "CloseView",
    "ClosedDeal",
    "Discard",
    "DiscardView",
    "Draw",
    "Family",
    "GiveUp",
    "GoOn",
    "InterruptView",
    "Lay",
    "MarkerView",
    "No",
    "Offer",
    "OfferView",
    "Offers",
    "Open",
    "OpenOffer",
    "OpenPlay",
    "Pass",
    "Placard",
    "PlaceMarker",
    "Recruit",
    "Roll",
    "Rules",
    "Space",
    "Stop",
    "TakeOver",
    "Travel",
    "TurnView",
    "Unchanged",
    "Yes",
    "events",
]
