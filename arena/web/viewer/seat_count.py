"""What a seat saw, numbered by its own count.

The numbers of a replay's lines would tell a seat that something happened between two things which it saw, such as a
yes of another that came to nothing. So a page for one seat alone counts what that seat saw, from 1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from arena.web.viewer.chapters import ChapterLevel
from arena.web.viewer.frames import Frame, Frames
from arena.web.viewer.moment import JumpPlace


class OwnCount(NamedTuple):
    """The ``lines`` that a seat saw something of, in order."""

    lines: Sequence[int]

    def of(self, line: int) -> int:
        """The number of the last thing that the seat saw up to a line; 1 where that is before the first."""
        return max(1, bisect_right(self.lines, line))

    def frames(self, course: Frames, seat: int) -> Frames:
        """The match by this count. What others were asked when they said something is left out."""
        frames = [self._frame(frame, seat) for frame in course.frames]
        levels = [ChapterLevel(level.name, [self.of(line) for line in level.starts]) for level in course.levels]
        return Frames(course.first, frames, course.own, course.eyes, levels)

    def places(self, places: Sequence[JumpPlace]) -> list[JumpPlace]:
        """The places by this count."""
        return [replace(place, n=self.of(place.n)) for place in places]

    def _frame(self, frame: Frame, seat: int) -> Frame:
        return replace(frame, n=self.of(frame.n), hook=frame.hook if frame.seat == seat else None)


def own_count(course: Frames) -> OwnCount:
    """The count of the seat whose eyes a match was made for."""
    return OwnCount([frame.n for frame in course.frames])
