"""Whether a number of blocks or matches is balanced: whether it is a number of whole cycles."""

from __future__ import annotations

from enum import StrEnum
from math import lcm

from arena.errors import UserError
from arena.tournament.schedule.schedule import Schedule


class Balance(StrEnum):
    """What a tournament must keep equal."""

    PAIRS = "pairs"
    """How often each two entrants meet, which allows only whole cycles of blocks."""

    ENTRANTS = "entrants"
    """How often each entrant plays, which allows any number of blocks."""


BALANCE_HINT = f"; or set balance: {Balance.ENTRANTS}"
"""The end of error messages: what a tournament file can say instead."""


def cycle_of(schedule: Schedule) -> int:
    """The number of blocks after which pairs are balanced in all editions; all blocks, if the format fixes their
    number."""
    sizes = [edition.seats for edition in schedule.editions]
    if any(schedule.format.blocks(seats) is not None for seats in sizes):
        return schedule.blocks
    return lcm(*map(schedule.format.cycle, sizes))


def is_even(schedule: Schedule) -> bool:
    """Whether whole cycles balance exactly in all editions."""
    return all(schedule.format.is_even(edition.seats) for edition in schedule.editions)


def check_blocks(schedule: Schedule, balance: Balance) -> None:
    """Raise UserError if the schedule ends within a cycle although pairs must be balanced, and can be."""
    cycle = cycle_of(schedule)
    if balance is Balance.ENTRANTS or schedule.blocks % cycle == 0 or not is_even(schedule):
        return
    raise UserError(
        f"expected {_multiples(schedule.blocks, cycle)} blocks, so that every two entrants meet equally often (a cycle "
        f"has {cycle}), got {schedule.blocks}{BALANCE_HINT}"
    )


def blocks_for(one_cycle: Schedule, matches: int, balance: Balance) -> int:
    """The number of blocks with this many ``matches`` over all editions, computed from the schedule of one cycle.
    Raises UserError if no number of blocks that keeps the balance has them; it names the nearest numbers of matches
    that work."""
    cycle = one_cycle.blocks
    balance = balance if is_even(one_cycle) else Balance.ENTRANTS
    size, blocks = len(one_cycle), cycle
    if (
        balance is Balance.ENTRANTS
        and not one_cycle.looks_back
        and cycle == cycle_of(one_cycle)
        and len(one_cycle) % cycle == 0
    ):
        size, blocks = one_cycle.matches_in(0), 1
    if matches % size == 0:
        return matches // size * blocks
    several = f"{cycle} blocks, a cycle, in which every two entrants meet equally often"
    unit = several if blocks > 1 else "a block"
    hint = BALANCE_HINT if balance is Balance.PAIRS and blocks > 1 else ""
    if one_cycle.looks_back:
        unit, hint = f"{cycle} blocks, as many for each round", ""
    raise UserError(f"expected {_multiples(matches, size)} matches ({size} make up {unit}), got {matches}{hint}")


def _multiples(number: int, step: int) -> str:
    """The multiples of ``step`` next to ``number``, in words: "5 or 10"."""
    below = number // step * step
    return f"{below} or {below + step}" if below else f"{step}"
