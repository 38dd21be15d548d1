"""The board game's table as everybody, or one seat, sees it: the result of :mod:`arena.games.board.log.fold`."""

from __future__ import annotations

import msgspec

from arena.games.board.cards import Card, Family
from arena.games.board.moves import Agreement
from arena.games.board.views import ClosedDeal, NamedClosing, OpenOffer, OpenPlay


class TablePlacard(msgspec.Struct, frozen=True, gc=False):
    """An investor placard: who owns it (None: it lies aside), and the travel card on it while it travels."""

    family: Family
    owner: int | None
    card: Card | None = None


class BoardTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table after an event. Money is whole $M, seats and spaces count from 0 clockwise.

    The ``turn`` (0 before the first) and the seat ``on_turn`` (None before the first); whether the die is ``rolled``
    and the seat on turn ``must_deal`` (B8); the ``marker``'s space (None: not placed), whether a deal has
    ``failed_here``, the ``covered`` spaces; the number of the top ``deal`` card (None: all are played); ``placards`` in
    family order; ``hands`` in kind order by seat, None where only the size is known; ``hand_sizes``; ``laid`` clan
    cards by seat; the size of the ``draw_pile``; ``discards`` as counts in the order of :class:`Card`; ``money`` by
    seat; the ``ledger`` of closed deals; whether the match is ``over``.

    In a negotiation: the ``boss`` (None outside one), the ``tick`` (0 outside one) and the number of ``quiet`` ticks
    just before it; open ``offers`` by seat, each seat's in its own order; standing ``agreements``, sorted by partner
    and terms; ``active`` seats, which have played a card; the ``play`` that can be stopped now; the closing that is
    ``named``.
    """

    turn: int
    on_turn: int | None
    rolled: bool
    must_deal: bool
    marker: int | None
    failed_here: bool
    covered: tuple[int, ...]
    deal: int | None
    placards: tuple[TablePlacard, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    laid: tuple[tuple[Family, ...], ...]
    draw_pile: int
    discards: tuple[int, ...]
    money: tuple[int, ...]
    boss: int | None
    tick: int
    quiet: int
    offers: tuple[OpenOffer, ...]
    agreements: tuple[Agreement, ...]
    active: tuple[int, ...]
    play: OpenPlay | None
    named: NamedClosing | None
    ledger: tuple[ClosedDeal, ...]
    over: bool
