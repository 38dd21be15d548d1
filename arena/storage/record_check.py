"""Compares a line of ``matches.jsonl`` with its replay."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UnsetType

from arena.errors import ReplayError
from arena.foreign_files import DECODE_ERRORS, open_foreign_file
from arena.match.match_counts import MatchCounts
from arena.replay.lines import Header, Result
from arena.tournament.records.match_record import MatchRecord

RESULT_TAIL_BYTES = 1 << 14
"""How many bytes at the end of a replay are searched for its last line; results are much shorter."""
_RESULT_DECODER = msgspec.json.Decoder(Result)


def result_at_end(path: Path) -> Result | None:
    """The result in the last line of a replay file, of which only the end is read; None where the file is missing,
    empty or cut off."""
    try:
        with open_foreign_file(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - RESULT_TAIL_BYTES))
            return result_in(file.read(RESULT_TAIL_BYTES))
    except OSError:
        return None


def result_in(content: bytes) -> Result | None:
    """The result in the last line of a replay; None where it is cut off."""
    if not content.endswith(b"\n"):
        return None
    try:
        return _RESULT_DECODER.decode(content[:-1].rpartition(b"\n")[2])
    except DECODE_ERRORS:
        return None


def result_difference(record: MatchRecord, result: Result) -> str:
    """The first field in which a record and the result of its replay differ, with both values; empty if they agree."""
    if len(record.seats) != len(result.seats):
        return _mismatch_text("seats", len(record.seats), len(result.seats))
    for name in ("termination", "asks", "void", "sha256"):
        if getattr(record, name) != getattr(result, name):
            return _mismatch_text(name, getattr(record, name), getattr(result, name))
    for number, (seat, told) in enumerate(zip(record.seats, result.seats, strict=True)):
        for name in told.__struct_fields__:
            if getattr(seat, name) != getattr(told, name):
                return _mismatch_text(f"{name} of seat {number}", getattr(seat, name), getattr(told, name))
    return ""


def counts_difference(record: MatchRecord, counted: MatchCounts) -> str:
    """The first of the game's counts in which a record differs from those ``counted`` in its replay, with both values;
    empty if they agree. Counts that the game no longer keeps, or that are newer than the record, are skipped."""
    if isinstance(record.counts, UnsetType) or isinstance(counted, UnsetType):
        return ""
    for name, by_seat in record.counts.items():
        if by_seat != counted.get(name, by_seat):
            return _mismatch_text(f"counts.{name}", by_seat, counted[name])
    return ""


def check_result(record: MatchRecord, replay: bytes, where: str) -> None:
    """Raise ReplayError where a record and its replay have different results; the message names ``where`` the replay
    is, and the match."""
    result = result_in(replay)
    if result is None:
        raise ReplayError(f"{where}: the last line is not a result")
    if record.sha256 != result.sha256:
        raise ReplayError(f"{where}: it is not the replay that matches.jsonl names: another sha256")
    if other := result_difference(record, result):
        raise ReplayError(f"{where}: matches.jsonl has another result of {record.id}: {other}")


def has_closing_hash(replay: bytes, result: Result) -> bool:
    """Whether the hash of all lines before the last matches the one in the ``result``, which is the last line."""
    before = memoryview(replay)[: replay.rfind(b"\n", 0, len(replay) - 1) + 1]
    return sha256(before).hexdigest() == result.sha256


def replay_problem(record: MatchRecord, replay: bytes) -> str:
    """What is wrong with the bytes of a replay, or where it differs from its record; empty if they agree."""
    result = result_in(replay)
    if result is None:
        return "is cut off"
    if other := result_difference(record, result):
        return f"has another result: {other}"
    return "" if has_closing_hash(replay, result) else "has lines that do not fit its closing hash"


def match_difference(record: MatchRecord, header: Header) -> str:
    """The first field in which a record and the header of its replay differ, with both values; empty if they agree."""
    for name in ("id", "game", "edition", "block", "seed"):
        if getattr(record, name) != getattr(header, name):
            return _mismatch_text(name, getattr(record, name), getattr(header, name))
    return ""


def _mismatch_text(name: str, here: Any, there: Any) -> str:
    return f"{name} is {_value_json(here)} here, {_value_json(there)} there"


def _value_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
