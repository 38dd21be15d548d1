"""The open table: the public facts from which, with a seat's own hand, legality follows.

The engine's position is a :class:`Table` with hidden parts added; a seat's view is turned back into one when a bot asks
for its legal moves. So the same code judges both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.games.cards.cards import CARD_ID, FRONT_PLACES, NO_FRONT, NO_VALUES, REVERSE, SUIT_KINDS, centre_total
from arena.games.cards.moves import Request, Shift
from arena.games.cards.rules import BASE_MULTIPLIER, Layout
from arena.games.contract import Question
from arena.games.hand_counts import change_few

UNKNOWN_VALUE = -1
"""Stands for the colour before the Boss has led or named it, and for the move card while none is in use."""


class Spread(NamedTuple):
    """The cards of the round: ``centre`` as counts by value, ``fronts`` as counts by seat, and ``moved``, how many
    cards of each front were put there by the move card in use, which cannot move them again (C3.3)."""

    centre: bytes
    fronts: tuple[bytes, ...]
    moved: tuple[bytes, ...]

    def apply_shift(self, shift: Shift) -> Spread:
        """The spread after a legal move of a move card."""
        kind = CARD_ID[shift.card]
        if shift.source is None:
            return Spread(change_few(self.centre, kind % SUIT_KINDS, -1), self.fronts, self.moved)
        place = FRONT_PLACES[kind]
        assert place is not None
        fronts, moved = list(self.fronts), list(self.moved)
        fronts[shift.source] = change_few(fronts[shift.source], place, -1)
        if shift.to is not None:
            fronts[shift.to] = change_few(fronts[shift.to], place, 1)
            moved[shift.to] = change_few(moved[shift.to], place, 1)
        return Spread(self.centre, tuple(fronts), tuple(moved))

    def add_centre(self, place: int) -> Spread:
        """The spread with one more card in the centre."""
        return Spread(change_few(self.centre, place, 1), self.fronts, self.moved)

    def laid(self, seat: int, place: int) -> Spread:
        """The spread with one more card in front of a seat."""
        fronts = list(self.fronts)
        fronts[seat] = change_few(fronts[seat], place, 1)
        return Spread(self.centre, tuple(fronts), self.moved)

    def end_moves(self) -> Spread:
        """The spread after a move card has been used up: the next one may move every card again."""
        return Spread(self.centre, self.fronts, (NO_FRONT,) * len(self.fronts))


@lru_cache(maxsize=8)
def empty_spread(players: int) -> Spread:
    """The spread before any card has been played."""
    return Spread(NO_VALUES, (NO_FRONT,) * players, (NO_FRONT,) * players)


@lru_cache(maxsize=4096)
def mask_still_in(passes: bytes) -> int:
    """The mask of the seats that are still in (C3.4), from the disks each has turned."""
    return sum(1 << seat for seat, turned in enumerate(passes) if turned < 2)


@lru_cache(maxsize=4096)
def next_still_in(passes: bytes, seat: int) -> int | None:
    """The next seat clockwise of ``seat`` that is still in (C3.2), possibly itself; None if all are out."""
    around = (*range(seat + 1, len(passes)), *range(seat + 1))
    return next((other for other in around if passes[other] < 2), None)


class Table:
    """The public part of a position. All values are immutable and only ever replaced whole, so copies share them.

    ``color`` is a colour's number, or ``UNKNOWN_VALUE``; ``passes`` are the disks each seat has turned; ``tokens`` is
    the number of Cousin tokens the Boss still has, ``cousins`` the mask of the seats with one; ``exes`` is how many X
    cards lie open; ``moving`` is the kind of the move card in use (or ``UNKNOWN_VALUE``), ``moves_left`` how many moves
    it still allows; ``bound`` is what the seat on turn has agreed to do.
    """

    __slots__ = (
        "boss",
        "bound",
        "color",
        "cousins",
        "exes",
        "layout",
        "moves_left",
        "moving",
        "on_turn",
        "passes",
        "spread",
        "tokens",
    )

    layout: Layout
    boss: int
    on_turn: int
    color: int
    spread: Spread
    passes: bytes
    tokens: int
    cousins: int
    exes: int
    moving: int
    moves_left: int
    bound: Request | None

    @property
    def multiplier(self) -> int:
        """The multiplier: two, plus one for each X that lies open (C5.1)."""
        return BASE_MULTIPLIER + self.exes

    @property
    def value(self) -> int:
        """What a share is worth now, in $, cut to the limit (C5.1)."""
        return share_value(
            self.layout.rules.factor * self.multiplier, centre_total(self.spread.centre), self.layout.limit
        )

    def shares(self, seat: int) -> int:
        """The seat's shares: one for the Boss, one for a Cousin token, one for each POTA in front (C5.2)."""
        front = self.spread.fronts[seat]
        return (seat == self.boss) + (self.cousins >> seat & 1) + front[1] + front[2]

    def stake(self, seat: int) -> int:
        """The seat's shares, negative if it pays for them (C5.2)."""
        return signed_stake(self.shares(seat), self.spread.fronts[seat][0])

    def money_due(self, seat: int) -> int:
        """What the seat would receive now, in $ (negative: pay) (C5.2)."""
        return self.stake(seat) * self.value


Asked = Question[Table, bytes]
"""A question, by which an answer is judged; the hand is counts by kind."""


def share_value(per_point: int, centre: int, limit: int | None) -> int:
    """What a share is worth, in $, cut to the limit: the centre's sum times ``per_point`` (C5.1)."""
    worth = per_point * centre
    return worth if limit is None else max(-limit, min(limit, worth))


def signed_stake(shares: int, reverses: int) -> int:
    """The shares of a seat, negative if the number of reverse cards in front of it is odd (C5.2)."""
    return -shares if reverses % 2 else shares


def paid_amount(amount: int, have: int) -> int:
    """The part of ``amount`` that changes hands, in $: a seat that pays pays at most ``have`` (C5.3)."""
    return max(amount, -have)


def is_value(kind: int) -> bool:
    """Whether a kind is a positive or negative card."""
    return kind % SUIT_KINDS < REVERSE
