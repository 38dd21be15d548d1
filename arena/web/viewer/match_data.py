"""All the data of a match's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.errors import ReplayError, UserError
from arena.games.contract import Event
from arena.match.walk.asks_of_lines import asks_of_lines
from arena.match.walk.timeline import Timeline
from arena.printable import printable_text
from arena.recorded.event_address import Address
from arena.recorded.seat_numbers import check_seat
from arena.replay.ledger_events import replay_tables
from arena.replay.lines import Header, Result
from arena.replay.read import game_of, read_replay_lines, rules_of
from arena.web.viewer.asks_without_event import AskGroup, asks_without_event, own_ask_group
from arena.web.viewer.frames import Frames, frames_of
from arena.web.viewer.game_page import game_page
from arena.web.viewer.moment import JumpPlace
from arena.web.viewer.moments import jump_places
from arena.web.viewer.seat_count import own_count

REPLAY_WORD = "REPLAY"
"""Stands for the replay in commands where its name is unknown."""


class SeatRank(msgspec.Struct):
    """The final ``rank`` of a ``seat``, from 1 (shared when equal), and its ``money``."""

    seat: int
    rank: int
    money: int


class MatchData(msgspec.Struct):
    """The data of a match for its page: the ``game``, ``edition`` and ``match`` (its id), the ``entrants`` by seat, the
    ``unit`` of money (``$M``: $12M), the number of its last event (``last``), whether it is ``void``, its ``result``
    (the first rank first), what the table's drawing needs from the edition (``about``, null for a game without a
    drawing), its ``course``, the ``places`` worth going to, the word for a negotiation (``deal``), where to find
    ``asks`` that no event of the course names, and the event, or the ask (``opens_ask``), at which the page ``opens``
    (null: the first event).

    Events have the numbers of their lines in the replay, from 1. ``seat`` is the only seat from whose view the match is
    shown, if any: then the ``seed`` is null, because it reveals every hand, and events have that seat's own numbers
    (:mod:`arena.web.viewer.seat_count`). ``called`` is the replay's name on a command line, quoted for a shell; null
    with a ``seat``."""

    game: str
    edition: str
    match: str
    seed: str | None
    seat: int | None
    entrants: list[str]
    unit: str
    last: int
    void: bool
    result: list[SeatRank]
    about: Any
    course: Frames
    places: list[JumpPlace]
    deal: str
    asks: list[AskGroup] = []
    opens: int | None = None
    opens_ask: int | None = None
    called: str | None = None


def match_data(
    content: bytes, seat: int | None = None, at: Address | None = None, called: str = REPLAY_WORD
) -> MatchData:
    """Return the data of the page of a replay file; with a ``seat``, only what that seat knew. The page
    opens ``at`` an event or ask, with a ``seat`` by the seat's own number. ``called`` is the name of the replay in the
    commands that the page prints. Raises ReplayError for a replay that is unfinished or whose lines contradict each
    other, UserError if there is no such seat, event or ask."""
    header, lines = read_replay_lines(content)
    check_seat(header, seat)
    event, ask = (None, None) if at is None else at
    if event is not None and seat is None and not 1 <= event <= len(lines):
        raise UserError(f"there is no event {event}; events are the lines of the replay, 1 to {len(lines)}")
    rules, game = rules_of(header), game_of(header)
    names = [printable_text(each.entrant) for each in header.seats]
    page = game_page(game)
    timeline = Timeline(content)
    asks = asks_of_lines(timeline, lines) if seat is None else {}
    _check_ask(timeline, ask, seat)
    course = frames_of(header, lines, game, rules, asks, seat)
    data = MatchData(
        game=header.game,
        edition=header.edition,
        match=header.id,
        seed=header.seed if seat is None else None,
        seat=seat,
        entrants=names,
        unit=game.unit,
        last=len(lines),
        void=_is_void(lines),
        result=_ranked_seats(lines),
        about=None if page.drawing is None else page.drawing.about(rules, len(names)),
        course=course,
        places=_jump_places(header, rules, lines, names, seat),
        deal=page.deal,
        asks=_listed_asks(timeline, lines, course, seat, ask),
        opens=event,
        opens_ask=ask,
        called=called if seat is None else None,
    )
    return data if seat is None else _renumber_data(data, seat)


def _listed_asks(
    timeline: Timeline, lines: Sequence[Event], course: Frames, seat: int | None, ask: int | None
) -> list[AskGroup]:
    """The asks that no event names; in the page of a seat, whose events name none, only the ``ask`` that it opens at:
    the numbers of the others would reveal what the seat did not see."""
    if seat is None:
        return asks_without_event(timeline, lines, {frame.ask for frame in course.frames})
    return [] if ask is None else own_ask_group(timeline, lines, seat, ask)


def _check_ask(timeline: Timeline, ask: int | None, seat: int | None) -> None:
    """Raise UserError if there is no such ask; with a ``seat`` asks are its own."""
    if ask is None:
        return
    asked = [each.seat for phase in timeline.phases_verified() for each in phase.asks if seat in (None, each.seat)]
    if not 1 <= ask <= len(asked):
        whose = "" if seat is None else f" of seat {seat}, by its own count"
        raise UserError(f"there is no ask {ask}; asks{whose} are 1 to {len(asked)}")


def _renumber_data(data: MatchData, seat: int) -> MatchData:
    """Return the data with events numbered as this seat saw them."""
    count = own_count(data.course)
    if data.opens is not None and not 1 <= data.opens <= len(count.lines):
        raise UserError(f"there is no event {data.opens} of seat {seat}; its own events are 1 to {len(count.lines)}")
    return replace(
        data,
        last=len(count.lines),
        course=count.frames(data.course, seat),
        places=count.renumber_places(data.places),
        asks=[replace(group, n=count.seen_number(group.n)) for group in data.asks],
    )


def _jump_places(
    header: Header, rules: Any, lines: Sequence[Event], names: Sequence[str], seat: int | None
) -> list[JumpPlace]:
    tables = replay_tables(header, lines[1:])
    try:
        return jump_places(game_of(header), rules, lines, tables, names, seat)
    except (ValueError, LookupError, AssertionError) as problem:
        raise ReplayError(f"its lines contradict each other ({problem}); try: arena verify") from None


def _is_void(lines: Sequence[Event]) -> bool:
    last = lines[-1]
    return isinstance(last, Result) and last.void


def _ranked_seats(lines: Sequence[Event]) -> list[SeatRank]:
    last = lines[-1]
    seats = enumerate(last.seats) if isinstance(last, Result) else ()
    return sorted(
        (SeatRank(seat, each.rank, each.money) for seat, each in seats), key=lambda each: (each.rank, each.seat)
    )
