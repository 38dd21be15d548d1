"""What a seat may know of the board game (B5.6), in the form bots read. Everything in it is immutable.

Money is whole $M, seats and spaces count from 0 clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.board.cards import Card, Family
from arena.games.board.moves import Agreement, Offer, Play
from arena.games.board.rules import Rules, Space
from arena.games.contract import Move, Refusal, View


class Placard(msgspec.Struct, frozen=True, gc=False):
    """An investor placard: who holds it (None: it lies aside) and whether it travels (B1.2, B5.2)."""

    family: Family
    owner: int | None
    travelling: bool = False


class ClosedDeal(msgspec.Struct, frozen=True, gc=False):
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


class BoardView(View, frozen=True, gc=False, kw_only=True):
    """The table as one seat sees it.

    Public: ``turn`` (from 1) and whose it is (``on_turn``); ``marker`` and its ``space``, the ``uncovered``
    spaces; ``deal`` (the top deal card's number), what a ``dividend`` is worth and the ``proceeds`` of the space;
    ``placards`` in family order; ``hand_sizes`` by seat; ``draw_pile`` (how many cards) and ``discards`` (counts
    in the order of :class:`Card`); ``ledger`` of closed deals, oldest first.

    In a negotiation also ``boss`` (None outside one), ``tick`` (from 1), ``quiet`` ticks so far, ``laid`` clan cards
    by seat, open ``offers``, standing ``agreements``, and ``active`` seats (those that have played a card).

    The seat's own: ``hand`` in kind order, and ``money``.
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

    def legal_moves(self, rules: Rules, prices: Sequence[int] | None = None) -> tuple[Move, ...]:
        """Every legal answer to this ask; see :meth:`arena.games.contract.State.legal`."""
        from arena.games.board import seat

        return seat.legal_moves(self, rules, prices)

    def refusal(self, rules: Rules, move: Move) -> Refusal | None:
        """Why the rules would refuse ``move``, or None."""
        from arena.games.board import seat

        return seat.refusal(self, rules, move)


class MarkerView(BoardView, frozen=True, gc=False, kw_only=True):
    """``place_marker`` (B2.4)."""


class TurnView(BoardView, frozen=True, gc=False, kw_only=True):
    """``turn`` (B3); ``rolled`` says whether the die has been rolled."""


class OfferView(BoardView, frozen=True, gc=False, kw_only=True):
    """``offer`` (B4.5 phase 1)."""


class AcceptView(BoardView, frozen=True, gc=False, kw_only=True):
    """``accept`` (B4.5 phase 2): seat ``by`` made the ``offer`` asked about."""

    by: int
    offer: Offer


class InterruptView(BoardView, frozen=True, gc=False, kw_only=True):
    """``interrupt`` (B4.5 phase 3, B4.6, B5.5).

    ``can_stop`` is the play that a STOP would cancel, or None when any play may be made; ``last_call`` says
    that the Boss has named a closing.
    """

    can_stop: OpenPlay | None
    last_call: bool


class CloseView(BoardView, frozen=True, gc=False, kw_only=True):
    """``close`` (B4.5 phase 4): the seat is the Boss."""


class DiscardView(BoardView, frozen=True, gc=False, kw_only=True):
    """``discard`` (B3.3, B8): ``excess`` cards must go; ``cards_only`` means no triple may be played instead."""

    excess: int
    cards_only: bool
