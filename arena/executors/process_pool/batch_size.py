"""How many of the matches that wait a worker is given next."""

from __future__ import annotations

from collections.abc import Sequence


def batch_end(deals: Sequence[str], fair: int, room: int) -> int:
    """A number from 1 to ``room``, where a deal ends: the first such place from a ``fair`` number to twice as many,
    else the last one before; without such a place it is the fair number. ``deals`` are the seeds of what waits, of
    ``room`` matches and one more where there are so many.

    A process works out the seeds of bots once for each deal, which takes as long as a short match
    (:mod:`arena.players.own_seeds`): a deal shared by several processes costs as much in each.
    """
    most = min(room, len(deals))
    ends = [number for number in range(1, most + 1) if number == len(deals) or deals[number - 1] != deals[number]]
    later = (number for number in ends if fair <= number <= 2 * fair)
    sooner = (number for number in reversed(ends) if number < fair)
    return next(later, next(sooner, max(1, min(fair, most))))
