"""A place in a match worth going to, a moment that was found in its tables, and what its sentence is made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from arena.games.giving import Gift, UsualAct
from arena.replay.replay_sentences import amount_told


class Jump(StrEnum):
    """What lies at a place: a ``fault``, the end of a ``deal`` (whatever the game calls one), a change of ``boss``, one
    of the biggest ``payment``, one of the ten ``moment``."""

    FAULT = "fault"
    DEAL = "deal"
    BOSS = "boss"
    PAYMENT = "payment"
    MOMENT = "moment"


class JumpPlace(msgspec.Struct, omit_defaults=True):
    """A place to go to: line ``n``, what lies there (``jump``), and for payments and moments what it is (``text``) and
    its ``figure`` as it is told. ``of`` is the kind of a moment; ``only`` the seats that may know it (absent: all).

    ``seats`` are those whose place it is too: of moments and payments those that it is one of the ten of. ``extra``: it
    is one of a seat's ten, but none of the ten of the match. A deal has the ``number`` of its negotiation in the match,
    from 1, and may have ``failed``.
    """

    n: int
    jump: Jump
    text: str = ""
    figure: str = ""
    of: str | None = None
    only: list[int] | None = None
    seats: list[int] = []
    extra: bool = False
    number: int | None = None
    failed: bool = False


class FoundKind(StrEnum):
    """What was found: a ``gift`` of one seat to another, an offer ``refused`` that was better than what came, or a
    ``payment``. A game may have kinds of its own."""

    GIFT = "gift"
    REFUSED = "refused"
    PAYMENT = "payment"


class FoundMoment(NamedTuple):
    """A moment of some ``kind`` at line ``n``, in a sentence, with a ``figure`` in the game's money; ``seats`` are
    those that it concerns, ``only`` those that may know it (None: all)."""

    kind: str
    n: int
    text: str
    figure: float
    seats: tuple[int, ...]
    only: list[int] | None = None


class MomentTeller(NamedTuple):
    """Says seats and amounts; ``names`` are the entrants by seat."""

    unit: str
    names: Sequence[str]

    def seat(self, seat: int) -> str:
        """``name (seat)``."""
        return f"{self.names[seat]} ({seat})"

    def money(self, amount: float) -> str:
        """The amount with its unit, to a tenth where it is not whole."""
        tenths = round(amount, 1)
        return amount_told(int(tenths) if tenths == int(tenths) else tenths, self.unit)


def usual_parts(usual: Iterable[UsualAct]) -> dict[Hashable, float]:
    """By what acts are like: the usual part of such acts in this match."""
    sums: dict[Hashable, tuple[int, int]] = {}
    for each in usual:
        money, of = sums.get(each.like, (0, 0))
        sums[each.like] = (money + each.money, of + each.of)
    return {like: money / of for like, (money, of) in sums.items() if of}


def gift_worth(gift: Gift, usual: dict[Hashable, float]) -> float:
    """What a gift is worth where acts in a like position usually are worth so much; 0 where there was no other."""
    if gift.times and gift.like not in usual:
        return 0.0
    return gift.money + gift.times * usual.get(gift.like, 0.0)
