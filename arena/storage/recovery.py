"""Recovery of an interrupted run: what is kept, and what is dropped before the run continues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from contextlib import suppress
from enum import Enum, auto
from itertools import zip_longest
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, foreign_lines
from arena.match.work import Timing
from arena.storage.files.atomic_files import write_whole
from arena.storage.packs.replay_packs import KeptReplays
from arena.storage.record_check import result_at_end, result_difference, result_in
from arena.tournament.bits import Bits
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.roster import Roster


class _Id(msgspec.Struct):
    id: str


_ID_DECODER, _TIMING_DECODER = msgspec.json.Decoder(_Id), msgspec.json.Decoder(Timing)


def sort_out(
    kept: KeptReplays, unpacked: Container[str], numbered: Iterator[tuple[str, MatchRecord]], roster: Roster
) -> tuple[Bits, tuple[str, ...]]:
    """Check the records: returns the places in the schedule of those that may stay, and the ids of those whose replay
    is missing or cut off. ``numbered`` gives each record with the words that say where it stands. Of replays in packs,
    only those just ``unpacked`` are looked into. Raises UserError where a record cannot be true."""
    whole, lost = Bits(), dict[str, None]()
    for where, record in numbered:
        number = roster.number(record.id)
        if number is not None and (number in whole or record.id in lost):
            raise UserError(f"{where}: {record.id} occurs twice; remove the line to go on")
        problem = roster.problem(record)
        if number is None or problem:
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
            told = f"{record.id} and its replay {record.replay} contradict each other: {other}"
            raise UserError(f"{where}: {told}; remove the line, and the match is played again")
        whole.add(number)
    return whole, tuple(lost)


def drop_records(path: Path, lost: Container[str]) -> None:
    """Rewrite ``matches.jsonl`` without the records of these ids."""
    write_whole(path, (line + b"\n" for line in foreign_lines(path) if _ID_DECODER.decode(line).id not in lost))


class _Use(Enum):
    """How a line of ``timings.jsonl`` can be used."""

    KEPT = auto()
    """The line belongs to a match that is kept."""

    OTHER = auto()
    """The line belongs to a match that is not kept: the run was killed between writing this line and the match's
    record."""

    NONE = auto()
    """The line is a duplicate or cannot be read."""


def drop_timings(path: Path, matches: Path, roster: Roster, whole: Container[int]) -> int:
    """Rewrite ``timings.jsonl``, if necessary, with one line for each match in ``whole``. Returns how many of its lines
    were unusable: duplicates, or lines that cannot be read. If its lines belong, one by one, to the matches of
    ``matches.jsonl``, as in most runs, nothing is checked further."""
    if _same_matches(path, matches):
        return 0
    counts = Counter(use for _, use in _line_uses(path, roster, whole))
    if counts.total() > counts[_Use.KEPT]:
        write_whole(path, (line + b"\n" for line, use in _line_uses(path, roster, whole) if use is _Use.KEPT))
    return counts[_Use.NONE]


def _same_matches(timings: Path, matches: Path) -> bool:
    """Whether both files belong to the same matches, line by line."""
    both = zip_longest(foreign_lines(timings), foreign_lines(matches))
    return all(line and also and _id_of(line) == _ID_DECODER.decode(also).id for line, also in both)


def _line_uses(path: Path, roster: Roster, whole: Container[int]) -> Iterator[tuple[bytes, _Use]]:
    """Every line with its use."""
    seen = Bits()
    for line in foreign_lines(path):
        id = _id_of(line)
        number = None if id is None else roster.number(id)
        if id is None:
            yield line, _Use.NONE
        elif number is None or number not in whole:
            yield line, _Use.OTHER
        else:
            yield line, _Use.KEPT if seen.add(number) else _Use.NONE


def _id_of(line: bytes) -> str | None:
    """The match id of a line of ``timings.jsonl``; None where it cannot be read."""
    try:
        return _TIMING_DECODER.decode(line).id
    except DECODE_ERRORS:
        return None


def read_timings(path: Path) -> Iterator[Timing]:
    """The readable lines of ``timings.jsonl``."""
    if not path.exists():
        return
    for line in foreign_lines(path):
        with suppress(*DECODE_ERRORS):
            yield _TIMING_DECODER.decode(line)
