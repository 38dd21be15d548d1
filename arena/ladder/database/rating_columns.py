"""The matches of a season as columns of numbers, for ratings: read in the order in which they are stored, in batches,
so that memory never holds the rows or objects of a million matches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy

from arena.errors import UserError
from arena.ratings.order_columns import Numbers, RatingMatches
from arena.storage.tables.rated_columns import RatedChunk, RatedColumns, deal_number

STRETCH_MATCHES = 1 << 15
"""How many matches one batch has."""


_SEATS_QUERY = """
  SELECT json_group_array(match), json_group_array(version), json_group_array(money), json_group_array(rank)
  FROM (SELECT match, version, money, rank FROM seats WHERE match >= ? AND match < ? ORDER BY match, seat)
"""
_MATCHES_QUERY = """
  SELECT json_group_array(id), json_group_array(block), json_group_array(void)
  FROM (SELECT id, block, void FROM matches WHERE id >= ? AND id < ? ORDER BY id)
"""
_SEEDS_QUERY = """
  SELECT group_concat(substr(seed, 1, 16), '')
  FROM (SELECT seed FROM matches WHERE id >= ? AND id < ? ORDER BY id)
"""


class _Stretch(NamedTuple):
    """The matches from ``first`` up to but without ``end``."""

    first: int
    end: int


def read_season_columns(database: sqlite3.Connection, season: int, upto_round: int | None = None) -> RatingMatches:
    """Return the finished matches of the season in this row, without void ones, of all rounds or of those up to this
    number. Entrants are called ``BOT:NUMBER``. What other processes write meanwhile is left out.

    Raises UserError where there is no such season, and where a match has other seats than the ladder's tables."""
    with _one_view(database):
        row = database.execute(
            "SELECT l.game, l.edition, l.seats FROM seasons s JOIN ladders l ON l.id = s.ladder WHERE s.id = ?",
            (season,),
        ).fetchone()
        if row is None:
            raise UserError(f"there is no season with the row {season} in this database")
        game, edition, players = row
        names, number = _version_numbers(database)
        columns = RatedColumns()
        for name in names:
            columns.entrants[name]
        columns.groups[game, f"{edition}-{players}p", players]
        stretches = list(_match_stretches(database, season, upto_round))
        room, counted = columns.room(sum(each.end - each.first for each in stretches), players), 0
        for stretch in stretches:
            void, chunk = _read_stretch(database, stretch, players, number)
            columns.voids += void
            for column, values in zip(room, chunk, strict=True):
                column[counted : counted + len(values)] = values
            counted += len(chunk.block)
    columns.put_arrays(RatedChunk(*(column[:counted] for column in room)))
    return columns.matches()


@contextmanager
def _one_view(database: sqlite3.Connection) -> Iterator[None]:
    """Make all reads inside see one snapshot of the database."""
    if database.in_transaction:
        yield
        return
    database.execute("BEGIN")
    try:
        yield
    finally:
        database.rollback()


def _match_stretches(database: sqlite3.Connection, season: int, upto_round: int | None) -> Iterator[_Stretch]:
    """Yield the matches of these rounds in batches of at most :data:`STRETCH_MATCHES`, in ascending order."""
    rounds = database.execute(
        "SELECT first_match, first_match + matches FROM rounds WHERE season = ? AND (? IS NULL OR number <= ?) "
        "ORDER BY first_match",
        (season, upto_round, upto_round),
    ).fetchall()
    joined: list[_Stretch] = []
    for first, end in rounds:
        if joined and joined[-1].end == first:
            first = joined.pop().first
        joined.append(_Stretch(first, end))
    for first, end in joined:
        for start in range(first, end, STRETCH_MATCHES):
            yield _Stretch(start, min(end, start + STRETCH_MATCHES))


def _read_stretch(
    database: sqlite3.Connection, stretch: _Stretch, players: int, number: Numbers
) -> tuple[int, RatedChunk]:
    """Read a batch: return the count of void matches, and the others. ``number``: entrant numbers by version row."""
    ids, blocks, void = _query_columns(database, _MATCHES_QUERY, stretch)
    owners, versions, money, ranks = _query_columns(database, _SEATS_QUERY, stretch)
    _check_seats(ids, owners, players)
    deals = _deal_numbers(database, stretch, len(ids))
    counts = void == 0
    seats = (column.reshape(-1, players)[counts] for column in (number[versions], money, ranks))
    block = blocks[counts]
    chunk = RatedChunk(numpy.zeros_like(block), block, deals[counts], *seats)
    return len(ids) - len(block), chunk


def _query_columns(database: sqlite3.Connection, query: str, stretch: _Stretch) -> list[Numbers]:
    """Return the columns of whole numbers that a query gives. Each comes as a JSON array, which SQLite makes faster
    than Python reads the same numbers row by row."""
    found = []
    for text in database.execute(query, stretch).fetchone():
        numbers = text[1:-1]
        found.append(numpy.fromstring(numbers, dtype=numpy.int64, sep=",") if numbers else numpy.zeros(0, numpy.int64))
    return found


def _deal_numbers(database: sqlite3.Connection, stretch: _Stretch, count: int) -> Numbers:
    """Return a 64-bit number for the seed of each of these matches: its first 16 hexadecimal digits, or a digest of the
    seed if it is not hexadecimal."""
    (digits,) = database.execute(_SEEDS_QUERY, stretch).fetchone()
    try:
        words = bytes.fromhex(digits or "")
    except ValueError:
        words = b""
    if len(words) == 8 * count:
        return numpy.frombuffer(words, dtype=">u8").astype(numpy.uint64)
    seeds = database.execute("SELECT seed FROM matches WHERE id >= ? AND id < ? ORDER BY id", stretch)
    return numpy.array([deal_number(seed) for (seed,) in seeds], dtype=numpy.uint64)


def _check_seats(ids: Numbers, owners: Numbers, players: int) -> None:
    """Raise UserError if any of these matches does not have exactly ``players`` seats."""
    if numpy.array_equal(numpy.repeat(ids, players), owners):
        return
    found, counts = numpy.unique(owners, return_counts=True)
    taken = dict(zip(found.tolist(), counts.tolist(), strict=True))
    for id in sorted({*ids.tolist(), *taken}):
        if taken.get(id) != players:
            raise UserError(
                f"the database has {taken.get(id, 0)} seats of match {id}, expected {players}; restore a backup"
            )


def _version_numbers(database: sqlite3.Connection) -> tuple[tuple[str, ...], Numbers]:
    """Return the names of all versions, and an array from a version's row to the index of its name."""
    rows = database.execute(
        "SELECT v.id, b.name, v.number FROM versions v JOIN bots b ON b.id = v.bot ORDER BY v.id"
    ).fetchall()
    number = numpy.zeros(max((id for id, _, _ in rows), default=0) + 1, dtype=numpy.int32)
    number[[id for id, _, _ in rows]] = numpy.arange(len(rows), dtype=numpy.int32)
    return tuple(f"{bot}:{version}" for _, bot, version in rows), number
