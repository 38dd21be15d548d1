"""One ask of a match according to its replay: what the seat saw, what was legal, what it answered, and the
consequences."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from arena.errors import Mismatch, ReplayError, UserError
from arena.match.walk.timeline import Timeline, TimelineAsk
from arena.printable import printable_text
from arena.recorded.event_address import Address, ask_meant, counted_ask
from arena.recorded.replay_names import command_line_names, name_file_in, read_named
from arena.recorded.seat_numbers import SeatNumbers
from arena.recorded.story import StoryLine, StorySource, numbers_of, story_source, tell_lines
from arena.replay.lines import Answered, Faulted, Result
from arena.replay.read import game_of
from arena.replay.replay_sentences import fault_told


class AnswerKind(StrEnum):
    """How an ask was answered: with a move; not at all, or with the move that does nothing, which look the same in the
    replay; with a fault; or not asked, because the seat was out."""

    MOVE = "move"
    NOTHING = "nothing"
    FAULT = "fault"
    OUT = "out"


class ViewPart(msgspec.Struct):
    """A part of the seat's view, in words."""

    name: str
    text: str


class AskDetail(msgspec.Struct):
    """An ask with everything that belongs to it.

    ``line`` is the line of the file with the answer or the fault, null where nothing was done. ``saw`` is the ``view``
    in words. The view has no news, but ``before`` has the events since the seat's ``previous`` ask (0: it had none).
    ``legal`` are the legal answers, or a selection where they are too many to list, and ``options`` the same in words.
    ``move`` was played, in words ``played``. Where ``answer`` is a fault, ``move`` is the substitute, ``fault`` says
    what was wrong, and ``reply`` is the reply that the rules refused, in words ``replied``. ``came`` are the lines that
    end the ask's phase, ``printed`` is what the bot printed at the ask, where its log was requested. If the ask is
    shown for its seat alone, ``asks`` is the seat's own count, and instead of the line there is the number of what the
    seat had ``seen`` last when it answered (:mod:`arena.recorded.seat_numbers`).
    """

    file: str
    ask: int
    asks: int
    seat: int
    entrants: list[str]
    hook: str
    line: int | UnsetType | None
    answer: AnswerKind
    move: Any
    played: str
    say: str
    note: str
    fault: str
    reply: Any
    replied: str
    view: dict[str, Any]
    saw: list[ViewPart]
    legal: list[Any]
    options: list[str]
    previous: int
    before: list[StoryLine]
    came: list[StoryLine]
    printed: list[str] = []
    seen: int | UnsetType = UNSET


def one_ask(path: Path, number: int, seat: int | None) -> AskDetail:
    """The ask ``number`` (from 1) of the replay at ``path``; with a ``seat``, ``number`` counts the asks of that seat.
    Raises as :func:`find_ask` does, and ReplayError for a file that is no finished replay."""
    of = story_source(path, seat)
    numbers = numbers_of(of, seat, of.timeline.phases_verified())
    return _ask_detail(str(path), of, find_ask(path, of, number, numbers), numbers)


def ask_of(path: Path, of: StorySource, number: int, numbers: SeatNumbers | None) -> tuple[AskDetail, TimelineAsk]:
    """The ask ``number`` of the match in a replay that has been read already, with ``numbers`` shown for its seat
    alone; and the ask of the timeline."""
    found = find_ask(path, of, number)
    return _ask_detail(str(path), of, found, numbers), found


def ask_at(path: Path, event: int, seat: int | None) -> tuple[int, str]:
    """The number of the ask that an ``event`` of the replay at ``path`` refers to, with a ``seat`` an ask of that seat,
    both by the seat's own count; and, where the event is not its answer, a line saying that this ask is taken instead.
    Raises as :func:`arena.recorded.event_address.ask_meant` does, naming the replay where it is damaged."""
    try:
        found = ask_meant(Timeline(read_named(path)), event, None, seat, shlex.join(command_line_names(path)))
        return found.called, found.instead
    except Mismatch as problem:
        raise Mismatch(f"{path}: {problem}") from None
    except ReplayError as problem:
        raise name_file_in(path, problem) from None


