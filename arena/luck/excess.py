"""What chance brought in a match above its expected value, computed from the events of the match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from arena.games.chances import ChanceEvent
from arena.games.contract import Chances, Event

Excess = list[list[float]]
"""By seat and feature: what all random events of a match brought, less what they would have brought on average. Its
expected value is 0, whatever the bots do."""


def excess_of(kind: type[Chances], rules: Any, players: int, lines: Iterable[Event]) -> Excess:
    """The excess of a match; ``kind`` is the class with which its game follows chance. ``lines`` are the lines of its
    replay after the header; lines that are no events of the game are ignored.

    Raises ValueError where an event does not follow from those before it, with the number of its line in the file.
    """
    chances = kind(rules, players)
    found = [[0.0] * len(kind.features) for _ in range(players)]
    for number, line in enumerate(lines, 2):
        try:
            for event in chances.follow(line):
                add_excess(found, event)
        except (ValueError, IndexError) as problem:
            raise ValueError(f"line {number}: {problem}") from None
    return found


def add_excess(found: Excess, event: ChanceEvent, number: Callable[[int], Any] = float) -> None:
    """Add to ``found`` what the outcome of an event brought, less what its outcomes bring on average. ``number``
    converts the numbers of ways, and so sets the type of number for the computation."""
    whole = sum(event.ways)
    for ways, gains in zip(event.ways, event.gains, strict=True):
        if ways:
            share = number(ways) / whole
            for seat, feature, amount in gains:
                found[seat][feature] -= share * amount
    for seat, feature, amount in event.gains[event.came]:
        found[seat][feature] += amount
