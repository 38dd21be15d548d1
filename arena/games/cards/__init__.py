"""I'm the Boss! The Card Game (rules C1 to C8), with every house rule that a rules file sets.

Modules by rule: C1 ``cards``, ``rules``; C2 ``setup``; C3 ``rounds``, with what is legal in ``legal`` and ``judge``; C4
``bargain``; C5 ``table`` (values and shares), ``settle``; C6 ``settle``, ``position`` (drawing); C7 ``state``; C8 keys
of ``rules``.

A bot imports its views and moves from here; the events are in :mod:`events`, and what most bots want to compute from a
view is in :mod:`arena.games.cards.strategy`.
"""

from arena.games.cards import events
from arena.games.cards.answers.hooks import HOOKS
from arena.games.cards.bot import (
    AcceptAnswer,
    CardsBot,
    DiscardAnswer,
    LeadAnswer,
    OfferAnswer,
    PlayAnswer,
)
from arena.games.cards.cards import CARDS, COLORS, Card, Color
from arena.games.cards.chances import CardsChances
from arena.games.cards.imagine import imagine, recall
from arena.games.cards.log.activities import cards_activities
from arena.games.cards.log.fold import cards_fold
from arena.games.cards.log.fold_table import CardsTable
from arena.games.cards.log.gifts import GIVING
from arena.games.cards.log.ledger import cards_ledger
from arena.games.cards.log.ledger_rows import CARDS_TABLES
from arena.games.cards.log.summary import SUMMARY
from arena.games.cards.moves import (
    Action,
    Bargain,
    Discard,
    Drop,
    Enough,
    Lead,
    NameColor,
    NoBargain,
    Pass,
    Play,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.cards.position import Termination
from arena.games.cards.presenting import PRESENTING
from arena.games.cards.rules import Rules, check_rules, seats
from arena.games.cards.sentences.tell import tell
from arena.games.cards.sentences.tell_ask import tell_move, tell_view
from arena.games.cards.sentences.tell_deals import tell_deals
from arena.games.cards.state import start_match
from arena.games.cards.views import (
    AcceptView,
    CardsView,
    Deal,
    DiscardView,
    LeadView,
    OfferView,
    PlayView,
)
from arena.games.contract import Game, No, Yes

GAME = Game(
    name="cards",
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
    swing=2000,
    fold=cards_fold,
    folded=CardsTable,
    summary=SUMMARY,
    giving=GIVING,
    imagine=imagine,
    recall=recall,
    tables=CARDS_TABLES,
    ledger=cards_ledger,
    activities=cards_activities,
    chances=CardsChances,
    presenting=PRESENTING,
)

__all__ = [
    "CARDS",
    "COLORS",
    "GAME",
    "AcceptAnswer",
    "AcceptView",
    "Action",
    "Bargain",
    "Card",
    "CardsBot",
    "CardsTable",
    "CardsView",
    "Color",
    "Deal",
    "Discard",
    "DiscardAnswer",
    "DiscardView",
    "Drop",
    "Enough",
    "Lead",
    "LeadAnswer",
    "LeadView",
    "NameColor",
    "No",
    "NoBargain",
    "OfferAnswer",
    "OfferView",
    "Pass",
    "Play",
    "PlayAnswer",
    "PlayView",
    "Propose",
    "Request",
    "Rules",
    "Shift",
    "Want",
    "Yes",
    "events",
]
