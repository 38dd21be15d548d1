"""The result of one seat, as replays and the records of matches hold it."""

from __future__ import annotations

import msgspec

from arena.penalties import FaultKind, SeatEnd


class SeatResult(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One seat's result: money in the game's unit, rank from 1 (shared when equal), how it ended, faults by kind."""

    entrant: str
    money: int
    rank: int
    ended: SeatEnd = SeatEnd.PLAYED
    faults: dict[FaultKind, int] = {}
