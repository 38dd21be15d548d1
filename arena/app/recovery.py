"""What a run that was broken off kept whole, and what of it is dropped before it goes on."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.app.compare import result_at_end, result_difference, result_in
from arena.app.packs.kept import KeptReplays
from arena.app.wholefile import write_whole
from arena.errors import UserError
from arena.match.work import Timing
from arena.tournament.records import MatchRecord
from arena.tournament.roster import Check

_TIMINGS = msgspec.json.Decoder(Timing)


def sort_out(
    kept: KeptReplays, unpacked: Container[str], numbered: Iterator[tuple[str, MatchRecord]], check: Check
) -> tuple[set[str], tuple[str, ...]]:
    """Ids of records that may stay, and of those whose replay is missing or cut off. Each record comes with the words
    that say where it stands. Of replays in packs only those ids are looked into that were ``unpacked`` just before.
    Raises UserError where a record cannot be true."""
    whole, lost = set[str](), dict[str, None]()
    for where, record in numbered:
        if record.id in whole or record.id in lost:
            raise UserError(f"{where}: {record.id} stands twice; remove the line to go on")
        if problem := check(record):
            raise UserError(f"{where}: {record.id} {problem}; remove the line to go on")
        result = None
        if record.replay and kept.in_packs(record.id):
            result = result_in(kept.get(record.id) or b"") if record.id in unpacked else None
        elif record.replay:
            result = result_at_end(kept.folder / record.replay)
            if result is None:
                lost[record.id] = None
                continue
        if result is not None and (other := result_difference(record, result)):
            told = f"{record.id} and its replay {record.replay} do not tell the same: {other}"
            raise UserError(f"{where}: {told}; remove the replay, and the match is played again")
        whole.add(record.id)
    return whole, tuple(lost)


def drop_records(path: Path, lost: Container[str]) -> None:
    """Write ``matches.jsonl`` anew without the records of these ids."""
    with path.open("rb") as file:
        write_whole(path, [line for line in file if msgspec.json.decode(line)["id"] not in lost])


def drop_timings(path: Path, whole: Container[str]) -> int:
    """Write ``timings.jsonl`` anew with one line for each of these ids, where it holds others. How many of those nobody
    can use: they stand twice or cannot be read."""
    seen, kept, useless, others = set[str](), list[bytes](), 0, 0
    with path.open("rb") as file:
        for line in file:
            try:
                id = _TIMINGS.decode(line).id
            except (msgspec.DecodeError, UnicodeDecodeError):
                useless += 1
                continue
            if id in seen:
                useless += 1
            elif id not in whole:
                others += 1  # the run was killed between this line and the match's own
            else:
                seen.add(id)
                kept.append(line)
    if useless or others:
        write_whole(path, kept)
    return useless


def timings(path: Path) -> Iterator[Timing]:
    """The lines of ``timings.jsonl`` that can be read."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                yield _TIMINGS.decode(line)


def cut_off(path: Path) -> bool:
    """Cut the file off behind its last whole line; whether there was more."""
    if not path.exists():
        return False
    with path.open("rb+") as file:
        size = end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        file.truncate(end)
    return end < size
