"""A match in sentences, line by line of its replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from arena.errors import ReplayError, UserError
from arena.games.contract import Event
from arena.match.walk.asks_of_lines import asks_of_lines
from arena.match.walk.record_walk import RecordedPhase
from arena.match.walk.timeline import Timeline
from arena.recorded.replay_names import name_file_in, read_named
from arena.recorded.seat_numbers import SeatNumbers, check_seat, seat_numbers
from arena.replay.lines import Header
from arena.replay.read import read_replay_lines, rules_of
from arena.replay.replay_sentences import SentenceKind, Sentences


class StoryLine(msgspec.Struct):
    """A sentence on ``line`` of the file (from 1), of some ``kind``. ``apart``: it begins something new. ``ask`` is the
    number of the ask that the line belongs to, or null (:mod:`arena.match.walk.asks_of_lines`). A bot's output has the
    kind ``printed``, and ``line`` is the one before which it stands (:mod:`arena.commands.show.bot_output`). A sentence
    for one seat has no line, but the number under which the seat has ``seen`` it, and ``ask`` only for the seat's own
    asks, by its own count (:mod:`arena.recorded.seat_numbers`)."""

    line: int | UnsetType
    text: str
    apart: bool = False
    ask: int | None = None
    kind: SentenceKind = SentenceKind.EVENT
    seen: int | UnsetType = UNSET

    @property
    def number(self) -> int:
        """The number printed in front of the sentence."""
        number = self.line if self.seen is UNSET else self.seen
        assert number is not UNSET
        return number


class Story(msgspec.Struct):
    """A match in sentences; ``entrants`` are by seat. The ``seed`` is null in what one seat knew, because it reveals
    every hand."""

    game: str
    edition: str
    seed: str | None
    entrants: list[str]
    lines: list[StoryLine]


class StorySource(NamedTuple):
    """The source of a story: the ``timeline`` of a match, its replay's ``header`` and ``lines``, its game's ``rules``,
    and the entrants' ``names`` by seat."""

    timeline: Timeline
    header: Header
    lines: list[Event]
    rules: Any
    names: list[str]

    @property
    def content(self) -> bytes:
        """The bytes of the replay."""
        return self.timeline.content


def story_source(path: Path, seat: int | None) -> StorySource:
    """The replay at ``path``. Raises ReplayError, naming the file, and UserError where it has no such ``seat``."""
    try:
        of = source_of(Timeline(read_named(path)))
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    check_seat(of.header, seat)
    return of


def source_of(timeline: Timeline) -> StorySource:
    """The story source of a replay that has been read already. Raises ReplayError."""
    header, lines = read_replay_lines(timeline.content)
    return StorySource(timeline, header, lines, rules_of(header), [each.entrant for each in header.seats])


def numbers_of(of: StorySource, seat: int | None, phases: Iterable[RecordedPhase]) -> SeatNumbers | None:
    """The numbering of a replay with these ``phases`` by the ``seat``; None without a seat."""
    return None if seat is None else seat_numbers(of.header, of.rules, of.lines, phases, seat)


def check_first(of: StorySource, first: int, numbers: SeatNumbers | None) -> None:
    """Raise UserError where the match has no event of this number, or the seat saw less."""
    if numbers is not None:
        numbers.line_of(first)
    elif first > len(of.lines):
        raise UserError(f"there is no event {first}; events are the lines of the replay, 1 to {len(of.lines)}")


def tell_story(path: Path, first: int, last: int | None, seat: int | None) -> Story:
    """The match in sentences, lines ``first`` to ``last`` of the file (from 1); with ``seat`` only what that seat
    knew, by its own count. Raises ReplayError, naming the file, for lines that contradict its header, UserError where
    it has no line ``first``."""
    of = story_source(path, seat)
    numbers = numbers_of(of, seat, of.timeline.phases_verified())
    check_first(of, first, numbers)
    asks = asks_of_lines(of.timeline, of.lines)
    begin = first if numbers is None else numbers.line_of(first)
    until = last_line(of, last, numbers)
    try:
        told = list(tell_lines(of, range(begin, until + 1), seat, asks, numbers))
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    return Story(of.header.game, of.header.edition, of.header.seed if seat is None else None, of.names, told)


def last_line(of: StorySource, last: int | None, numbers: SeatNumbers | None) -> int:
    """The last line of the file to show, so that no sentence has a number above ``last`` (None: to the end)."""
    end = len(of.lines)
    if last is None:
        return end
    if numbers is None:
        return min(last, end)
    return numbers.line_of(last + 1) - 1 if last < numbers.last else end


def tell_lines(
    of: StorySource, wanted: range, seat: int | None, asks: dict[int, int], numbers: SeatNumbers | None
) -> Iterator[StoryLine]:
    """The ``wanted`` lines of the file in sentences; with ``seat`` as it knew them, and with ``numbers`` numbered by
    its count. ``asks`` gives the ask that each line belongs to. Raises ReplayError for a line that cannot be put into
    words, such as one of a seat that the match does not have."""
    told = Sentences(of.header, of.rules, of.names)
    for number, line in enumerate(of.lines[: wanted.stop - 1], 1):
        try:
            sentences = list(told.line_sentences(line, seat))
        except (ValueError, LookupError, AssertionError) as problem:
            raise ReplayError(f"line {number}: it contradicts the header ({problem}); try: arena verify") from None
        for each in sentences if number in wanted else ():
            made = StoryLine(number, each.text, each.apart, asks.get(number), each.kind)
            if numbers is not None:
                made = replace(made, line=UNSET, seen=numbers.seen(number), ask=numbers.own_ask(made.ask))
            yield made
