"""A match as the data of a page: its table before the first event, and for each line its sentences and its changes.

The data comes from a replay's lines alone. For a fixed seat it is made from what that seat knew, and contains nothing
else; otherwise it includes what every seat saw, so that a page can show the match as any seat saw it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from arena.errors import ReplayError, UserError
from arena.games.contract import Event, Fold, Game
from arena.replay.lines import Answered, Faulted, Header, Result
from arena.replay.replay_sentences import Sentence, SentenceKind, Sentences
from arena.web.viewer.chapters import ChapterLevel, levels_of
from arena.web.viewer.game_page import game_page
from arena.web.viewer.table_changes import (
    Fields,
    Splices,
    changed_fields,
    differing_fields,
    own_fields,
    seat_differences,
)


class FrameSentence(msgspec.Struct, omit_defaults=True):
    """A sentence of some ``kind``; ``words`` are only what a bot said or noted. ``apart``: it begins something new.

    ``only`` are the seats that received it (absent: all). ``part``: it is for seats that may know only a part of the
    event; a viewer who sees everything gets another sentence instead."""

    text: str
    kind: SentenceKind = SentenceKind.EVENT
    words: str = ""
    apart: bool = False
    only: list[int] | None = None
    part: bool = False


class Frame(msgspec.Struct, omit_defaults=True):
    """Line ``n`` of the replay (from 1), of a ``kind`` (its tag there): its ``seat``, the number of its ``ask`` and its
    ``hook``, its sentences (``told``), and its changes of the table: fields ``set`` to new values, and lists changed by
    a ``splice``. ``unseen`` are the seats for which nothing happened; ``roll`` is the face of the die that was
    rolled."""

    n: int
    kind: str
    told: list[FrameSentence] = []
    seat: int | None = None
    ask: int | None = None
    hook: str | None = None
    unseen: list[int] = []
    set: Fields = {}
    splice: Splices = {}
    roll: int | None = None


class Frames(msgspec.Struct):
    """A match, beginning with its ``first`` table (None: its game cannot fold a table from events). Lines without a
    sentence for anybody have no frame.

    ``own`` are the fields in which a seat sees only its own element, and null for the others. ``eyes`` has for each
    seat the other fields that it sees differently: by frame (its index in the list, from 0; -1: before the first), the
    values that it sees from then on. Both are empty where a seat is fixed."""

    first: msgspec.Struct | None
    frames: list[Frame]
    own: list[str]
    eyes: list[list[tuple[int, Fields]]]
    levels: list[ChapterLevel]


class TableWatch:
    """The table after each line, complete or as a ``seat`` sees it. ``shown`` turns it into the one that is drawn, if a
    game has such a function."""

    def __init__(
        self, game: Game, rules: Any, players: int, seat: int | None, shown: Callable[[Any], Any] | None = None
    ) -> None:
        self.fold: Fold | None = None
        self._events = frozenset(game.events)
        with suppress(UserError):  # the game has no fold
            self.fold = game.fold(rules, players, seat)
        self._shown = shown
        self._made: Any = None
        self.table: Any = self._look()
        """The current table, as it is drawn; None where the game cannot fold one."""
        self.tables: list[Any] = [] if self.fold is None else [self.table]

    def follow(self, line: Event) -> bool:
        """Apply a line; return whether it changed the table."""
        if self.fold is None or type(line) not in self._events:
            return False
        self.fold.follow(line)
        self.table = self._look()
        return self.table is not self.tables[-1] and self.table != self.tables[-1]

    def _look(self) -> Any:
        """Return the table as it is drawn; computed again only after the fold has made a new one."""
        if self.fold is None or self._shown is None:
            return None if self.fold is None else self.fold.table
        if self.fold.table is not self._made:
            self._made = self.fold.table
            self._drawn = self._shown(self._made)
        return self._drawn


def frames_of(
    header: Header,
    lines: Sequence[Event],
    game: Game,
    rules: Any,
    asks: Mapping[int, int],
    seat: int | None,
) -> Frames:
    """Return the frames of a match. ``lines`` are all lines of its replay, with the header; ``asks`` has the number of
    each line's ask (:mod:`arena.match.walk.asks_of_lines`). Raises ReplayError for lines that contradict each other."""
    try:
        maker = FrameMaker(header, game, rules, asks, seat)
    except ValueError as problem:
        raise ReplayError(f"line 1: {problem}") from None
    for number, line in enumerate(lines, 1):
        try:
            maker.take(number, line)
        except (ValueError, LookupError, AssertionError) as problem:
            raise ReplayError(f"line {number}: it contradicts those before it ({problem}); try: arena verify") from None
    return maker.frames()


