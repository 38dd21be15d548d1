"""Checks that every row of a ladder's database can be read, and refers correctly to others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from arena.config.ladder_config import LadderConfig
from arena.errors import one_line_message
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.versions import VersionState
from arena.ladder.database.stored_ratings import RATINGS_KEY, ratings_digest
from arena.match.work import Timing
from arena.penalties import FaultKind, SeatEnd
from arena.storage.run_facts.facts import Facts

_VERSION_QUERY = "SELECT b.name || ':' || v.number, {} FROM versions v JOIN bots b ON b.id = v.bot ORDER BY v.id"
_ROUND_QUERY = (
    "SELECT 'round ' || r.number || ' of season ' || s.number || ' of ' || l.name, {} FROM rounds r "
    "JOIN seasons s ON s.id = r.season JOIN ladders l ON l.id = s.ladder {} ORDER BY r.id"
)
_JSON_QUERIES: tuple[tuple[str, str, Any], ...] = (
    ("its keys", "SELECT 'ladder ' || name, keys FROM ladders ORDER BY id", LadderConfig),
    ("its options", _VERSION_QUERY.format("v.options"), dict[str, Any]),
    ("its reference", _VERSION_QUERY.format("v.reference"), BotRef),
    ("the reports of its checks", _VERSION_QUERY.format("v.report"), dict[str, dict[str, Any]]),
    ("what it began with", _ROUND_QUERY.format("r.facts", "WHERE r.facts IS NOT NULL"), Facts),
    ("what it was played with", _ROUND_QUERY.format("p.facts", "JOIN round_plays p ON p.round = r.id"), dict[str, Any]),
    ("what is told of it", _ROUND_QUERY.format("r.told", ""), dict[str, Any]),
    ("its faults", "SELECT 'seat ' || seat || ' of match ' || match, faults FROM seats WHERE faults IS NOT NULL",
     dict[FaultKind, int]),
    ("its counts", "SELECT 'seat ' || seat || ' of match ' || match, counts FROM seats WHERE counts IS NOT NULL",
     dict[str, int]),
    ("what was measured of it", "SELECT 'match ' || id, timing FROM matches ORDER BY id", Timing),
    ("what it found", "SELECT 'audit ' || id, found FROM audits ORDER BY id", dict[str, Any]),
)  # fmt: skip
"""The columns with JSON: what each holds, the query that gives the row's name and the value, and the value's type."""


def row_problems(database: sqlite3.Connection) -> Iterator[str]:
    """Yield every problem of single rows, a line each. Raises DatabaseError where the file is damaged."""
    unread = list(_json_problems(database))
    yield from unread
    if not unread:
        yield from _option_problems(database)
    yield from _season_problems(database)
    yield from _table_problems(database)
    yield from _seat_problems(database)
    yield from _state_problems(database)
    yield from _rating_problems(database)


def _json_problems(database: sqlite3.Connection) -> Iterator[str]:
    for what, query, type in _JSON_QUERIES:
        decoder = msgspec.json.Decoder(type)
        for name, text in database.execute(query):
            try:
                decoder.decode(text)
            except (msgspec.MsgspecError, ValueError) as problem:
                yield f"{name}: {what} cannot be read: {one_line_message(problem)}; restore a backup"


def _season_problems(database: sqlite3.Connection) -> Iterator[str]:
    rows = database.execute(
        "SELECT l.name, s.number, row_number() OVER (PARTITION BY l.id ORDER BY s.number), s.ended, "
        "max(s.number) OVER (PARTITION BY l.id) FROM ladders l LEFT JOIN seasons s ON s.ladder = l.id"
    )
    for name, number, expected, ended, last in rows:
        if number is None:
            yield f"ladder {name} has no season; restore a backup"
        elif number != expected:
            yield f"ladder {name} has a season {number} where season {expected} should be; restore a backup"
        elif (ended is None) != (number == last):
            told = "open, and another follows" if ended is None else "closed, and none follows"
            yield f"season {number} of {name} is {told}; restore a backup"


def _option_problems(database: sqlite3.Connection) -> Iterator[str]:
    """Yield the versions whose options differ between their two columns: as submitted, and in the reference."""
    query = _VERSION_QUERY.format("v.options, json_extract(v.reference, '$.options')")
    for name, options, loaded in database.execute(query):
        if msgspec.json.decode(options) != msgspec.json.decode(loaded or "{}"):
            yield f"{name}: its options differ from those with which it is loaded; restore a backup"


def _table_problems(database: sqlite3.Connection) -> Iterator[str]:
    entered: dict[int, set[object]] = {}
    for ladder, version in database.execute("SELECT ladder, version FROM entries"):
        entered.setdefault(ladder, set()).add(version)
    rows = database.execute(
        "SELECT l.id, l.name, l.seats, s.number, r.number, t.block, t.versions FROM tables t "
        "JOIN rounds r ON r.id = t.round JOIN seasons s ON s.id = r.season JOIN ladders l ON l.id = s.ladder"
    )
    for ladder, name, seats, season, round, block, text in rows:
        versions, known = msgspec.json.decode(text), entered.get(ladder, set())
        if (
            not isinstance(versions, list)
            or len(versions) != seats
            or not all(isinstance(each, int) and each in known for each in versions)
        ):
            where = f"table {block} of round {round} of season {season} of {name}"
            yield f"{where} has the versions {text}, expected {seats} that are in the ladder; restore a backup"


def _seat_problems(database: sqlite3.Connection) -> Iterator[str]:
    rows = database.execute(
        "SELECT m.id, l.seats, count(s.seat) FROM ladders l JOIN seasons e ON e.ladder = l.id "
        "JOIN rounds r ON r.season = e.id JOIN matches m ON m.round = r.id LEFT JOIN seats s ON s.match = m.id "
        "GROUP BY m.id HAVING count(s.seat) <> l.seats OR min(s.seat) <> 0 OR max(s.seat) <> l.seats - 1"
    )
    for match, expected, there in rows:
        told = f"{there} rows" if there != expected else "others"
        yield f"match {match}: expected rows of seats 0 to {expected - 1}, got {told}; restore a backup"
    known = [end.value for end in SeatEnd]
    rows = database.execute(
        f"SELECT match, seat, ended FROM seats WHERE ended NOT IN ({', '.join('?' * len(known))})", known
    )
    for match, seat, ended in rows:
        yield f"seat {seat} of match {match} ended as {ended!r}, expected {', '.join(known)}; restore a backup"


def _state_problems(database: sqlite3.Connection) -> Iterator[str]:
    """Yield the versions whose state is not the one that the last change of it recorded."""
    known = [state.value for state in VersionState]
    rows = database.execute(
        "SELECT l.name, b.name || ':' || v.number, e.state, (SELECT c.what FROM changes c WHERE c.ladder = e.ladder "
        f"AND c.version = e.version AND c.what IN ({', '.join('?' * len(known))}) ORDER BY c.id DESC LIMIT 1) "
        "FROM entries e JOIN ladders l ON l.id = e.ladder JOIN versions v ON v.id = e.version "
        "JOIN bots b ON b.id = v.bot ORDER BY e.ladder, e.version",
        known,
    )
    for ladder, version, state, noted in rows:
        if state != noted:
            told = "no change is recorded" if noted is None else f"the last recorded change made it {noted}"
            yield f"{version} is {state} in {ladder}, but {told}; restore a backup"


def _rating_problems(database: sqlite3.Connection) -> Iterator[str]:
    """Yield the closed rounds whose ratings are not those with which they were closed."""
    query = _ROUND_QUERY.format("r.id, json_extract(r.told, '$.' || ?)", "WHERE r.state = 'closed'")
    for name, id, digest in database.execute(query, (RATINGS_KEY,)).fetchall():
        if digest != ratings_digest(database, id):
            yield f"{name}: its ratings have changed since it was closed; restore a backup"
