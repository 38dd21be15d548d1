"""Where the parts of a match begin: the steps by which a viewer goes through it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.contract import Event
from arena.web.viewer.game_page import PageLevel


class ChapterLevel(msgspec.Struct):
    """A kind of part, such as ``turn``, and the numbers of the lines with which one begins."""

    name: str
    starts: list[int]


def levels_of(
    levels: Sequence[PageLevel], moments: Sequence[tuple[int, Event, msgspec.Struct, msgspec.Struct]]
) -> list[ChapterLevel]:
    """The parts of a match: each moment is the number of a line, its event, and the table before and after it."""
    return [
        ChapterLevel(name, [number for number, event, before, after in moments if begins(event, before, after)])
        for name, begins in levels
    ]
