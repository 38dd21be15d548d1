"""A match told in sentences, line by line of its replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.app.naming import named, read_named
from arena.app.replays import load
from arena.errors import ReplayError, UserError
from arena.games import load_game
from arena.games.contract import Event
from arena.match.recall import asks_of_lines
from arena.penalties import SeatEnd
from arena.replay.lines import Answered, Faulted, Header, Result
from arena.replay.read import rules_of


class Kind(StrEnum):
    """What a sentence tells of."""

    MATCH = "match"
    EVENT = "event"
    SAID = "said"
    NOTE = "note"
    FAULT = "fault"
    RESULT = "result"


class Told(msgspec.Struct):
    """A sentence on ``line`` of the file (from 1), of some ``kind``. ``apart``: it begins something new. ``ask`` is the
    number of the ask it tells of, or null (:func:`arena.match.recall.asks_of_lines`)."""

    line: int
    text: str
    apart: bool = False
    ask: int | None = None
    kind: Kind = Kind.EVENT


class Story(msgspec.Struct):
    """A match in sentences; ``entrants`` are by seat. The ``seed`` is null in what one seat knew: it gives every hand
    away."""

    game: str
    edition: str
    seed: str | None
    entrants: list[str]
    lines: list[Told]


class Source(NamedTuple):
    """A replay that is told: its ``content``, ``header`` and ``lines``, its game's ``rules``, and the entrants'
    ``names`` by seat."""

    content: bytes
    header: Header
    lines: list[Event]
    rules: Any
    names: list[str]


def source(path: Path, seat: int | None) -> Source:
    """The replay at ``path``. Raises ReplayError, naming the file, and UserError where it has no such ``seat``."""
    header, lines = load(path)
    names = [each.entrant for each in header.seats]
    if seat is not None and not 0 <= seat < len(names):
        raise UserError(f"there is no seat {seat}; seats are 0 to {len(names) - 1}")
    try:
        return Source(read_named(path), header, lines, rules_of(header), names)
    except ReplayError as problem:
        raise named(path, problem) from None


def tell(path: Path, first: int, last: int | None, seat: int | None) -> Story:
    """The match in sentences, lines ``first`` to ``last`` of the file (from 1); with ``seat`` only what that seat
    knew. Raises ReplayError, naming the file, for lines that contradict its header."""
    of = source(path, seat)
    asks = asks_of_lines(of.content, of.lines)
    until = len(of.lines) if last is None else min(last, len(of.lines))
    try:
        told = list(tell_lines(of, range(first, until + 1), seat, asks))
    except ReplayError as problem:
        raise named(path, problem) from None
    return Story(of.header.game, of.header.edition, of.header.seed if seat is None else None, of.names, told)


def tell_lines(of: Source, numbers: range, seat: int | None, asks: dict[int, int]) -> Iterator[Told]:
    """Lines of the file in sentences; with ``seat`` as it knew them. ``asks`` are the asks they tell of, by line.
    Raises ReplayError for a line that cannot be told, such as one of a seat that the match does not have."""
    for number in numbers:
        line = of.lines[number - 1]
        try:
            sentences = list(_told(line, of.header, of.rules, of.names, seat))
        except (ValueError, LookupError, AssertionError) as problem:
            raise ReplayError(f"line {number}: it contradicts the header ({problem}); try: arena verify") from None
        for kind, text in sentences:
            plain = text.removeprefix("\n")
            yield Told(number, printable(plain), plain != text, asks.get(number), kind)


def printable(text: str) -> str:
    """The text with a sign in place of all that would not be printed as it is."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _told(
    line: Event, header: Header, rules: object, names: Sequence[str], seat: int | None
) -> Iterator[tuple[Kind, str]]:
    match line:
        case Header():
            bots = ", ".join(f"{name} ({number})" for number, name in enumerate(names))
            seed = f", seed {line.seed}" if seat is None else ""
            yield Kind.MATCH, f"{line.edition}{seed}: {bots}."
        case Answered():
            if line.say:
                yield Kind.SAID, f'  {names[line.seat]} ({line.seat}) says: "{line.say}"'
            if line.note and seat in (None, line.seat):
                yield Kind.NOTE, f"  ({names[line.seat]} ({line.seat}) notes: {line.note})"
        case Faulted():
            if seat in (None, line.seat):
                yield Kind.FAULT, f"  {fault_told(line, names)}"
        case Result():
            yield Kind.RESULT, f"\nThe match is over: {line.termination}."
            unit = load_game(header.game).unit  # "$M": $12M
            for each in sorted(line.seats, key=lambda result: result.rank):
                ended = "" if each.ended is SeatEnd.PLAYED else f" ({each.ended})"
                yield Kind.RESULT, f"{each.rank}. {each.entrant} {unit[0]}{each.money}{unit[1:]}{ended}"
        case _:
            seen = line if seat is None else line.seen_by(seat)
            if seen is not None and (text := load_game(header.game).tell(seen, rules, names)):
                yield Kind.EVENT, text


def fault_told(line: Faulted, names: Sequence[str]) -> str:
    """A fault in a sentence."""
    out = ", and is out" if line.out else ""
    rule = f" [{line.rule}]" if line.rule else ""
    return f"{names[line.seat]} ({line.seat}) {line.hook}: {line.kind}{rule}: {line.evidence}{out}."
