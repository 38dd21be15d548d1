"""Chooses how many of the waiting matches a worker is given next."""

from __future__ import annotations

from collections.abc import Sequence


def batch_end(deals: Sequence[str], fair: int, room: int) -> int:
    """The number of matches to hand out, from 1 to ``room``, chosen so that a deal ends there: the first such number
    from ``fair`` to twice ``fair``, else the last one before; ``fair`` where no deal ends in between. ``deals`` are the
    seeds of the waiting matches: ``room`` of them, and one more where there are so many.

    A process computes the seeds of bots once for each deal, which takes as long as a short match
    (:mod:`arena.players.own_seeds`): a deal shared by several processes costs as much in each.
    """
    most = min(room, len(deals))
    ends = [number for number in range(1, most + 1) if number == len(deals) or deals[number - 1] != deals[number]]
    later = (number for number in ends if fair <= number <= 2 * fair)
    sooner = (number for number in reversed(ends) if number < fair)
    return next(later, next(sooner, max(1, min(fair, most))))
