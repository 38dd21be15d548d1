"""The lines of a replay as one seat knew them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from arena.bot import Limits, Said
from arena.games.contract import Event, Natural
from arena.penalties import FaultKind, FaultPolicy
from arena.players.seat_result import SeatResult
from arena.replay.lines import Answered, Faulted, Header, Result


class SeenSeat(msgspec.Struct, frozen=True):
    """The entrant in a seat, without its bot and options, which other seats do not know."""

    entrant: str


class SeenHeader(Event, frozen=True, tag="match"):
    """The header without the bots, the digests, and the seed, which reveals every hand."""

    format: str
    arena: str
    tournament: str
    id: str
    block: int
    game: str
    edition: str
    seats: tuple[SeenSeat, ...]
    fault_policy: FaultPolicy
    strikes: int
    limits: Limits
    rules_version: int
    rules: dict[str, Any]


class SeenAnswer(Event, frozen=True, tag="answer"):
    """An answer of the seat itself, without the number of the ask, which counts those of others too."""

    seat: Natural
    hook: str
    move: msgspec.Raw
    say: str = ""
    note: str = ""


class SeenFault(Event, frozen=True, tag="fault"):
    """A fault of the seat itself, without the number of the ask."""

    seat: Natural
    hook: str
    kind: FaultKind
    evidence: str
    strike: int
    out: bool = False
    gone: bool = False
    rule: str = ""
    reply: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    move: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class SeenResult(Event, frozen=True, tag="result"):
    """The result with the faults of the seat itself alone, without the number of asks and the digest."""

    seats: tuple[SeatResult, ...]
    termination: str
    void: bool = False


SEAT_LINES = (SeenHeader, SeenAnswer, SeenFault, SeenResult, Said)
"""The kinds of lines, besides the game's events, that a seat can see."""


def seen_line(line: Event, seat: int) -> Event | None:
    """A line as ``seat`` knew it; None where it knew nothing of it. Of another seat's answer it knew only the words."""
    match line:
        case Header():
            seats = tuple(SeenSeat(each.entrant) for each in line.seats)
            told = {name: getattr(line, name) for name in SeenHeader.__struct_fields__ if name != "seats"}
            return SeenHeader(**told, seats=seats)
        case Answered():
            if line.seat == seat:
                return SeenAnswer(**{name: getattr(line, name) for name in SeenAnswer.__struct_fields__})
            return Said(line.seat, line.say) if line.say else None
        case Faulted():
            if line.seat != seat:
                return None
            return SeenFault(**{name: getattr(line, name) for name in SeenFault.__struct_fields__})
        case Result():
            results = (each if at == seat else replace(each, faults={}) for at, each in enumerate(line.seats))
            return SeenResult(tuple(results), line.termination, line.void)
        case _:
            return line.seen_by(seat)
