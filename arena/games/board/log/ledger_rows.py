"""The rows of the tables that :mod:`arena.games.board.log.ledger` makes of a match of the board game: one class for
each table, one object for each row.

Money is whole $M. Seats and spaces count from 0; turns, ticks, and the numbers of deals, offers and agreements count
from 1, within a match. Lists of families are in family order.

To add a column: add a field here with its :class:`Gloss`, the code that fills it in ``ledger.py``, and its line
in ``arena docs tables``; a test compares them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from arena.games.board.cards import Card, Family
from arena.games.board.deal_money import seat_amounts
from arena.games.ledger_columns import Gloss


class Ending(StrEnum):
    """How a negotiation ended: it was ``closed`` (B7.1), the Boss gave up (``given up``, B7.4), or time ran out (B4.9):
    nothing new for ``quiet_ticks`` ticks (``quiet``), or ``max_ticks`` ticks (``out of ticks``)."""

    CLOSED = "closed"
    GIVEN_UP = "given up"
    QUIET = "quiet"
    OUT_OF_TICKS = "out of ticks"


class Answer(StrEnum):
    """What the addressee answered when it was asked about an offer (B4.5, accept): each new offer is asked about once.

    ``default``: no, because its bot was at fault or is out.
    """

    YES = "yes"
    NO = "no"
    DEFAULT = "default"


class OfferOutcome(StrEnum):
    """What became of an offer; if it was withdrawn and sent again, what became of it in the end.

    ``agreed``: it became an agreement, by the addressee's yes (B4.5, accept) or because the Boss used it in a closing
    after all (B4.5, close). ``refused``: the addressee said no and nothing else happened to the offer: one of the
    Boss's ends with the no; one to the Boss stayed open until the negotiation ended. ``undercut``: a card that it names
    was promised in another agreement first, or its terms were agreed in another offer, or, for a side promise, the
    proceeds were already promised away (B4.5). ``withdrawn``: its seat took it back. ``lapsed``: one of its cards
    travelled or changed hands, or the Boss changed (B4.8). An offer whose yes had become impossible when it was to take
    effect is ``undercut``, whatever happens to it later.
    """

    AGREED = "agreed"
    REFUSED = "refused"
    UNDERCUT = "undercut"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class AgreementOutcome(StrEnum):
    """What became of an agreement.

    ``used``: the closing used it; for a side promise: it was paid (B7.1). ``unused``: the deal closed without it
    (B4.5); for a side promise: its seat could not be paid (B8). ``fell``: one of its cards travelled or changed hands
    (B4.8). ``ousted``: the Boss changed (B4.8). ``failed``: the negotiation failed (B4.9, B7.4).
    """

    USED = "used"
    UNUSED = "unused"
    FELL = "fell"
    OUSTED = "ousted"
    FAILED = "failed"


class PaymentKind(StrEnum):
    """The reason of a payment (B7.1): the bank pays the Boss the ``proceeds``; the Boss pays a partner for cards by
    ``agreement`` or at their ``fair share`` (B9.1), or a ``side promise``, which is for no card (B4.4)."""

    PROCEEDS = "proceeds"
    AGREEMENT = "agreement"
    SIDE_PROMISE = "side promise"
    FAIR_SHARE = "fair share"


class PlayKind(StrEnum):
    """A play of influence cards: clan cards laid (B5.1), also with an offer, the opening or a closing; or a travel card
    (B5.2), a boss card (B5.3), three recruitment cards (B5.4)."""

    LAY = "lay"
    TRAVEL = "travel"
    BOSS = "boss"
    RECRUIT = "recruit"


class Row(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of a table."""


class DealRow(Row, frozen=True):
    """A negotiation; rows are in the order in which deals were opened.

    ``closable`` says whether at some moment all seats together had the placards and clan cards that the space needs
    (B4.2); ``missed``, of a failed negotiation, whether at its end the Boss's own cards, its agreements and asks that
    its bids had covered sufficed within the proceeds.
    """

    deal: Annotated[int, Gloss("number of the negotiation", key=True)]
    turn: Annotated[int, Gloss("the turn in which it was opened")]
    space: Annotated[int, Gloss("the space, from 0")]
    number: Annotated[int, Gloss("number on the top deal card")]
    dividends: Annotated[int, Gloss("how many dividends the space pays")]
    dividend: Annotated[int, Gloss("what one dividend is worth (B1.3)", "$M")]
    proceeds: Annotated[int, Gloss("dividends × dividend: what the deal pays (B4.1)", "$M")]
    opened_by: Annotated[int, Gloss("seat of the first Boss", of="seats")]
    boss: Annotated[int, Gloss("seat of the last Boss", of="seats")]
    new_bosses: Annotated[int, Gloss("how often a boss card changed the Boss (B5.3)")]
    ticks: Annotated[int, Gloss("how many ticks began; 0 if it closed at once (B4.7)")]
    outcome: Annotated[Ending, Gloss("how it ended: `closed`, `given up`, `quiet` or `out of ticks`")]
    kept: Annotated[int, Gloss("what the Boss kept of the proceeds; 0 unless the deal closed", "$M")]
    paid: Annotated[tuple[int, ...], Gloss("what the Boss paid each seat, by seat; all 0 unless it closed", "$M")]
    closable: Annotated[bool, Gloss("at some moment the seats' placards and clan cards were all that it needs")] = False
    missed: Annotated[bool, Gloss("it failed although bids had covered asks")] = False
    shapley: Annotated[
        tuple[int, ...], Gloss("each seat's Shapley value; all 0 unless it closed", "thousandths of $M")
    ] = ()

    @property
    def amounts(self) -> tuple[int, ...]:
        """What each seat got, in $M: the Boss what it kept, the others what they received from it."""
        return seat_amounts(self.boss, self.kept, self.paid)


