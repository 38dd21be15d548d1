"""Where the parts of a match begin: the steps by which a viewer goes through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.games.contract import Event


class ChapterLevel(msgspec.Struct):
    """A kind of part, such as ``turn``, and the numbers of the lines with which one begins."""

    name: str
    starts: list[int]


Begins = Callable[[Event, Any, Any], bool]
"""Whether a part begins with this event, which changed the table from the first to the second."""


def _event(*kinds: type[Event]) -> Begins:
    return lambda event, before, after: isinstance(event, kinds)


def _next_on_turn(event: Event, before: Any, after: Any) -> bool:
    return after.on_turn is not None and before.on_turn != after.on_turn


LEVELS: dict[str, tuple[tuple[str, Begins], ...]] = {
    "board": (
        ("tick", _event(board.TickBegan)),
        ("turn", _event(board.TurnBegan)),
        ("deal", _event(board.Opened)),
    ),
    "cards": (("turn", _next_on_turn), ("round", _event(cards.RoundBegan))),
}
"""By game the kinds of parts, the smallest first. Other games are looked at event by event."""


def levels_of(game: str, moments: Sequence[tuple[int, Event, msgspec.Struct, msgspec.Struct]]) -> list[ChapterLevel]:
    """The parts of a match: each moment is the number of a line, its event, and the table before and after it."""
    return [
        ChapterLevel(name, [number for number, event, before, after in moments if begins(event, before, after)])
        for name, begins in LEVELS.get(game, ())
    ]
