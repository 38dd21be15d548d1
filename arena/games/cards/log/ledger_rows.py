"""The rows of the tables that :mod:`arena.games.cards.log.ledger` makes of a match of the card game: one class for each
table, one object for each row.

Money is whole $. Seats count from 0; rounds, turns of a round and bargains count from 1, within a match.

To add a column: add a field here, the code that fills it in ``ledger.py``, and its line in ``arena docs tables``; a
test compares them.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from arena.games.cards.cards import Card, Color


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
    """A settled round (C5).

    ``led`` is the card that the Boss led, None if it named the colour. ``total`` is the sum of the values in the
    centre, ``multiplier`` is two plus the number of open X cards, ``value`` is what a share was worth, cut to the
    limit. ``turns`` is how many turns the seats took, including the Boss's lead; ``tokens`` is how many seats became
    Cousins. ``amounts`` is what each seat received (negative: paid).
    """

    round: int
    boss: int
    color: Color
    led: Card | None
    turns: int
    tokens: int
    total: int
    multiplier: int
    value: int
    amounts: tuple[int, ...]


class ShareRow(Row, frozen=True):
    """What one seat had in a round; rows are in seat order (C5.2, C5.3). A seat's money at the end of the match is its
    start money plus all its amounts.

    ``shares`` are one for the ``boss``, one for a ``cousin``, one for each of the ``potas`` in front; ``due`` is shares
    × value, negated if the number of ``reverses`` is odd; ``amount`` is what changed hands: nobody pays more than it
    has.
    """

    round: int
    seat: int
    boss: bool
    cousin: bool
    potas: int
    reverses: int
    shares: int
    due: int
    amount: int


class BargainRow(Row, frozen=True):
    """A bargain that was offered, in the order of the replay (C4.2). If it was accepted, the seat on turn became a
    Cousin.

    Seat ``by`` offers to seat ``to``; ``seat`` is on turn and would get the token. ``want`` is the kind of action: for
    a proposal ``play``, ``drop``, ``pass`` or ``double pass``; for a request ``positive``, ``negative``, ``pota``,
    ``reverse``, ``pass`` or ``gift``. ``card`` and ``front`` belong to a proposal: the card, and the seat in front of
    which it goes; ``least`` is the smallest value of a request, without its sign (0: none). ``token`` is what the token
    brought the seat, one share at the end of the round (negative: cost); 0 if the bargain was refused.
    """

    bargain: int
    round: int
    turn: int
    kind: BargainKind
    by: int
    to: int
    seat: int
    want: str
    card: Card | None
    front: int | None
    least: int
    answer: Answer
    token: int


class ActionRow(Row, frozen=True):
    """An action of a seat, in the order in which they happened (C3).

    ``card`` is the card led, played, dropped or moved (None: there is none). ``source`` is the seat in front of which a
    moved card lay (None: it came from the centre or the hand), ``front`` the seat in front of which a card goes (None:
    to the centre or the discard pile). ``bargain`` is the number of the bargain that the seat keeps with this action.
    """

    round: int
    turn: int
    seat: int
    kind: ActionKind
    card: Card | None = None
    source: int | None = None
    front: int | None = None
    bargain: int | None = None


CARDS_TABLES: dict[str, type[Row]] = {
    "rounds": RoundRow,
    "shares": ShareRow,
    "bargains": BargainRow,
    "actions": ActionRow,
}
"""The class of the rows of each table, by the table's name."""
