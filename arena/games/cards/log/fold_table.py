"""The card game's table as everybody, or one seat, sees it: the result of :mod:`arena.games.cards.log.fold`."""

from __future__ import annotations

import msgspec

from arena.games.cards.cards import Card, Color
from arena.games.cards.moves import Bargain, Request, Shift
from arena.games.cards.views import Deal


class CardsTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table after an event. Money is whole $, seats count from 0 clockwise.

    The ``round`` (0 before the first), its ``boss`` (None before the first) and ``color`` (None before the lead and
    between rounds), and the seat ``on_turn`` (None between rounds); the cards in the ``centre`` and in front of each
    seat (``fronts``), in card order; ``passes``, the disks each seat has turned; the Cousin ``tokens`` the Boss still
    has, and the seats that are ``cousins``; the number of open X cards (``exes``), the ``multiplier`` and the current
    ``value`` of a share; ``hands`` in card order by seat, None where only the size is known; ``hand_sizes``; the size
    of the ``deck``, and whether the ``third_x`` lies under the disk; the size of the ``discard_pile``, its face-up
    cards as counts in the order of :class:`Card` (``discards``), and those ``face_down`` that are known, in card order;
    ``money`` by seat; the ``ledger`` of settled rounds; whether the match is ``over``.

    During a turn: the ``bargain`` that waits for an answer; the request that the seat on turn is ``bound`` to fulfil;
    the move card in use (``moving``), the number of its moves left (``moves_left``) and the moves made (``moved``).
    """

    round: int
    boss: int | None
    color: Color | None
    on_turn: int | None
    centre: tuple[Card, ...]
    fronts: tuple[tuple[Card, ...], ...]
    passes: tuple[int, ...]
    tokens: int
    cousins: tuple[int, ...]
    exes: int
    multiplier: int
    value: int
    hands: tuple[tuple[Card, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    deck: int
    third_x: bool
    discard_pile: int
    discards: tuple[int, ...]
    face_down: tuple[Card, ...]
    money: tuple[int, ...]
    bargain: Bargain | None
    bound: Request | None
    moving: Card | None
    moves_left: int
    moved: tuple[Shift, ...]
    ledger: tuple[Deal, ...]
    over: bool
