"""How the money of a deal is divided (B7.1). All code that prints these amounts takes them from here, and what a deal
pays from :func:`arena.games.board.rules.deal_proceeds`."""

from __future__ import annotations

from collections.abc import Sequence


def kept_by_boss(proceeds: int, cost: int) -> int:
    """What the Boss keeps of the ``proceeds`` when it has paid ``cost`` to others, in $M."""
    return proceeds - cost


def seat_amounts(boss: int, kept: int, paid: Sequence[int]) -> tuple[int, ...]:
    """What each seat gets, in $M: ``kept`` for the seat ``boss``, and its entry in ``paid`` for every other seat."""
    return tuple([amount + kept if seat == boss else amount for seat, amount in enumerate(paid)])


class DealMoney:
    """The money of a closed deal: a mix-in for records of deals, which have these fields."""

    __slots__ = ()

    boss: int
    proceeds: int
    paid: tuple[int, ...]

    @property
    def kept(self) -> int:
        """What the Boss kept, in $M."""
        return kept_by_boss(self.proceeds, sum(self.paid))

    @property
    def amounts(self) -> tuple[int, ...]:
        """What each seat got, in $M: the Boss what it kept, the others what they received from it."""
        return seat_amounts(self.boss, self.kept, self.paid)
