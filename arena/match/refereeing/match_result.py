"""The result of a match, as its referee gives it."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from arena.match.match_counts import MatchCounts
from arena.match.refereeing.cpu_player import SeatCpuTime
from arena.match.refereeing.seat_time import SeatTime
from arena.players.player import Usage
from arena.players.seat_result import SeatResult


class MatchResult(msgspec.Struct):
    """The result of a match. ``counts`` are the game's counts; ``hooks`` counts the asks put to each seat's bot by
    hook; ``usage`` is by seat, and empty where bots had no processes of their own; ``computed`` has the CPU times by
    seat, empty where they were not measured."""

    seats: tuple[SeatResult, ...]
    termination: str
    asks: int
    void: bool
    sha256: str
    replay: bytes
    times: list[SeatTime]
    hooks: list[dict[str, int]]
    counts: MatchCounts = UNSET
    usage: list[Usage] = []
    computed: list[SeatCpuTime | None] = []
