"""What most bots want to know about a card-game view, ready to import; the views hold everything else.

Every function reads a view (and the rules where editions differ), keeps nothing and changes nothing. Money is whole $,
seats count from 0 clockwise. The central class is :class:`Outlook`: the result of the round if it ended now, or after
an action::

    from arena.games.cards.strategy import after, best_shifts, choices, outlook, wealth

    worth = lambda found: found.receives(view.seat)
    best = max(choices(view, self.rules, worth), key=lambda choice: worth(choice.outlook))
"""

from __future__ import annotations

from arena.games.cards.strategy.actions import Choice, Worth, as_play, best_shifts, choices, next_shift
from arena.games.cards.strategy.candidates import sensible_moves
from arena.games.cards.strategy.forecasts import forecast
from arena.games.cards.strategy.holdings import (
    best_color,
    expected_cards,
    leads,
    playable,
    still_in,
    strength,
    suit,
    unseen,
    until_round,
    weakest,
    wealth,
)
from arena.games.cards.strategy.outlooks import Outlook, accepted, after, outlook, shifted
from arena.games.cards.strategy.requests import Ask, asks, fulfils, granted

__all__ = [
    "Ask",
    "Choice",
    "Outlook",
    "Worth",
    "accepted",
    "after",
    "as_play",
    "asks",
    "best_color",
    "best_shifts",
    "choices",
    "expected_cards",
    "forecast",
    "fulfils",
    "granted",
    "leads",
    "next_shift",
    "outlook",
    "playable",
    "sensible_moves",
    "shifted",
    "still_in",
    "strength",
    "suit",
    "unseen",
    "until_round",
    "weakest",
    "wealth",
]
