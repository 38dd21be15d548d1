"""The rows of the tables that :mod:`arena.games.board.log.ledger` makes of a match of the board game: one class for
each table, one object for each row.

Money is whole $M. Seats and spaces count from 0; turns, ticks, and the numbers of deals, offers and agreements count
from 1, within a match. Lists of families are in family order.

To add a column: add a field here, the code that fills it in ``ledger.py``, and its line in ``arena docs tables``; a
test compares them.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from arena.games.board.cards import Card, Family
from arena.games.board.deal_money import seat_amounts


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

    ``number`` is that of the top deal card; ``dividends`` is how many dividends the space pays, each worth
    ``dividend``; ``proceeds`` is what the deal pays (B4.1). ``opened_by`` was the first Boss, ``boss`` the last, after
    ``new_bosses`` changes. ``ticks`` is how many ticks began. ``kept`` is what the Boss kept of the proceeds and
    ``paid`` what each seat received from it; 0 unless the deal closed. ``closable`` says whether at some moment all
    seats together had the placards and clan cards that the space needs (B4.2); ``missed``, of a failed negotiation,
    whether at its end the Boss's own cards, its agreements and asks that its bids had covered sufficed within the
    proceeds. ``shapley`` is each seat's Shapley value in thousandths of $M; 0 unless the deal closed.
    """

    deal: int
    turn: int
    space: int
    number: int
    dividends: int
    dividend: int
    proceeds: int
    opened_by: int
    boss: int
    new_bosses: int
    ticks: int
    outcome: Ending
    kept: int
    paid: tuple[int, ...]
    closable: bool = False
    missed: bool = False
    shapley: tuple[int, ...] = ()

    @property
    def amounts(self) -> tuple[int, ...]:
        """What each seat got, in $M: the Boss what it kept, the others what they received from it."""
        return seat_amounts(self.boss, self.kept, self.paid)


class OfferRow(Row, frozen=True):
    """An offer, recorded when it was first made under this Boss; rows are in the order of ticks, then of seats, then of
    each seat's list.

    Seat ``by`` offers to seat ``to``; one of them is the Boss. Without ``placards`` and ``clans`` it is a side promise.
    ``required`` is how many of the offered cards the space requires, ``optional`` how many belong to its choice groups.
    ``dividends`` is the price as a multiple of the dividend, ``share`` the price as a part of the proceeds.
    """

    offer: int
    deal: int
    tick: int
    boss: int
    by: int
    to: int
    placards: tuple[Family, ...]
    clans: tuple[Family, ...]
    required: int
    optional: int
    price: int
    dividends: float
    share: float
    answer: Answer
    outcome: OfferOutcome


class AgreementRow(Row, frozen=True):
    """An agreement between the ``boss`` and a ``partner``, in the order of the replay.

    ``offer`` is the number of the offer that was accepted, ``paid`` what the Boss paid for it in the end. ``usable``
    says whether it stood when the Boss closed the deal, for families that the space names, with a seat that could be
    paid (B8).
    """

    agreement: int
    deal: int
    tick: int
    boss: int
    partner: int
    placards: tuple[Family, ...]
    clans: tuple[Family, ...]
    price: int
    dividends: float
    share: float
    offer: int
    outcome: AgreementOutcome
    paid: int
    usable: bool = False


class PaymentRow(Row, frozen=True):
    """A payment made at a closing. A seat's money at the end is the sum of all payments to it, less all payments by it.

    ``payer`` None is the bank; ``agreement`` is None for proceeds and fair shares; ``placards`` and ``clans`` are the
    cards paid for.
    """

    deal: int
    payer: int | None
    payee: int
    kind: PaymentKind
    amount: int
    agreement: int | None
    placards: tuple[Family, ...]
    clans: tuple[Family, ...]


class PlayRow(Row, frozen=True):
    """A play of influence cards, in the order in which plays took effect.

    ``deal`` is None and ``tick`` 0 for a triple at the hand limit (B3.3). ``cards`` are the cards spent or laid;
    ``family`` is that of the placard or clan card that travels, or of the placard that is recruited; ``of`` is the seat
    in front of which that card lies (None: aside); ``clan`` says whether it is a clan card. ``stopped_by`` is the seat
    whose STOP cancelled the play. ``gained``, for a boss card that was not stopped, is what its player kept of the
    deal, if it closed it as the Boss that this card made; else 0.
    """

    deal: int | None
    turn: int
    tick: int
    seat: int
    kind: PlayKind
    cards: tuple[Card, ...]
    family: Family | None = None
    clan: bool = False
    of: int | None = None
    stopped_by: int | None = None
    gained: int | None = None


BOARD_TABLES: dict[str, type[Row]] = {
    "deals": DealRow,
    "offers": OfferRow,
    "agreements": AgreementRow,
    "payments": PaymentRow,
    "plays": PlayRow,
}
"""The class of the rows of each table, by the table's name."""
