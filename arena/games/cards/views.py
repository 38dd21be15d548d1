"""The card game's views: what a seat may know, in the form that bots read. Everything in them is immutable.

Money is whole $, seats count from 0 clockwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from arena.games.cards.cards import Card, Color
from arena.games.cards.moves import Bargain, Discard, LeadMove, OfferMove, PlayMove, Request, Shift
from arena.games.cards.rules import Rules
from arena.games.contract import No, View, Yes


class Deal(msgspec.Struct, frozen=True, gc=False):
    """A settled round: its number, its Boss and colour, what a share was worth, and what each seat received (negative:
    paid), in $ (C5)."""

    round: int
    boss: int
    color: Color
    value: int
    amounts: tuple[int, ...]


class CardsView(View, frozen=True, gc=False, kw_only=True):
    """The table as one seat sees it.

    Public: ``round`` (from 1) of ``rounds``, its ``boss`` and ``color`` (None before the lead), and the seat
    ``on_turn``; the cards in the ``centre`` and in front of each seat (``fronts``), in card order; ``passes``, the
    disks each seat has turned (2: it is out); the Cousin ``tokens`` the Boss still has, and the seats that are
    ``cousins``; the ``multiplier`` and the current ``value`` of a share, cut to the limit, in $; ``hand_sizes`` by
    seat; ``deck`` and ``discard_pile`` (how many cards), ``discards`` (the cards discarded face up since the last
    shuffle, as counts in the order of :class:`Card`), and whether the ``third_x`` still lies under the disk; ``ledger``
    of settled rounds, oldest first; the ``bargain`` that has been offered and is being answered, or None, and what the
    seat on turn is ``bound`` to do on this turn, or None (C4.2).

    While a move card is in use (C3.3), ``moving`` is that card, ``moves_left`` the number of moves it still allows, and
    ``moved`` the moves made with it.

    The seat's own: ``hand`` in card order, and ``money`` in $; an onlooker has none.
    """

    round: int
    rounds: int
    boss: int
    on_turn: int
    color: Color | None
    centre: tuple[Card, ...]
    fronts: tuple[tuple[Card, ...], ...]
    passes: tuple[int, ...]
    tokens: int
    cousins: tuple[int, ...]
    multiplier: int
    value: int
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    money: int
    deck: int
    discard_pile: int
    discards: tuple[int, ...]
    third_x: bool
    ledger: tuple[Deal, ...]
    bargain: Bargain | None = None
    bound: Request | None = None
    moving: Card | None = None
    moves_left: int = 0
    moved: tuple[Shift, ...] = ()


class LeadView(CardsView, frozen=True, gc=False, kw_only=True):
    """``lead`` (C3.1): the seat is the Boss."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules) -> tuple[LeadMove, ...]: ...


class OfferView(CardsView, frozen=True, gc=False, kw_only=True):
    """``offer`` (C4.2): the seat is on turn and may propose an action to the Boss, or it is the Boss and may request
    one of the seat on turn."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules) -> tuple[OfferMove, ...]: ...


class AcceptView(CardsView, frozen=True, gc=False, kw_only=True):
    """``accept`` (C4.2): the ``bargain`` offered by the seat on turn to the Boss, or the other way round."""

    if TYPE_CHECKING:
        bargain: Bargain

        def legal_moves(self, rules: Rules) -> tuple[Yes | No, ...]: ...


class PlayView(CardsView, frozen=True, gc=False, kw_only=True):
    """``play`` (C3.2 to C3.4). While ``moving`` is set the answer is the next move of that card, or enough (C3.3)."""

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules) -> tuple[PlayMove, ...]: ...


class DiscardView(CardsView, frozen=True, gc=False, kw_only=True):
    """``discard`` (C6.2): at most ``most`` cards, between rounds; ``round`` and ``boss`` are the next round's."""

    most: int

    if TYPE_CHECKING:

        def legal_moves(self, rules: Rules) -> tuple[Discard, ...]: ...