def event_of(path: Path, place: Address, seat: int | None) -> int:
    """The event at an address in the replay at ``path``: for an ask its answer or fault, or where it has none the last
    event before the answers of its phase; with a ``seat`` both by the seat's own count. Raises as :func:`find_ask`
    does, and ReplayError for a file that is no finished replay."""
    if place.ask is None:
        assert place.event is not None
        return place.event
    of = story_source(path, seat)
    numbers = numbers_of(of, seat, of.timeline.phases_verified())
    ask = find_ask(path, of, place.ask, numbers)
    return _event_answering(ask) if numbers is None else numbers.seen(_event_answering(ask))


def _event_answering(ask: TimelineAsk) -> int:
    """The line of the ask's answer or fault; where there is none, the last line before the answers of its phase."""
    return ask.phase.decisions.start - 1 if ask.at is None else ask.at


def find_ask(path: Path, of: StorySource, number: int, numbers: SeatNumbers | None = None) -> TimelineAsk:
    """The ask ``number`` of the match at ``path``; with ``numbers`` it counts the asks of their seat. Raises UserError
    where there is none; Mismatch where the replay does not verify up to the ask: then it is unknown what was seen."""
    try:
        number = number if numbers is None else counted_ask(of.timeline, number, numbers)
        found = of.timeline.ask(number)
    except Mismatch as problem:
        raise Mismatch(f"{path}: {problem}") from None
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    if found is None:
        raise UserError(f"there is no ask {number} in {path}; its asks are 1 to {_asks(of)}")
    return found


def _asks(of: StorySource) -> int:
    last = of.lines[-1]
    assert isinstance(last, Result)
    return last.asks


def _ask_detail(file: str, of: StorySource, found: TimelineAsk, numbers: SeatNumbers | None) -> AskDetail:
    game, line, seat = game_of(of.header), found.line, found.ask.seat
    viewer = None if numbers is None else seat

    def said(move: Any) -> str:
        return printable_text(game.tell_move(move, found.view, of.rules, of.names))

    reply = None
    if isinstance(line, Faulted) and not isinstance(line.reply, msgspec.UnsetType):
        reply = of.timeline.move(line.hook, line.reply)
    return AskDetail(
        file=file,
        ask=found.number if numbers is None else numbers.asks.index(found.number) + 1,
        asks=_asks(of) if numbers is None else numbers.many,
        seat=seat,
        entrants=of.names,
        hook=found.ask.hook,
        line=found.at if numbers is None else UNSET,
        answer=_answer_kind(found),
        move=_plain_data(found.played),
        played=said(found.played),
        say=printable_text(line.say) if isinstance(line, Answered) else "",
        note=printable_text(line.note) if isinstance(line, Answered) else "",
        fault=printable_text(fault_told(line, of.names)) if isinstance(line, Faulted) else "",
        reply=_plain_data(reply),
        replied="" if reply is None else said(reply),
        view={name: value for name, value in _plain_data(found.view).items() if name != "news"},
        saw=[ViewPart(name, printable_text(text)) for name, text in game.tell_view(found.view, of.rules, of.names)],
        legal=[_plain_data(move) for move in found.legal],
        options=[said(move) for move in found.legal],
        previous=found.previous if numbers is None else numbers.own_ask(found.previous) or 0,
        before=list(tell_lines(of, found.before, seat, {}, numbers)),
        came=list(tell_lines(of, found.phase.events, viewer, {}, numbers)),
        seen=UNSET if numbers is None else numbers.seen(_event_answering(found)),
    )


def _answer_kind(found: TimelineAsk) -> AnswerKind:
    if found.out:
        return AnswerKind.OUT
    if isinstance(found.line, Faulted):
        return AnswerKind.FAULT
    return AnswerKind.NOTHING if found.line is None else AnswerKind.MOVE


def _plain_data(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
