"""The finished matches of a ladder as records, read in batches, so that memory never holds a million of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from arena.penalties import FaultKind, SeatEnd
from arena.storage.packs.replay_packs import replay_path
from arena.tournament.records.match_record import MatchRecord, SeatRecord

READ_MATCHES = 1 << 12
"""How many matches one batch has."""
_FAULTS_DECODER = msgspec.json.Decoder(dict[FaultKind, int])
_COUNTS = msgspec.json.Decoder(dict[str, int])


class FinishedMatch(NamedTuple):
    """A finished match: its ``number``, where and when it was played, and its record."""

    number: int
    host: str
    played: str
    record: MatchRecord


def version_names(database: sqlite3.Connection) -> dict[int, str]:
    """Return the name of each version in replays and tables, by its row, in the order of submission."""
    return dict(
        database.execute(
            "SELECT v.id, b.name || ':' || v.number FROM versions v JOIN bots b ON b.id = v.bot ORDER BY 1"
        )
    )


def finished_matches(
    database: sqlite3.Connection, game: str, names: Mapping[int, str], first: int, end: int
) -> Iterator[FinishedMatch]:
    """Yield the finished matches with numbers from ``first`` up to but without ``end``, in ascending order. ``names``
    are those of versions, by row."""
    for start in range(first, end, READ_MATCHES):
        yield from _read_matches(database, game, names, start, min(end, start + READ_MATCHES))


def _read_matches(
    database: sqlite3.Connection, game: str, names: Mapping[int, str], first: int, end: int
) -> Iterator[FinishedMatch]:
    matches = database.execute(
        "SELECT id, host, played, name, block, seed, termination, asks, void, replay, sha256 FROM matches "
        "WHERE id >= ? AND id < ? ORDER BY id",
        (first, end),
    ).fetchall()
    rows = database.execute(
        "SELECT match, version, money, rank, ended, faults, counts FROM seats WHERE match >= ? AND match < ? "
        "ORDER BY match, seat",
        (first, end),
    ).fetchall()
    by_match = {match: list(sat) for match, sat in groupby(rows, itemgetter(0))}
    for number, host, played, name, block, seed, termination, asks, void, replay, digest in matches:
        sat = by_match.get(number, [])
        record = MatchRecord(
            id=name,
            game=game,
            edition=name.partition("/")[0],
            block=block,
            seed=seed,
            termination=termination,
            asks=asks,
            seats=tuple([_seat_record(names, row) for row in sat]),
            void=bool(void),
            replay=replay_path(name) if replay else "",
            sha256=digest,
            counts=_counts([row[-1] for row in sat]),
        )
        yield FinishedMatch(number, host, played, record)


def _counts(seats: Sequence[str | None]) -> dict[str, tuple[int, ...]] | UnsetType:
    """The counts of a match from the rows of its seats; UNSET where they have none."""
    texts = [text for text in seats if text is not None]
    if not texts or len(texts) < len(seats):
        return UNSET
    by_seat = [_COUNTS.decode(text) for text in texts]
    return {name: tuple([counts[name] for counts in by_seat]) for name in by_seat[0]}


def _seat_record(names: Mapping[int, str], row: tuple[int, int, int, int, str, str | None, str | None]) -> SeatRecord:
    _, version, money, rank, ended, faults, _ = row
    return SeatRecord(names[version], money, rank, SeatEnd(ended), _FAULTS_DECODER.decode(faults) if faults else {})
