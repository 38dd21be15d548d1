"""A match as lines of JSON: each line of its replay with sentences about it and the table after it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path

import msgspec

from arena.errors import ReplayError
from arena.games.contract import Chanced, Event
from arena.match.walk.asks_of_lines import with_asks
from arena.match.walk.timeline import Timeline
from arena.recorded.ask_detail import find_ask
from arena.recorded.replay_names import name_file_in
from arena.recorded.seat_numbers import SeatNumbers, TableFollower
from arena.recorded.story import StorySource, check_first, last_line, numbers_of, source_of, story_source
from arena.replay.lines import Header, Result
from arena.replay.read import game_of, split_replay
from arena.replay.replay_sentences import Sentences
from arena.replay.seat_lines import seen_line

RAW_NULL = msgspec.Raw(b"null")


class MatchLine(msgspec.Struct, forbid_unknown_fields=True):
    """Line ``line`` of the file (from 1): the ``ask`` that it belongs to (0: the start), its ``seat``, the ``event`` as
    it stands in the file, sentences about it (``told``), and the ``table`` after it: null before the first event, and
    in a game that does not define how its table is computed. The first line has the data of the match's ``page``, for
    the page that opens matches; its form is not fixed."""

    line: int
    ask: int | None
    seat: int | None
    event: msgspec.Raw
    told: list[str]
    table: msgspec.Raw
    page: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class SeenLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the file as one seat knew it. The numbers of lines and asks would reveal that something happened which
    the seat did not see; so ``seen`` is the seat's own count (:mod:`arena.recorded.seat_numbers`). An answer of its own
    that changes nothing has the number of what the seat saw last."""

    seen: int
    seat: int | None
    event: msgspec.Raw
    told: list[str]
    table: msgspec.Raw
    page: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class LineRange(msgspec.Struct):
    """Which lines are wanted: from line ``first`` to line ``last`` (None: to the end), with an ``ask`` only those that
    belong to it, and with a ``seat`` only what it knew; then all three numbers are by the seat's own count."""

    first: int = 1
    last: int | None = None
    ask: int | None = None
    seat: int | None = None


PageMaker = Callable[[bytes, int | None], msgspec.Raw]
"""Makes the data of a match's page from the content of its replay, for a seat or complete."""


def match_lines(path: Path, wanted: LineRange, page: PageMaker | None = None) -> Iterator[bytes]:
    """The wanted lines of the replay at ``path`` as JSON, with their line breaks, one at a time. The table is that of
    the whole match, even where earlier lines are left out. The first line of the match gets what ``page`` makes.

    Raises UserError, before the first line, where the match has no such event, seat or ask; ReplayError for a file that
    is no finished replay, and at the first line that contradicts those before it; Mismatch where an ask is wanted and
    the replay does not verify up to it.
    """
    of, seat, ask = story_source(path, wanted.seat), wanted.seat, wanted.ask
    numbers = numbers_of(of, seat, () if ask is None else of.timeline.phases_verified())
    check_first(of, wanted.first, numbers)
    if ask is not None:
        ask = find_ask(path, of, ask, numbers).number
    return _encode_lines(path, of, msgspec.structs.replace(wanted, ask=ask), numbers, page)


def first_line(content: bytes, page: PageMaker) -> bytes:
    """The first line of the match in a replay file, as :func:`match_lines` gives it: all that a page needs which opens
    matches. Raises ReplayError for a file that is no finished replay."""
    of = source_of(Timeline(content))
    return next(_encode_lines(Path(of.header.id), of, LineRange(), None, page))


def _encode_lines(
    path: Path, of: StorySource, wanted: LineRange, numbers: SeatNumbers | None, page: PageMaker | None
) -> Iterator[bytes]:
    encode = msgspec.json.Encoder().encode
    making = LineMaker(of, wanted.seat)
    lines, asks_told = of.lines[: last_line(of, wanted.last, numbers)], numbers is None or wanted.ask is not None
    numbered = with_asks(of.timeline, lines) if asks_told else zip(lines, repeat(None))
    for number, (line, ask) in enumerate(numbered, 1):
        try:
            made = making.take(number, line, ask)
        except (ValueError, LookupError, AssertionError) as problem:
            reason = f"line {number}: it contradicts those before it ({problem}); try: arena verify"
            raise name_file_in(path, ReplayError(reason)) from None
        behind = made is not None and (number if isinstance(made, MatchLine) else made.seen) >= wanted.first
        if behind and wanted.ask in (None, ask):
            assert made is not None
            if number == 1 and page is not None and wanted.ask is None:
                made.page = page(of.content, wanted.seat)
            yield encode(made) + b"\n"


class LineMaker:
    """Makes the JSON of a match's lines, which must come in order: complete, or with ``seat`` as that seat knew
    them."""

    def __init__(self, of: StorySource, seat: int | None) -> None:
        self.seat, self.raw = seat, split_replay(of.content)
        self.game_events = frozenset(game_of(of.header).events) - {Chanced}
        self.sentences = Sentences(of.header, of.rules, of.names)
        self.follower = TableFollower(of.header, of.rules, seat)
        self.table = RAW_NULL
        self.seen = 0

    def take(self, number: int, line: Event, ask: int | None) -> MatchLine | SeenLine | None:
        """The next line; None where the seat knew nothing of it."""
        known = line if self.seat is None else seen_line(line, self.seat)
        told = [each.text.strip() for each in self.sentences.line_sentences(line, self.seat)]
        changed = self._follow(line, known)
        if known is None:
            return None
        whose = None if isinstance(line, Header | Result) else getattr(line, "seat", None)
        if self.seat is None:
            return MatchLine(number, ask, whose, msgspec.Raw(without_unprinted(self.raw[number - 1])), told, self.table)
        self.seen += bool(told or changed)
        return SeenLine(self.seen, whose, msgspec.Raw(without_unprinted(msgspec.json.encode(known))), told, self.table)

    def _follow(self, line: Event, known: Event | None) -> bool:
        """Apply a line to the table; returns whether it changed the table."""
        changed = self.follower.follow(line)
        begins = self.table is RAW_NULL and known is not None and type(line) in self.game_events
        if self.follower.fold is not None and (begins or (changed and self.table is not RAW_NULL)):
            self.table = msgspec.Raw(msgspec.json.encode(self.follower.table))
        return changed


def without_unprinted(line: bytes) -> bytes:
    """The same JSON without characters that a terminal does not print, whatever strangers have written into it."""
    text = line.decode()
    if text.isprintable():
        return line
    return "".join(each if each.isprintable() else _escape_letter(each) for each in text).encode()


def _escape_letter(letter: str) -> str:
    """A character as it may stand in a string of JSON, or a space for one that stands between its words."""
    return " " if letter in "\r\t" else json.dumps(letter)[1:-1]
