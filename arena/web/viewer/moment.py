"""Places in a match worth going to, moments found in its tables, and helpers for their sentences."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from arena.games.giving import Gift, UsualAct
from arena.replay.replay_sentences import amount_told


class Jump(StrEnum):
    """The kind of a place: a ``fault``, the end of a ``deal`` (whatever the game calls it), a change of ``boss``, one
    of the biggest payments (``payment``), one of the ten moments (``moment``)."""

    FAULT = "fault"
    DEAL = "deal"
    BOSS = "boss"
    PAYMENT = "payment"
    MOMENT = "moment"


class JumpPlace(msgspec.Struct, omit_defaults=True):
    """A place to go to: line ``n``, its kind (``jump``), and for payments and moments a description (``text``) and the
    formatted ``figure``. ``of`` is the kind of a moment; ``only`` are the seats that may know it (absent: all).

    For payments and moments, ``seats`` are the seats among whose ten it is. ``extra``: it is among a seat's ten, but
    not among the ten of the match. A deal has the ``number`` of its negotiation in the match, from 1, and may have
    ``failed``."""

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
    """The kind of a finding: a ``gift`` of one seat to another, a ``refused`` offer that was better than what came
    later, or a ``payment``. A game may have kinds of its own."""

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
    """Formats seats and amounts; ``names`` are the entrants by seat."""

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
    """Return the usual part of acts in this match, by their position (``like``): sum of money / sum of ``of``."""
    sums: dict[Hashable, tuple[int, int]] = {}
    for each in usual:
        money, of = sums.get(each.like, (0, 0))
        sums[each.like] = (money + each.money, of + each.of)
    return {like: money / of for like, (money, of) in sums.items() if of}


def gift_worth(gift: Gift, usual: dict[Hashable, float]) -> float:
    """Return a gift's worth, given the ``usual`` part of acts by position; 0 where its position has no other act."""
    if gift.times and gift.like not in usual:
        return 0.0
    return gift.money + gift.times * usual.get(gift.like, 0.0)
