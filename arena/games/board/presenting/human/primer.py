"""An introduction to the board game for beginners: a few sentences for ``help game``, and single terms explained."""

from __future__ import annotations

from arena.games.board import views
from arena.games.contract import View

PRIMER = """\
Six families of investors. A family takes part in a deal through its placard, which lies in front of
one seat, or through a clan card of that family from anybody's hand. The marker stands on a space of
the ring; the space says which families a deal there needs, and how many dividends it pays. The deal
card says what one dividend is worth now; think of prices in dividends.

On your turn you open the deal under the marker, or roll, and then open or draw cards. Whoever opens a
deal is its Boss: the Boss receives all the money, and pays the others the agreed price for their
cards.

The bargaining runs in ticks. In each tick, first everybody may make offers (the Boss asks for cards,
the others offer theirs to the Boss); then each new offer is answered yes or no; then everybody may
play cards; last the Boss closes the deal, gives up, or goes on. Everybody answers at once, so you see
the table before the others' answers. Two ticks without anything new end the negotiation.

Cards: a travel card sends a placard (or a laid clan card) away for this deal; a boss card makes you
the Boss; three recruitment cards take a placard for good; a STOP cancels somebody's play.

After the last deal, whoever has most money wins. All rules: arena docs rules.
"""

GLOSSES: dict[type[View], tuple[str, str]] = {
    views.TurnView: (
        "dividend",
        (
            "A deal pays several dividends; the deal card says what one is worth. Whoever opens a deal is its Boss: "
            "the Boss gets all of the money, and pays the others the agreed price for their cards."
        ),
    ),
    views.OfferView: (
        "tick",
        (
            "A tick is one round of bargaining: everybody makes and answers offers, everybody may play cards, and "
            "the Boss closes or goes on. Ticks without anything new end the negotiation."
        ),
    ),
    views.AcceptView: ("agreement", "A yes makes an agreement, which is paid if this Boss closes with these cards."),
    views.InterruptView: ("STOP", "Whoever has a STOP card may cancel a play; the cancelled card is lost."),
    views.CloseView: (
        "closing",
        "To close, you need a card for every need of the space: your own, an agreed or an offered one.",
    ),
}
"""For each class of view a term that its ask needs, and the explanation shown at the first such ask."""

TURN_MOMENT, OFFERS_MOMENT, PLAYS_MOMENT, TICK_END_MOMENT = (
    "on your turn",
    "in the phase of offers",
    "in the phase of plays",
    "at the end of a tick",
)
MOMENTS = {
    "roll": TURN_MOMENT,
    "draw": f"{TURN_MOMENT}, after rolling",
    "open": TURN_MOMENT,
    "offer": f"{OFFERS_MOMENT}, while another is the Boss",
    "sell": f"{OFFERS_MOMENT}, while another is the Boss",
    "goodwill": f"{OFFERS_MOMENT}, while another is the Boss",
    "ask": f"{OFFERS_MOMENT}, while you are the Boss",
    "pay": f"{OFFERS_MOMENT}, while you are the Boss",
    "withdraw": OFFERS_MOMENT,
    "lay": PLAYS_MOMENT,
    "travel": PLAYS_MOMENT,
    "boss": PLAYS_MOMENT,
    "recruit": f"{PLAYS_MOMENT}, or when your hand is too large",
    "stop": "when somebody makes a play",
    "close": f"{TICK_END_MOMENT}, while you are the Boss",
    "give": f"{TICK_END_MOMENT}, while you are the Boss",
    "discard": "when your hand is too large",
    "yes": "when you are asked to agree",
    "no": "when you are asked to agree",
}
"""For each word the moment at which it can be typed."""
