"""The matches of a season as columns of numbers, for ratings: read in the order in which they are stored, some at a
time, so that neither rows nor objects of a million matches are ever held."""

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
"""Matches that are read together."""


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
    """Matches from ``first`` up to ``end``, which is left out."""

    first: int
    end: int


def read_season_columns(database: sqlite3.Connection, season: int, upto_round: int | None = None) -> RatingMatches:
    """The finished matches of the season with this row, but for void ones, of all rounds or of those up to this number.
    Entrants are called ``BOT:NUMBER``. What other processes write meanwhile is left out.

    Raises UserError where there is no such season, and where the seats of a match are not those of the ladder's tables.
    """
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
    """All that is read inside is of one moment."""
    if database.in_transaction:
        yield
        return
    database.execute("BEGIN")
    try:
        yield
    finally:
        database.rollback()


def _match_stretches(database: sqlite3.Connection, season: int, upto_round: int | None) -> Iterator[_Stretch]:
    """The numbers of the matches of these rounds, in ascending order, at most :data:`STRETCH_MATCHES` at a time."""
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
    """How many of these matches are void, and the others; ``number`` is that of a version's name, by its row."""
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
    """The columns of whole numbers that a query gives, each as an array in JSON: SQLite makes these faster than
    Python takes the same numbers row by row."""
    found = []
    for text in database.execute(query, stretch).fetchone():
        numbers = text[1:-1]
        found.append(numpy.fromstring(numbers, dtype=numpy.int64, sep=",") if numbers else numpy.zeros(0, numpy.int64))
    return found


def _deal_numbers(database: sqlite3.Connection, stretch: _Stretch, count: int) -> Numbers:
    """A number of 64 bits for the seed of each of these matches: its first 16 digits, or a digest of one that is not
    written so."""
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
    """Raise UserError where these matches do not have so many seats each."""
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
    """The names of all versions, and by row which of these is that of the version with it."""
    rows = database.execute(
        "SELECT v.id, b.name, v.number FROM versions v JOIN bots b ON b.id = v.bot ORDER BY v.id"
    ).fetchall()
    number = numpy.zeros(max((id for id, _, _ in rows), default=0) + 1, dtype=numpy.int32)
    number[[id for id, _, _ in rows]] = numpy.arange(len(rows), dtype=numpy.int32)
    return tuple(f"{bot}:{version}" for _, bot, version in rows), number
