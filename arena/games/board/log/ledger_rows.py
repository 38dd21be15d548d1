"""The tables of the board game that :mod:`arena.games.board.log.ledger` folds a match into: one class a table, one
object a row.

Money is whole $M. Seats and spaces count from 0; turns, ticks, and the numbers of deals, offers and agreements from 1,
within a match. Lists of families are in family order.

To add a column: a field here, what fills it in ``ledger.py``, and its line in ``arena docs tables``; a test compares
them.
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
    """What the addressee of an offer said when it was asked (B4.5, accept): every new offer is asked about once.

    ``default``: no, because its bot was at fault or is out.
    """

    YES = "yes"
    NO = "no"
    DEFAULT = "default"


class OfferOutcome(StrEnum):
    """What became of an offer; of one that was withdrawn and sent again, at last.

    ``agreed``: it became an agreement, by the addressee's yes (B4.5, accept) or because the Boss used it in a closing
    after all (B4.5, close). ``refused``: the addressee said no and nothing else happened to it: the Boss's offers are
    over with the no; one to the Boss stood open until the negotiation ended. ``undercut``: a card that it names was
    promised in another agreement first, or its terms were agreed in another offer, or, of a side promise, the proceeds
    were promised away (B4.5). ``withdrawn``: its seat took it back. ``lapsed``: a card of it travelled or changed
    hands, or the Boss changed (B4.8). A yes that was not possible any more when it took effect makes an offer
    ``undercut``, whatever happens to it later.
    """

    AGREED = "agreed"
    REFUSED = "refused"
    UNDERCUT = "undercut"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class AgreementOutcome(StrEnum):
    """What became of an agreement.

    ``used``: the deal was closed with it; of a side promise, it was paid (B7.1). ``unused``: the deal was closed
    without it (B4.5); of a side promise, its seat could not be paid (B8). ``fell``: a card of it travelled or changed
    hands (B4.8). ``ousted``: the Boss changed (B4.8). ``failed``: the negotiation failed (B4.9, B7.4).
    """

    USED = "used"
    UNUSED = "unused"
    FELL = "fell"
    OUSTED = "ousted"
    FAILED = "failed"


class PaymentKind(StrEnum):
    """What was paid for (B7.1): the ``proceeds``, by the bank to the Boss; by the Boss a partner's cards by
    ``agreement`` or at their ``fair share`` (B9.1), or a ``side promise``, for no card (B4.4)."""

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
    """A negotiation, in the order they were opened.

    ``number`` is that of the top deal card, ``dividends`` how many the space pays of its ``dividend``; ``proceeds`` is
    what the deal pays (B4.1). ``opened_by`` was the first Boss, ``boss`` the last, after ``new_bosses`` changes.
    ``ticks`` is how many began. ``kept`` is what the Boss kept of the proceeds and ``paid`` what each seat was paid; 0
    unless closed.
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

    @property
    def amounts(self) -> tuple[int, ...]:
        """What each seat got, in $M: the Boss what it kept, the others what they were paid."""
        return seat_amounts(self.boss, self.kept, self.paid)


class OfferRow(Row, frozen=True):
    """An offer, from when it was first made under this Boss: in the order of ticks, then of seats, then of their lists.

    ``by`` offers ``to``; one of them is the Boss. Without ``placards`` and ``clans`` it is a side promise. ``required``
    is how many of the cards the space requires, ``optional`` how many are of its choice groups. ``dividends`` is the
    price as a multiple of the dividend, ``share`` as a part of the proceeds.
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

    ``offer`` is the number of the offer that was agreed to, ``paid`` what was paid for it in the end.
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


class PaymentRow(Row, frozen=True):
    """Money that changed hands with a closing. All payments to a seat less all by it are its money at the end.

    ``payer`` None is the bank; ``agreement`` is None for proceeds and fair shares, and the cards are those paid for.
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
    """A play of influence cards, in the order they took effect.

    ``deal`` is None and ``tick`` 0 for a triple at the hand limit (B3.3). ``cards`` are those spent or laid;
    ``family`` the placard or clan card that travels or the placard that is recruited, ``of`` the seat in front of which
    it lies (None: aside), ``clan`` whether it is a clan card. ``stopped_by`` is the seat whose STOP cancelled the play.
    ``gained``, of a boss card that was not stopped, is what its player kept of the deal as the Boss who closed it
    thanks to this card; 0 if another did or nobody.
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
"""The tables by name."""
