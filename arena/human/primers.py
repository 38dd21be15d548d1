"""The games for who has never played them: in a few sentences, which ``help game`` shows, and word by word."""

from __future__ import annotations

from arena.games.board import views as board
from arena.games.cards import views as cards
from arena.games.contract import View

BOARD = """\
Six families of investors. Each family is brought into a deal by its placard, which lies in front of
one seat, or by a clan card of that family out of anybody's hand. The marker stands on a space of the
ring; the space says which families a deal there needs, and how many dividends it pays. The deal card
says what one dividend is worth now, so prices are best thought of in dividends.

On your turn you open the deal under the marker, or roll, and then open or draw cards. Who opens a deal
is its Boss: the Boss receives all the money, and pays the others what was agreed for their cards.

The bargaining runs in ticks. In each tick: first everybody may make offers (the Boss asks for cards,
the others offer theirs to the Boss); then each new offer is answered yes or no; then everybody may
play cards; last the Boss closes the deal, gives up, or goes on. Everybody answers at once, so what
you see is the table before the others' answers. Two ticks in which nothing new happens end it.

Cards: a travel card sends a placard (or a laid clan card) away for this deal; a boss card makes you the
Boss; three recruitment cards take a placard for good; a STOP cancels somebody's play.

When the last deal is over, whoever has most money wins. All rules: arena docs rules.
"""

CARDS = """\
Each round is one deal, with one seat as its Boss. The Boss leads a positive or negative card: its
colour is the colour of the round. Then everybody in turn plays a card of that colour, or passes.
Positive and negative cards go to the centre; their sum, times the multiplier, is what a share is worth
when the round ends. It can be negative: then whoever has shares pays.

The Boss has a share. A POTA (a piece of the action) in front of you is a share too, and so is a Cousin
token, which the Boss may give you: you offer the Boss an exact action for it, or the Boss asks you
for a kind of action. A reverse card in front of you turns what you would get into what you pay. Move
cards take cards off the table, or from one seat to another.

Passing turns one of your two disks; with both turned you are out of the round. When all are out the
round is settled. Whoever has most money after the last round wins. All rules: arena docs card-rules.
"""

BOARD_GLOSSES: dict[type[View], tuple[str, str]] = {
    board.TurnView: (
        "dividend",
        (
            "A deal pays its dividends, each worth what the deal card says. Who opens a deal is its Boss: it gets "
            "all of the money, and pays the others what was agreed for their cards."
        ),
    ),
    board.OfferView: (
        "tick",
        (
            "A tick is one round of bargaining: everybody makes offers, they are answered, everybody may play cards, "
            "and the Boss closes or goes on. Ticks without anything new end the negotiation."
        ),
    ),
    board.AcceptView: ("agreement", "A yes is an agreement: it is paid if this Boss closes with these cards."),
    board.InterruptView: ("STOP", "Whoever has a STOP card may cancel a play; what is cancelled is lost."),
    board.CloseView: (
        "closing",
        "To close, a card is needed for every need of the space: your own, or agreed or offered ones.",
    ),
}
"""What a word means that an ask of the board game needs, told when the first such ask comes."""

CARD_GLOSSES: dict[type[View], tuple[str, str]] = {
    cards.LeadView: (
        "Boss",
        "The Boss of a round has a share of its deal, and a few Cousin tokens to give others a share.",
    ),
    cards.OfferView: ("Cousin", "A Cousin token is a share, given for one exact action (or kind of action)."),
    cards.PlayView: (
        "share",
        (
            "A share pays the sum of the centre times the multiplier when the round ends; below zero it costs as much. "
            "Shares: the Boss, each Cousin, and each POTA in front of a seat."
        ),
    ),
}
"""The same of the card game."""

TURN, OFFERS, PLAYS, END = "on your turn", "in the phase of offers", "in the phase of plays", "at the end of a tick"
BOARD_MOMENTS = {
    "roll": TURN,
    "draw": f"{TURN}, after rolling",
    "open": TURN,
    "offer": f"{OFFERS}, while another is the Boss",
    "sell": f"{OFFERS}, while another is the Boss",
    "goodwill": f"{OFFERS}, while another is the Boss",
    "ask": f"{OFFERS}, while you are the Boss",
    "pay": f"{OFFERS}, while you are the Boss",
    "withdraw": OFFERS,
    "lay": PLAYS,
    "travel": PLAYS,
    "boss": PLAYS,
    "recruit": f"{PLAYS}, or when your hand is too large",
    "stop": "when somebody makes a play",
    "close": f"{END}, while you are the Boss",
    "give": f"{END}, while you are the Boss",
    "discard": "when your hand is too large",
    "yes": "when you are asked to agree",
    "no": "when you are asked to agree",
}
"""When the words of the board game are used."""

CARD_MOMENTS = {
    "lead": "when you begin a round as its Boss",
    "propose": "before your turn, while you have no Cousin token",
    "request": "before the turns of others, while you are the Boss",
    "play": "on your turn",
    "pass": "on your turn",
    "drop": "on your turn, under a bargain that says so",
    "move": "after you have played a move card",
    "enough": "after a move of a move card",
    "discard": "between rounds",
    "keep": "between rounds",
    "yes": "when you are asked to agree",
    "no": "when you are asked to agree",
}
"""When the words of the card game are used."""
