"""The board game's views: what a seat may know (B5.6), in the form that bots read. Everything in them is immutable.

Money is whole $M, seats and spaces count from 0 clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from arena.games.board.cards import Card, Family
from arena.games.board.deal_money import DealMoney
from arena.games.board.moves import (
    Agreement,
    Close,
    CloseMove,
    DiscardMove,
    InterruptMove,
    Offer,
    OfferMove,
    PlaceMarker,
    Play,
    TurnMove,
)
from arena.games.board.rules import Rules
from arena.games.board.spaces import Space
from arena.games.contract import Move, No, View, Yes, hook_of


class Placard(msgspec.Struct, frozen=True, gc=False):
    """An investor placard: who owns it (None: it lies aside), whether it travels, and if so the travel card that lies
    on it (B1.2, B5.2)."""

    family: Family
    owner: int | None
    travelling: bool = False
    card: Card | None = None


class ClosedDeal(msgspec.Struct, DealMoney, frozen=True, gc=False):
    """A closed deal: card number, space, final Boss, proceeds, and what the Boss paid to each seat, in $M."""

    number: int
    space: int
    boss: int
    proceeds: int
    paid: tuple[int, ...]


class OpenOffer(msgspec.Struct, frozen=True, gc=False):
    """An offer on the table: seat ``by`` made it. ``offer.to`` is the addressee."""

    by: int
    offer: Offer


class OpenPlay(msgspec.Struct, frozen=True, gc=False):
    """A play that can be stopped now: seat ``by`` made it."""

    by: int
    play: Play


class NamedClosing(msgspec.Struct, frozen=True, gc=False):
    """The closing that seat ``by`` named, as the Boss, before a last call (B4.6)."""

    by: int
    closing: Close


class BoardView(View, frozen=True, gc=False, kw_only=True):
    """The table as one seat sees it.

    Public: ``turn`` (from 1) and the seat ``on_turn``; ``marker`` and its ``space``, the ``uncovered`` spaces; ``deal``
    (the top deal card's number), what a ``dividend`` is worth and the ``proceeds`` of the space; ``placards`` in family
    order; ``hand_sizes`` by seat; ``draw_pile`` (how many cards) and ``discards`` (counts in the order of
    :class:`Card`); ``ledger`` of closed deals, oldest first.

    In a negotiation also ``boss`` (None outside one), ``tick`` (from 1), the number of ``quiet`` ticks so far, ``laid``
    clan cards by seat, open ``offers``, standing ``agreements``, and ``active`` seats (those that have played a card);
    all terms ``offered`` under this Boss so far, open or not (a seat is asked about the same terms only once); whether
    something ``fresh`` happened in this tick (B4.9), and whether a ``new_boss`` took over in it; the seats that have
    ``played`` in this tick, in the order in which their plays took effect, those of its last call in a second list;
    ``can_stop``, the play that a STOP would cancel now, or None; the ``closing`` named before a last call, or None.

    The seat's own: ``hand`` in kind order, and ``money``; an onlooker has none.
    """

    turn: int
    on_turn: int
    marker: int
    space: Space
    uncovered: tuple[int, ...]
    deal: int
    dividend: int
    proceeds: int
    placards: tuple[Placard, ...]
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    money: int
    draw_pile: int
    discards: tuple[int, ...]
    ledger: tuple[ClosedDeal, ...]
    rolled: bool
    must_deal: bool
    failed_here: bool
    boss: int | None
    tick: int
    quiet: int
    laid: tuple[tuple[Family, ...], ...]
    offers: tuple[OpenOffer, ...]
    agreements: tuple[Agreement, ...]
    active: tuple[int, ...]
    offered: tuple[OpenOffer, ...] = ()
    fresh: bool = False
    new_boss: bool = False
    played: tuple[tuple[int, ...], ...] = ()
    can_stop: OpenPlay | None = None
    closing: NamedClosing | None = None

    def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[Move, ...]:
        """Every legal answer to this ask; offers at ``prices`` in $M (None: one and two dividends)."""
        hook = hook_of(type(self))
        return hook.legal(replace(hook.question(self, rules), prices=prices))


class MarkerView(BoardView, frozen=True, gc=False, kw_only=True):
    """``place_marker`` (B2.4)."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[PlaceMarker, ...]: ...


class TurnView(BoardView, frozen=True, gc=False, kw_only=True):
    """``turn`` (B3); ``rolled`` says whether the die has been rolled."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[TurnMove, ...]: ...


class OfferView(BoardView, frozen=True, gc=False, kw_only=True):
    """``offer`` (B4.5 phase 1)."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[OfferMove, ...]: ...


class AcceptView(BoardView, frozen=True, gc=False, kw_only=True):
    """``accept`` (B4.5 phase 2): seat ``by`` made the ``offer`` asked about; ``asked`` is how many offers are asked
    about in this phase: they are the last ones in ``offered``."""

    by: int
    offer: Offer
    asked: int = 1

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[Yes | No, ...]: ...


class InterruptView(BoardView, frozen=True, gc=False, kw_only=True):
    """``interrupt`` (B4.5 phase 3, B4.6, B5.5).

    If ``can_stop`` is set, a STOP may be spent on that play; else any play may be made. ``last_call``: the Boss has
    named a closing.
    """

    last_call: bool

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[InterruptMove, ...]: ...


class CloseView(BoardView, frozen=True, gc=False, kw_only=True):
    """``close`` (B4.5 phase 4): the seat is the Boss."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[CloseMove, ...]: ...


class DiscardView(BoardView, frozen=True, gc=False, kw_only=True):
    """``discard`` (B3.3, B8): ``excess`` cards must go; ``cards_only`` means that no triple may be played instead."""

    excess: int
    cards_only: bool

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[DiscardMove, ...]: ...
