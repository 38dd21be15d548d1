"""One finished match as it stands in ``matches.jsonl``: the truth from which standings are folded."""

from __future__ import annotations

import msgspec

from arena.players.results import SeatResult


class SeatRecord(SeatResult, frozen=True, omit_defaults=False):
    """A seat's result as ``matches.jsonl`` has it: defaults, which replays leave out, are written too."""


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match. ``id`` names it within its run; ``game`` is what the edition is of, in whose unit money is counted;
    ``edition`` is the label under which standings are kept; ``block`` counts from 0; ``seats`` are in seat order;
    ``void`` matches count for nothing; ``replay`` is a path below the run's folder ("" when not kept) and ``sha256``
    the replay's closing hash."""

    id: str
    game: str
    edition: str
    block: int
    seed: str
    termination: str
    asks: int
    seats: tuple[SeatRecord, ...]
    void: bool = False
    replay: str = ""
    sha256: str = ""
