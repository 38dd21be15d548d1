"""An introduction to the card game for beginners: a few sentences for ``help game``, and single terms explained."""

from __future__ import annotations

from arena.games.cards import views
from arena.games.contract import View

PRIMER = """\
Each round is one deal, with one seat as its Boss. The Boss leads a positive or negative card: its
colour is the colour of the round. Then everybody in turn plays a card of that colour, or passes.
Positive and negative cards go to the centre; their sum, times the multiplier, is what a share is worth
when the round ends. It can be negative: then everybody with shares pays.

The Boss has a share. A POTA (a piece of the action) in front of you is also a share, and so is a
Cousin token, which the Boss may give you: you offer the Boss an exact action for it, or the Boss asks
you for a kind of action. With a reverse card in front of you, you pay what you would get. Move cards
take cards off the table, or from one seat to another.

Passing turns one of your two disks; with both turned you are out of the round. When all are out, the
round is settled. After the last round, whoever has most money wins. All rules: arena docs card-rules.
"""

GLOSSES: dict[type[View], tuple[str, str]] = {
    views.LeadView: (
        "Boss",
        "The Boss of a round has a share of its deal, and a few Cousin tokens; each gives another seat a share.",
    ),
    views.OfferView: ("Cousin", "A Cousin token is a share, given for one exact action (or kind of action)."),
    views.PlayView: (
        "share",
        (
            "When the round ends, a share pays the sum of the centre times the multiplier; if that is negative, a "
            "share costs as much. Shares: the Boss, each Cousin, and each POTA in front of a seat."
        ),
    ),
}
"""For each class of view a term that its ask needs, and the explanation shown at the first such ask."""

MOMENTS = {
    "lead": "when you begin a round as its Boss",
    "propose": "before your turn, while you have no Cousin token",
    "request": "before the turns of others, while you are the Boss",
    "play": "on your turn",
    "pass": "on your turn",
    "drop": "on your turn, if a bargain says so",
    "move": "after you have played a move card",
    "enough": "after a move of a move card",
    "discard": "between rounds",
    "keep": "between rounds",
    "yes": "when you are asked to agree",
    "no": "when you are asked to agree",
}
"""For each word the moment at which it can be typed."""
