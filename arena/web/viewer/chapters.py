"""Finds the beginnings of the parts of a match, by which a viewer steps through it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.contract import Event
from arena.web.viewer.game_page import PageLevel


class ChapterLevel(msgspec.Struct):
    """A kind of part, such as ``turn``, and the numbers of the lines with which its parts begin."""

    name: str
    starts: list[int]


def levels_of(
    levels: Sequence[PageLevel], moments: Sequence[tuple[int, Event, msgspec.Struct, msgspec.Struct]]
) -> list[ChapterLevel]:
    """Return the parts of a match by level; a moment is a line's number, its event, the table before and after."""
    return [
        ChapterLevel(name, [number for number, event, before, after in moments if begins(event, before, after)])
        for name, begins in levels
    ]
