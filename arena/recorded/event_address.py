"""Finds the ask that a line of a replay, which is an event, refers to.

Events are numbered by their lines of the file from 1, as ``arena show`` prints them in front of each sentence; asks by
their order in the match from 1, as it prints them in the second column. With a seat both are meant by the seat's own
count (:mod:`arena.recorded.seat_numbers`), as ``arena show --seat`` prints them.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from arena.errors import UserError
from arena.match.walk.record_walk import RecordedPhase
from arena.match.walk.timeline import Timeline
from arena.printable import printable_text
from arena.recorded.seat_numbers import SeatNumbers, check_seat, seat_numbers_in
from arena.replay.lines import Answered, Faulted, Header
from arena.replay.read import game_of, read_header, read_replay_line, split_replay

DECISION_BEGINNINGS = (b'{"event":"answer"', b'{"event":"fault"')
"""The beginnings of the lines of answers and faults."""
LINES_AROUND = 10
"""How many lines before and behind an event a message suggests to show, where the event refers to no ask."""


class Address(NamedTuple):
    """Where to look in a match: at an ``event``, a line of the replay, or at an ``ask``; both from 1."""

    event: int | None
    ask: int | None

    def __str__(self) -> str:
        return f"ask{self.ask}" if self.event is None else str(self.event)


def address_of(event: int | None, ask: int) -> str:
    """The address of a decision for a command line: the ``event`` that is its answer, or where it has none the
    ``ask``."""
    return str(Address(event, ask))


class AskMeant(NamedTuple):
    """The ask that an event or a number refers to: its ``number`` in the match; ``called``, the number in the count
    that the user sees, that of the match or the seat's own; and ``instead``, a line saying that the event was no answer
    and this ask is taken instead, or an empty string."""

    number: int
    called: int
    instead: str = ""


def ask_meant(
    timeline: Timeline, event: int | None, ask: int | None, seat: int | None, name: str = "FILE", own: bool = True
) -> AskMeant:
    """The ask that an ``event`` of a replay or an ``ask`` refers to: one of both is given, from 1. With a ``seat`` the
    number is by its ``own`` count or by that of the file.

    The event of an answer or a fault refers to its ask. Without a seat no other event refers to one; with a seat any
    other event refers to the first ask of this seat that is put at it or after it. ``name`` is the replay's name on a
    command line.

    Raises UserError where there is no such event or ask, where the ask is of another seat, and where the event refers
    to none; ReplayError for a file that is no replay, and Mismatch where it does not verify up to the ask.
    """
    if (event is None) == (ask is None):
        raise UserError("expected an event or an ask (--at), got " + ("neither" if event is None else "both"))
    lines = split_replay(timeline.content)
    header = read_header(lines[0])
    game_of(header)
    check_seat(header, seat)
    numbers = seat_numbers_in(timeline, seat) if own and seat is not None else None
    if ask is not None:
        if numbers is not None:
            return AskMeant(counted_ask(timeline, ask, numbers), ask)
        return _of_match(timeline, ask, seat, name)
    assert event is not None
    if numbers is None and not 1 <= event <= len(lines):
        raise UserError(f"there is no event #{event}; the replay has lines 1 to {len(lines)}")
    if seat is not None:
        return _next_of_seat(timeline, event, seat, numbers, name)
    decided = _find_decision(header, lines, event)
    if decided is not None and decided.ask:
        return AskMeant(decided.ask, decided.ask)
    raise UserError(
        f"event #{event} is neither an answer nor a fault{_nearest_asks(header, lines, event)}; "
        f"{_seen_with(name, event)}"
    )


def counted_ask(timeline: Timeline, ask: int, numbers: SeatNumbers) -> int:
    """Convert an ask's number by a seat's own count to its number in the match. Raises UserError where the seat has
    fewer asks, and Mismatch where the replay does not verify up to there."""
    if ask > numbers.many:
        for _ in timeline.phases():
            pass  # says where it does not verify: behind that nobody knows what was asked
    return numbers.ask_of(ask)


def _of_match(timeline: Timeline, number: int, seat: int | None, name: str) -> AskMeant:
    """The ask with this number in the match. Raises UserError where the match has no such ask, or it is of another
    seat."""
    last = 0
    for phase in timeline.phases():
        last = phase.first + len(phase.asks) - 1
        if 1 <= number <= last:
            asked = phase.asks[number - phase.first].seat
            if seat not in (None, asked):
                told = f"ask {number} belongs to seat {asked}, not to seat {seat}"
                raise UserError(f"{told}; see it with: arena show {name} --at ask{number}")
            return AskMeant(number, number)
    raise UserError(f"there is no ask {number}; the asks of the replay are 1 to {last}")


def _next_of_seat(timeline: Timeline, event: int, seat: int, numbers: SeatNumbers | None, name: str) -> AskMeant:
    """The seat's ask that an event answers, or else the seat's next ask; with ``numbers`` by the seat's own count."""
    line = event if numbers is None else numbers.line_of(event)
    number = _first_from(timeline, line, seat)
    if number is None:
        whose = "" if numbers is None else f" --seat {seat}"
        raise UserError(f"seat {seat} is not asked at event #{event} or after it; {_seen_with(name + whose, event)}")
    called = number if numbers is None else numbers.asks.index(number) + 1
    lines = split_replay(timeline.content)
    header = read_header(lines[0])
    decided = _find_decision(header, lines, line)
    if decided is not None and decided.ask == number:
        return AskMeant(number, called)
    entrant = printable_text(header.seats[seat].entrant)
    return AskMeant(number, called, f"#{event} is not an answer of {entrant}; using its next ask, {called}")


