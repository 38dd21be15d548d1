"""Where in a replay each negotiation stands."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted


class Span(msgspec.Struct, frozen=True):
    """Negotiation ``number`` (from 1) is ``lines[first:last]`` of a replay; ``summary`` says how it went."""

    number: int
    first: int
    last: int
    summary: str


def decided_from(lines: Sequence[Event], index: int) -> int:
    """Where the decisions begin of which the event at ``index`` is an effect."""
    while index and isinstance(lines[index - 1], Answered | Faulted):
        index -= 1
    return index
