"""Where in a replay each negotiation stands, and what a seat knew of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.drawing.scene import Mark, MarkKind
from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted, Header


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


def seen_lines(lines: Sequence[Event], seat: int | None) -> list[Event | None]:
    """The lines as ``seat`` knew them, None for what it did not know: not the faults of others. Without a seat, all
    lines."""
    return [line if seat is None else _seen_event(line, seat) for line in lines]


def _seen_event(line: Event, seat: int) -> Event | None:
    if isinstance(line, Faulted):
        return line if line.seat == seat else None
    return line if isinstance(line, Answered) else line.seen_by(seat)


def whose_knowledge(header: Header, names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """Whose knowledge a picture shows: of everything the seed is a part, but it would tell a seat every hand."""
    return (f"seed {header.seed}",) if seat is None else (f"as {names[seat]} (seat {seat}) knew it",)


def say_mark(line: Answered, names: Sequence[str]) -> Mark:
    """What a bot said to all, on the lane of its seat."""
    return Mark(line.seat, MarkKind.SAY, (line.say,), f"{names[line.seat]}: {line.say}")


def fault_mark(line: Faulted, names: Sequence[str]) -> Mark:
    """A fault, on the lane of its seat."""
    hint = f"{names[line.seat]}: fault at ask {line.ask}, {line.hook}: {line.kind}"
    return Mark(line.seat, MarkKind.FAULT, (f"fault: {line.kind}",), hint)
