"""Where each negotiation stands in a replay, and which of its lines a seat knew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from arena.drawing.scene import Item, Mark, MarkKind, Step
from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted, Header


class Span(msgspec.Struct, frozen=True):
    """Negotiation ``number`` (from 1) is ``lines[first:last]`` of a replay; ``summary`` says how it went, ``paid`` how
    much money it brought to seats, in the game's unit."""

    number: int
    first: int
    last: int
    summary: str
    paid: int = 0


class ItemCollector(Protocol):
    """Collects what is drawn of the lines of a negotiation, one after the other."""

    @property
    def lines(self) -> Sequence[Event | None]:
        """The lines of the negotiation; None for one that is hidden."""

    def take_line(self, index: int) -> None:
        """Take the next line."""

    def items(self) -> list[Item]:
        """All items so far."""


def items_by_line(collector: ItemCollector) -> Iterator[tuple[Item, ...]]:
    """With each line the items that it adds or changes."""
    before = Counter[Item]()
    for index in range(len(collector.lines)):
        collector.take_line(index)
        now = Counter(collector.items())
        yield tuple(now - before)
        before = now


def all_items(steps: Sequence[Step]) -> list[Item]:
    """The items of some steps, in their order."""
    return [item for step in steps for moment in step.moments for item in moment]


def decided_from(lines: Sequence[Event], index: int) -> int:
    """The index of the first decision that led to the event at ``index``: the answers and faults just before it."""
    while index and isinstance(lines[index - 1], Answered | Faulted):
        index -= 1
    return index


def seen_lines(lines: Sequence[Event], seat: int | None) -> list[Event | None]:
    """The lines as ``seat`` saw them, with None for each line hidden from it, such as the faults of others. Without a
    seat, all lines."""
    return [line if seat is None else _seen_event(line, seat) for line in lines]


def _seen_event(line: Event, seat: int) -> Event | None:
    if isinstance(line, Faulted):
        return line if line.seat == seat else None
    return line if isinstance(line, Answered) else line.seen_by(seat)


def whose_knowledge(header: Header, names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """A line that says whose knowledge a picture shows. A seat's picture omits the seed: it reveals all hands."""
    return (f"seed {header.seed}",) if seat is None else (f"as {names[seat]} (seat {seat}) knew it",)


def say_mark(line: Answered, names: Sequence[str]) -> Mark:
    """A mark for what a bot said, on the lane of its seat."""
    return Mark(line.seat, MarkKind.SAY, (line.say,), f"{names[line.seat]}: {line.say}")


def fault_mark(line: Faulted, names: Sequence[str]) -> Mark:
    """A mark for a fault, on the lane of its seat."""
    hint = f"{names[line.seat]}: fault at ask {line.ask}, {line.hook}: {line.kind}"
    return Mark(line.seat, MarkKind.FAULT, (f"fault: {line.kind}",), hint)
