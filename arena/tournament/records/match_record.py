"""The record of one finished match, a line of ``matches.jsonl``. All standings are computed from these records."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from arena.players.seat_result import SeatResult

Word = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
"""A whole number of 64 bits. Records with a larger number are refused when they are read, so that floats can hold all
sums."""


class SeatRecord(SeatResult, frozen=True, omit_defaults=False, gc=False):
    """A seat's result as written to ``matches.jsonl``, including defaults, which replays leave out."""

    money: Word
    rank: Word


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One match. ``id`` is unique in its run; ``game`` is the edition's game, whose unit money is counted in;
    ``edition`` is the label under which standings are kept; ``block`` counts from 0; ``seats`` are in seat order;
    ``void`` matches do not count; ``replay`` is the path of the replay below the run's folder ("" if not kept), and
    ``sha256`` the replay's closing hash. ``counts`` are the game's counts (:class:`arena.games.summary.Summary`), each
    by seat; absent in older runs, and if the game keeps none."""

    id: str
    game: str
    edition: str
    block: Word
    seed: str
    termination: str
    asks: int
    seats: tuple[SeatRecord, ...]
    void: bool = False
    replay: str = ""
    sha256: str = ""
    counts: dict[str, tuple[Word, ...]] | UnsetType = UNSET
