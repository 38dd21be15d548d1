"""What most bots want to compute from a board-game view, ready to import; the views hold everything else.

Every function reads a view (and the rules where editions differ), stores nothing and changes nothing. A *family* is
what fills a need (B4.2); a seat represents it with its placard or with a clan card. Money is whole $M::

    from arena.games.board.strategy import best_closing, bids, goods, mine, missing, no_deal, within_reach
"""

from __future__ import annotations

from arena.games.board.strategy.bargaining import bids, can_give, goods, legal_price, my_income, wealth
from arena.games.board.strategy.candidates import (
    ASKED_PRICES,
    PAID_PRICES,
    candidate_closings,
    candidate_offers,
    candidate_plays,
    is_best_offer,
    sensible_moves,
)
from arena.games.board.strategy.closings import Deal, best_closing
from arena.games.board.strategy.needs import (
    Missing,
    boss_has,
    clans_in_hand,
    fillable,
    mine,
    missing,
    on_table,
    placards_of,
)
from arena.games.board.strategy.promises import exposed, is_promise, peace, worth_buying
from arena.games.board.strategy.prospects import prospects
from arena.games.board.strategy.spoiling import spoilers, travel_card
from arena.games.board.strategy.turns import (
    best_recruit,
    can_recruit,
    demand,
    fit_hand,
    may_open,
    no_deal,
    recruitable,
    until_turn,
    within_reach,
)

__all__ = [
    "ASKED_PRICES",
    "PAID_PRICES",
    "Deal",
    "Missing",
    "best_closing",
    "best_recruit",
    "bids",
    "boss_has",
    "can_give",
    "can_recruit",
    "candidate_closings",
    "candidate_offers",
    "candidate_plays",
    "clans_in_hand",
    "demand",
    "exposed",
    "fillable",
    "fit_hand",
    "goods",
    "is_best_offer",
    "is_promise",
    "legal_price",
    "may_open",
    "mine",
    "missing",
    "my_income",
    "no_deal",
    "on_table",
    "peace",
    "placards_of",
    "prospects",
    "recruitable",
    "sensible_moves",
    "spoilers",
    "travel_card",
    "until_turn",
    "wealth",
    "within_reach",
    "worth_buying",
]
