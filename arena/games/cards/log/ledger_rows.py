"""The rows of the tables that :mod:`arena.games.cards.log.ledger` makes of a match of the card game: one class for each
table, one object for each row.

Money is whole $. Seats count from 0; rounds, turns of a round and bargains count from 1, within a match.

To add a column: add a field here with its :class:`Gloss`, the code that fills it in ``ledger.py``, and its line
in ``arena docs tables``; a test compares them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from arena.games.cards.cards import Card, Color
from arena.games.ledger_columns import Gloss


class BargainKind(StrEnum):
    """Who offers what (C4.2): the seat on turn an exact action (``proposal``), or the Boss a token for a kind of action
    (``request``)."""

    PROPOSAL = "proposal"
    REQUEST = "request"


class Answer(StrEnum):
    """What the addressee of a bargain answered; it is asked about each bargain at once (C4.2).

    ``default``: no, because its bot was at fault or is out.
    """

    YES = "yes"
    NO = "no"
    DEFAULT = "default"


class ActionKind(StrEnum):
    """What a seat did: the Boss led a card or named a colour (``lead``, ``color``, C3.1); a card was played (``play``),
    or moved with a move card just played (``shift``, C3.3), or dropped as agreed (``drop``, C4.3); a disk was turned
    (``pass``), or both at once (``double pass``, C3.4)."""

    LEAD = "lead"
    COLOR = "color"
    PLAY = "play"
    SHIFT = "shift"
    DROP = "drop"
    PASS = "pass"
    DOUBLE_PASS = "double pass"


class Row(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of a table."""


class RoundRow(Row, frozen=True):
    """A settled round (C5)."""

    round: Annotated[int, Gloss("number of the round", key=True)]
    boss: Annotated[int, Gloss("the Boss", of="seats")]
    color: Annotated[Color, Gloss("colour of the round")]
    led: Annotated[Card | None, Gloss("card that the Boss led; none if it named the colour")]
    turns: Annotated[int, Gloss("how many turns were taken, the Boss's lead among them")]
    tokens: Annotated[int, Gloss("how many seats became Cousins")]
    total: Annotated[int, Gloss("sum of the centre at the end")]
    multiplier: Annotated[int, Gloss("2 and the open X cards (C5.1)")]
    value: Annotated[int, Gloss("what a share was worth, cut to the limit (C5.1)", "$")]
    amounts: Annotated[tuple[int, ...], Gloss("what each seat received, by seat; negative: paid", "$")]


class ShareRow(Row, frozen=True):
    """What one seat had in a round; rows are in seat order (C5.2, C5.3). A seat's money at the end of the match is its
    start money plus all its amounts.

    ``shares`` are one for the ``boss``, one for a ``cousin``, one for each of the ``potas`` in front.
    """

    round: Annotated[int, Gloss("number of the round", key=True, of="rounds")]
    seat: Annotated[int, Gloss("the seat", key=True, of="seats")]
    boss: Annotated[bool, Gloss("it was the Boss")]
    cousin: Annotated[bool, Gloss("it had a Cousin token")]
    potas: Annotated[int, Gloss("POTA cards in front of it")]
    reverses: Annotated[int, Gloss("reverse cards in front of it")]
    shares: Annotated[int, Gloss("its shares (C5.2)")]
    due: Annotated[int, Gloss("shares × value; the opposite sign with an odd number of reverses", "$")]
    amount: Annotated[int, Gloss("what changed hands: no seat pays more than it has (C5.3)", "$")]


class BargainRow(Row, frozen=True):
    """A bargain that was offered, in the order of the replay (C4.2). If it was accepted, the seat on turn became a
    Cousin.

    Seat ``by`` offers to seat ``to``; ``seat`` is on turn and would get the token. ``want`` is the kind of action: for
    a proposal ``play``, ``drop``, ``pass`` or ``double pass``; for a request ``positive``, ``negative``, ``pota``,
    ``reverse``, ``pass`` or ``gift``. ``card`` and ``front`` belong to a proposal: the card, and the seat in front of
    which it goes; ``least`` is the smallest value of a request, without its sign (0: none). ``token`` is what the token
    brought the seat, one share at the end of the round (negative: cost); 0 if the bargain was refused.
    """

    bargain: Annotated[int, Gloss("number of the bargain", key=True)]
    round: Annotated[int, Gloss("number of the round", of="rounds")]
    turn: Annotated[int, Gloss("turn of the round, from 1")]
    kind: Annotated[BargainKind, Gloss("`proposal`, by the seat on turn, or `request`, by the Boss")]
    by: Annotated[int, Gloss("who offers", of="seats")]
    to: Annotated[int, Gloss("who answers", of="seats")]
    seat: Annotated[int, Gloss("the seat on turn, which would get the token", of="seats")]
    want: Annotated[
        str,
        Gloss(
            "of a proposal `play`, `drop`, `pass` or `double pass`; of a request `positive`, `negative`, "
            "`pota`, `reverse`, `pass` or `gift`"
        ),
    ]
    card: Annotated[Card | None, Gloss("card of a proposal; none otherwise")]
    front: Annotated[
        int | None,
        Gloss("seat in front of which it would go; none: to the centre or the discard pile", of="seats"),
    ]
    least: Annotated[int, Gloss("smallest value that a request takes, without its sign; 0: none")]
    answer: Annotated[Answer, Gloss("`yes`; `no`; `default`: no, because the bot had a fault or is out")]
    token: Annotated[int, Gloss("what the token brought (negative: cost): one share; 0 without a yes", "$")]


class ActionRow(Row, frozen=True):
    """An action of a seat, in the order in which they happened (C3).

    ``card`` is the card led, played, dropped or moved (None: there is none). ``source`` is the seat in front of which a
    moved card lay (None: it came from the centre or the hand), ``front`` the seat in front of which a card goes (None:
    to the centre or the discard pile). ``bargain`` is the number of the bargain that the seat keeps with this action.
    """

    round: Annotated[int, Gloss("number of the round", of="rounds")]
    turn: Annotated[int, Gloss("turn of the round, from 1; moves of a move card share that of the card")]
    seat: Annotated[int, Gloss("who acts", of="seats")]
    kind: Annotated[
        ActionKind,
        Gloss(
            "`lead`, `color` (the Boss names one), `play`, `shift` (a move of a move card), `drop` (without "
            "effect, as agreed), `pass`, `double pass`"
        ),
    ]
    card: Annotated[Card | None, Gloss("card led, played, moved or dropped; none otherwise")] = None
    source: Annotated[
        int | None, Gloss("of a move, seat in front of which the card lay; none: from the centre", of="seats")
    ] = None
    front: Annotated[
        int | None,
        Gloss("seat in front of which the card goes; none: to the centre or the discard pile", of="seats"),
    ] = None
    bargain: Annotated[int | None, Gloss("number of the bargain that it fulfils; none", of="bargains")] = None


CARDS_TABLES: dict[str, type[Row]] = {
    "rounds": RoundRow,
    "shares": ShareRow,
    "bargains": BargainRow,
    "actions": ActionRow,
}
"""The class of the rows of each table, by the table's name."""
