"""The board game I'm the Boss! (rules B1 to B9), in every edition that a rules file describes.

Modules by rule: B1 ``cards``, ``rules``; B2 ``setup``; B3 ``turn``; B4 ``negotiation``, with what is legal in
``legal``, ``judge`` and ``closing``; B5 ``plays``; B6, B7 ``settle``; B8 keys of ``rules``; B9 ``closing``.

A bot imports its views and moves from here; the events are in :mod:`events`, and what most bots want to compute from a
view is in :mod:`arena.games.board.strategy`.
"""

from arena.games.board import events
from arena.games.board.answers.hooks import HOOKS
from arena.games.board.bot import (
    AcceptAnswer,
    BoardBot,
    CloseAnswer,
    DiscardAnswer,
    InterruptAnswer,
    MarkerAnswer,
    OfferAnswer,
    TurnAnswer,
)
from arena.games.board.cards import CARDS, FAMILIES, Card, Family
from arena.games.board.chances import BoardChances
from arena.games.board.imagine import imagine, recall
from arena.games.board.log.activities import board_activities
from arena.games.board.log.fold import board_fold
from arena.games.board.log.fold_table import BoardTable, TablePlacard
from arena.games.board.log.gifts import GIVING
from arena.games.board.log.ledger import board_ledger
from arena.games.board.log.ledger_rows import BOARD_TABLES
from arena.games.board.log.summary import SUMMARY
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
from arena.games.board.phases.plays import held_plays
from arena.games.board.position import Termination
from arena.games.board.presenting import PRESENTING
from arena.games.board.rules import Rules, check_rules, seats
from arena.games.board.sentences.tell import tell
from arena.games.board.sentences.tell_ask import tell_move, tell_view
from arena.games.board.sentences.tell_deals import tell_deals
from arena.games.board.spaces import Choice, Space
from arena.games.board.state import start_match
from arena.games.board.views import (
    AcceptView,
    BoardView,
    ClosedDeal,
    CloseView,
    DiscardView,
    InterruptView,
    MarkerView,
    NamedClosing,
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
    terminations=Termination,
    start=start_match,
    check_rules=check_rules,
    seats=seats,
    tell=tell,
    tell_move=tell_move,
    tell_view=tell_view,
    tell_deals=tell_deals,
    imagine=imagine,
    recall=recall,
    unit="$M",
    fold=board_fold,
    folded=BoardTable,
    tables=BOARD_TABLES,
    ledger=board_ledger,
    activities=board_activities,
    summary=SUMMARY,
    chances=BoardChances,
    giving=GIVING,
    held=held_plays,
    presenting=PRESENTING,
)

__all__ = [
    "CARDS",
    "FAMILIES",
    "GAME",
    "AcceptAnswer",
    "AcceptView",
    "Agreement",
    "BoardBot",
    "BoardTable",
    "BoardView",
    "Card",
    "Choice",
    "Close",
    "CloseAnswer",
    "CloseView",
    "ClosedDeal",
    "Discard",
    "DiscardAnswer",
    "DiscardView",
    "Draw",
    "Family",
    "GiveUp",
    "GoOn",
    "InterruptAnswer",
    "InterruptView",
    "Lay",
    "MarkerAnswer",
    "MarkerView",
    "NamedClosing",
    "No",
    "Offer",
    "OfferAnswer",
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
    "TablePlacard",
    "TakeOver",
    "Travel",
    "TurnAnswer",
    "TurnView",
    "Unchanged",
    "Yes",
    "events",
]