def events_of_asks(content: bytes) -> dict[int, int]:
    """The line of the answer or fault of each ask, by ask; asks at which nothing was done are left out."""
    lines = split_replay(content)
    header = read_header(lines[0])
    decided = ((at, _find_decision(header, lines, at)) for at in range(1, len(lines) + 1))
    return {line.ask: at for at, line in decided if line is not None and line.ask}


def _find_decision(header: Header, lines: list[bytes], number: int) -> Answered | Faulted | None:
    """Line ``number`` decoded, if it is an answer or a fault; else None."""
    raw = lines[number - 1]
    if not raw.startswith(DECISION_BEGINNINGS):
        return None
    line = read_replay_line(header, raw, number)
    return line if isinstance(line, Answered | Faulted) else None


def _first_from(timeline: Timeline, event: int, seat: int) -> int | None:
    """The first ask of the seat at an event or after it."""
    lines, header = timeline.walk.verifier.lines, timeline.header
    for phase in timeline.phases():
        if event >= phase.decisions.stop:
            continue
        first = _asked_at(header, lines, phase, event)
        for number, ask in enumerate(phase.asks, phase.first):
            if ask.seat == seat and number >= first:
                return number
    return None


def _asked_at(header: Header, lines: list[bytes], phase: RecordedPhase, event: int) -> int:
    """The first ask of the phase at the event, which is one of its decisions or before it."""
    line = _find_decision(header, lines, event) if event in phase.decisions else None
    return phase.first if line is None else line.ask


def _nearest_asks(header: Header, lines: list[bytes], event: int) -> str:
    """The asks nearest to an event on either side, and their lines, in words."""
    places = [at for at, raw in enumerate(lines, 1) if raw.startswith(DECISION_BEGINNINGS)]
    cut = bisect_left(places, event)
    told = []
    for where, some in (("before", places[:cut][-1:]), ("after", places[cut:][:1])):
        for at in some:
            line = _find_decision(header, lines, at)
            if line is not None and line.ask:
                told.append(f"{where} it is ask {line.ask} of seat {line.seat} (#{at})")
    return f"; {' and '.join(told)}" if told else ""


def _seen_with(name: str, event: int) -> str:
    return f"see it with: arena show {name} --from {max(1, event - LINES_AROUND)} --to {event + LINES_AROUND}"