class FrameMaker:
    """Makes frames from lines, one by one. ``eyes`` are the seats from whose view the page can show the match."""

    def __init__(self, header: Header, game: Game, rules: Any, asks: Mapping[int, int], seat: int | None) -> None:
        self.header, self.rules, self.asks, self.seat = header, rules, asks, seat
        self.game = game
        self.names = [each.entrant for each in header.seats]
        self.sentences = Sentences(header, rules, self.names)
        self.eyes = range(len(header.seats) if seat is None else 0)
        players, drawing = len(self.names), game_page(game).drawing
        shown = None if drawing is None or drawing.shown is None else drawing.shown(rules, players)
        self.whole = TableWatch(game, rules, players, seat, shown)
        self.seen = [TableWatch(game, rules, players, each, shown) for each in self.eyes]
        self.made: list[Frame] = []
        self.moments: list[tuple[int, Event, Any, Any]] = []

    def take(self, number: int, line: Event) -> None:
        """Process the next line."""
        changed = self.whole.follow(line)
        seen = [watch.follow(line) for watch in self.seen]
        told = list(self._told(line))
        if not told and not changed and not any(seen):
            return
        frame = Frame(number, str(line.__struct_config__.tag), told, *self._whose(number, line))
        frame.roll = getattr(line, "roll", None)
        frame.unseen = [eye for eye in self.eyes if not seen[eye] and not any(_seat_hears(each, eye) for each in told)]
        self.made.append(frame)
        if self.whole.tables:
            before, after = self.whole.tables[-1], self.whole.table
            frame.set, frame.splice = changed_fields(before, after)
            self.moments.append((number, line, before, after))
            for watch in (self.whole, *self.seen):
                watch.tables.append(watch.table)

    def frames(self) -> Frames:
        """Return all frames."""
        whole, seen = self.whole.tables, [watch.tables for watch in self.seen]
        names = [differing_fields(whole, tables) for tables in seen]
        own = own_fields(whole, seen, names)
        other = [[name for name in each if name not in own] for each in names]
        return Frames(
            whole[0] if whole else None,
            self.made,
            own,
            [[(at - 1, fields) for at, fields in seat_differences(*each)] for each in zip(seen, other, strict=True)],
            levels_of(game_page(self.game).levels, self.moments),
        )

    def _told(self, line: Event) -> Iterable[FrameSentence]:
        """Yield the sentences of a line, each with the seats that received it."""
        whole = self._sentences(line, self.seat)
        if not self.eyes or (type(line) in self.game.events and all(line.seen_by(eye) is line for eye in self.eyes)):
            return [_frame_sentence(each) for each in whole]
        by_seat = [self._sentences(line, eye) for eye in self.eyes]
        parts = dict.fromkeys(each for seat in by_seat for each in seat if each not in whole)
        return [
            *(
                _frame_sentence(each, [eye for eye in self.eyes if each in by_seat[eye]], len(self.eyes))
                for each in whole
            ),
            *(_frame_sentence(each, [eye for eye in self.eyes if each in by_seat[eye]], -1) for each in parts),
        ]

    def _sentences(self, line: Event, seat: int | None) -> list[Sentence]:
        return list(self.sentences.line_sentences(line, seat))

    def _whose(self, number: int, line: Event) -> tuple[int | None, int | None, str | None]:
        """Return the seat, ask and hook of a line; no ask for a fixed seat: its number would reveal others' asks."""
        seat = None if isinstance(line, Header | Result) else getattr(line, "seat", None)
        hook = line.hook if isinstance(line, Answered | Faulted) else None
        return seat, self.asks.get(number) if self.seat is None else None, hook


def _frame_sentence(each: Sentence, told: list[int] | None = None, all_of: int = -1) -> FrameSentence:
    """Make a frame's sentence for the seats ``told``: for everybody if they are ``all_of``; a part if that is -1."""
    everybody = told is None or len(told) == all_of
    return FrameSentence(
        each.text, each.kind, each.words, each.apart, None if everybody else told, told is not None and all_of < 0
    )


def _seat_hears(told: FrameSentence, seat: int) -> bool:
    """Return whether a seat received a sentence."""
    return told.only is None or seat in told.only
