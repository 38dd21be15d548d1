"""What a seat earns in a match: the payoff of the game of many seats."""

from __future__ import annotations

from enum import StrEnum

import numpy

from arena.metagame.mixture_cells import Array


class Payoff(StrEnum):
    """What counts as the payoff of a seat."""

    LEAD = "lead"
    """Money above the mean of the table."""

    MONEY = "money"
    """Money."""

    BEATEN = "beaten"
    """The share of the opponents that it beat, equal ranks half."""

    WIN = "win"
    """The share of the win: 1/n where n seats share the first rank."""

    @property
    def is_share(self) -> bool:
        """Whether the payoff lies between 0 and 1."""
        return self in (Payoff.BEATEN, Payoff.WIN)

    def among_copies(self, seats: int) -> float | None:
        """What copies of one bot earn among themselves, where that follows from the definition."""
        match self:
            case Payoff.LEAD:
                return 0.0
            case Payoff.WIN:
                return 1 / seats
            case Payoff.BEATEN:
                return 0.5
            case Payoff.MONEY:
                return None


def seat_payoffs(payoff: Payoff, money: Array, ranks: Array) -> Array:
    """The payoff of each seat from money and ranks by match and seat."""
    match payoff:
        case Payoff.LEAD:
            found: Array = money - money.mean(axis=1, keepdims=True)
        case Payoff.MONEY:
            found = money.astype(float)
        case Payoff.BEATEN:
            better, equal = (ranks[:, :, None] < ranks[:, None, :]), (ranks[:, :, None] == ranks[:, None, :])
            found = (better.sum(axis=2) + (equal.sum(axis=2) - 1) / 2) / (ranks.shape[1] - 1)
        case Payoff.WIN:
            first = ranks == 1
            found = first / numpy.maximum(first.sum(axis=1, keepdims=True), 1)
    return found
