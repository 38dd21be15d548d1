"""Numbers events by what one seat saw.

The line numbers of a replay would reveal to a seat that something happened between two events that it saw, such as
another's yes that came to nothing. So a page for one seat counts only what that seat saw, from 1."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from arena.web.viewer.chapters import ChapterLevel
from arena.web.viewer.frames import Frame, Frames
from arena.web.viewer.moment import JumpPlace


class OwnCount(NamedTuple):
    """The ``lines`` of which a seat saw something, in order."""

    lines: Sequence[int]

    def seen_number(self, line: int) -> int:
        """Return the number of the last event that the seat saw up to a line; 1 before its first."""
        return max(1, bisect_right(self.lines, line))

    def frames(self, course: Frames, seat: int) -> Frames:
        """Return the match with these numbers. The hooks of other seats' answers are left out."""
        frames = [self._frame(frame, seat) for frame in course.frames]
        levels = [
            ChapterLevel(level.name, [self.seen_number(line) for line in level.starts]) for level in course.levels
        ]
        return Frames(course.first, frames, course.own, course.eyes, levels)

    def renumber_places(self, places: Sequence[JumpPlace]) -> list[JumpPlace]:
        """Return the places with these numbers."""
        return [replace(place, n=self.seen_number(place.n)) for place in places]

    def _frame(self, frame: Frame, seat: int) -> Frame:
        return replace(frame, n=self.seen_number(frame.n), hook=frame.hook if frame.seat == seat else None)


def own_count(course: Frames) -> OwnCount:
    """Return the numbering for the seat for which a match was made."""
    return OwnCount([frame.n for frame in course.frames])