class OfferRow(Row, frozen=True):
    """An offer, recorded when it was first made under this Boss; rows are in the order of ticks, then of seats, then of
    each seat's list.

    Seat ``by`` or seat ``to`` is the Boss.
    """

    offer: Annotated[int, Gloss("number of the offer", key=True)]
    deal: Annotated[int, Gloss("the deal it is about", of="deals")]
    tick: Annotated[int, Gloss("the tick in which it was made")]
    boss: Annotated[int, Gloss("seat of the Boss then", of="seats")]
    by: Annotated[int, Gloss("seat that offers", of="seats")]
    to: Annotated[int, Gloss("its addressee: the Boss, or of the Boss's offers another seat", of="seats")]
    placards: Annotated[tuple[Family, ...], Gloss("families of placards that take part")]
    clans: Annotated[tuple[Family, ...], Gloss("families of clan cards; without any card it is a side promise (B4.4)")]
    required: Annotated[int, Gloss("how many of the cards are of families that the space requires")]
    optional: Annotated[int, Gloss("how many are of families of its choice groups")]
    price: Annotated[int, Gloss("the price", "$M")]
    dividends: Annotated[float, Gloss("the price as a multiple of the dividend")]
    share: Annotated[float, Gloss("the price as a share of the proceeds")]
    answer: Annotated[Answer, Gloss("the addressee's answer: `yes`, `no` or `default`")]
    outcome: Annotated[
        OfferOutcome, Gloss("what became of it: `agreed`, `refused`, `undercut`, `withdrawn` or `lapsed`")
    ]


class AgreementRow(Row, frozen=True):
    """An agreement between the ``boss`` and a ``partner``, in the order of the replay.

    ``usable`` says whether it stood when the Boss closed the deal, for families that the space names, with a seat that
    could be paid (B8).
    """

    agreement: Annotated[int, Gloss("number of the agreement", key=True)]
    deal: Annotated[int, Gloss("the deal it is about", of="deals")]
    tick: Annotated[int, Gloss("the tick in which it was made")]
    boss: Annotated[int, Gloss("the Boss who pays", of="seats")]
    partner: Annotated[int, Gloss("the seat that is paid", of="seats")]
    placards: Annotated[tuple[Family, ...], Gloss("families of its placards")]
    clans: Annotated[tuple[Family, ...], Gloss("families of its clan cards; without any card it is a side promise")]
    price: Annotated[int, Gloss("the price", "$M")]
    dividends: Annotated[float, Gloss("the price as a multiple of the dividend")]
    share: Annotated[float, Gloss("the price as a share of the proceeds")]
    offer: Annotated[int, Gloss("number of the offer that was agreed to", of="offers")]
    outcome: Annotated[AgreementOutcome, Gloss("what became of it: `used`, `unused`, `fell`, `ousted` or `failed`")]
    paid: Annotated[int, Gloss("what was paid for it in the end", "$M")]
    usable: Annotated[bool, Gloss("the closing could use it")] = False


class PaymentRow(Row, frozen=True):
    """A payment made at a closing. A seat's money at the end is the sum of all payments to it, less all payments by
    it."""

    deal: Annotated[int, Gloss("the deal", of="deals")]
    payer: Annotated[int | None, Gloss("seat of the Boss; none for the bank", of="seats")]
    payee: Annotated[int, Gloss("seat that is paid", of="seats")]
    kind: Annotated[PaymentKind, Gloss("its reason: `proceeds`, `agreement`, `side promise` or `fair share`")]
    amount: Annotated[int, Gloss("the amount", "$M")]
    agreement: Annotated[
        int | None, Gloss("number of the agreement; none for proceeds and fair shares", of="agreements")
    ]
    placards: Annotated[tuple[Family, ...], Gloss("families of the placards that are paid for")]
    clans: Annotated[tuple[Family, ...], Gloss("families of the clan cards")]


class PlayRow(Row, frozen=True):
    """A play of influence cards, in the order in which plays took effect."""

    deal: Annotated[int | None, Gloss("the deal; none for a triple at the hand limit (B3.3)", of="deals")]
    turn: Annotated[int, Gloss("the turn")]
    tick: Annotated[int, Gloss("the tick; 0 while the deal is opened, and at the hand limit")]
    seat: Annotated[int, Gloss("who played", of="seats")]
    kind: Annotated[PlayKind, Gloss("`lay`, `travel`, `boss` or `recruit`")]
    cards: Annotated[tuple[Card, ...], Gloss("the cards that were laid or spent")]
    family: Annotated[
        Family | None, Gloss("whose card travels, or which placard is recruited; none for the others")
    ] = None
    clan: Annotated[bool, Gloss("a clan card travels")] = False
    of: Annotated[
        int | None, Gloss("seat whose card travels or is recruited; none: the card lies aside", of="seats")
    ] = None
    stopped_by: Annotated[
        int | None, Gloss("seat whose STOP cancelled the play (B5.5); none: it took effect", of="seats")
    ] = None
    gained: Annotated[
        int | None,
        Gloss("what its seat kept of the deal as the Boss; 0 if it did not close the deal", "$M"),
    ] = None


BOARD_TABLES: dict[str, type[Row]] = {
    "deals": DealRow,
    "offers": OfferRow,
    "agreements": AgreementRow,
    "payments": PaymentRow,
    "plays": PlayRow,
}
"""The class of the rows of each table, by the table's name."""
