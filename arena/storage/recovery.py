"""What a run that was broken off kept whole, and what of it is dropped before it goes on."""

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
    """The places in the schedule of records that may stay, and the ids of those whose replay is missing or cut off.
    Each record comes with the words that say where it stands. Of replays in packs only those ids are looked into that
    were ``unpacked`` just before. Raises UserError where a record cannot be true."""
    whole, lost = Bits(), dict[str, None]()
    for where, record in numbered:
        number = roster.number(record.id)
        if number is not None and (number in whole or record.id in lost):
            raise UserError(f"{where}: {record.id} stands twice; remove the line to go on")
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
            told = f"{record.id} and its replay {record.replay} do not tell the same: {other}"
            raise UserError(f"{where}: {told}; remove the line, and the match is played again")
        whole.add(number)
    return whole, tuple(lost)


def drop_records(path: Path, lost: Container[str]) -> None:
    """Write ``matches.jsonl`` anew without the records of these ids."""
    write_whole(path, (line + b"\n" for line in foreign_lines(path) if _ID_DECODER.decode(line).id not in lost))


class _Use(Enum):
    """What a line of ``timings.jsonl`` is good for."""

    KEPT = auto()
    """It is that of a match that is kept."""

    OTHER = auto()
    """It is that of a match that is not: the run was killed between this line and the match's own."""

    NONE = auto()
    """It stands twice or cannot be read."""


def drop_timings(path: Path, matches: Path, roster: Roster, whole: Container[int]) -> int:
    """Write ``timings.jsonl`` anew with one line for each match that is kept ``whole``, where it holds others. How many
    of those nobody can use: they stand twice or cannot be read. Nothing more is looked for where its lines are those of
    ``matches.jsonl``, one by one, as in most runs."""
    if _same_matches(path, matches):
        return 0
    counts = Counter(use for _, use in _line_uses(path, roster, whole))
    if counts.total() > counts[_Use.KEPT]:
        write_whole(path, (line + b"\n" for line, use in _line_uses(path, roster, whole) if use is _Use.KEPT))
    return counts[_Use.NONE]


def _same_matches(timings: Path, matches: Path) -> bool:
    """Whether both files are of the same matches, line by line."""
    both = zip_longest(foreign_lines(timings), foreign_lines(matches))
    return all(line and also and _id_of(line) == _ID_DECODER.decode(also).id for line, also in both)


def _line_uses(path: Path, roster: Roster, whole: Container[int]) -> Iterator[tuple[bytes, _Use]]:
    """Every line with what it is good for."""
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
    """The match of a line of ``timings.jsonl``; None where nobody can read it."""
    try:
        return _TIMING_DECODER.decode(line).id
    except DECODE_ERRORS:
        return None


def read_timings(path: Path) -> Iterator[Timing]:
    """The lines of ``timings.jsonl`` that can be read."""
    if not path.exists():
        return
    for line in foreign_lines(path):
        with suppress(*DECODE_ERRORS):
            yield _TIMING_DECODER.decode(line)
