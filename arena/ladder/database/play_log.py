"""When a ladder was played, and with what: each time that `play` begins, with the last round that was closed before;
and of each play of a round the facts that it had of its own."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import msgspec

from arena.ladder.database.ladders import utc_now
from arena.sandbox.probe import Level
from arena.storage.run_facts.facts import Facts

PLAYED_WITH = ("arena", "python", "platform", "replay_format", "chance", "isolation", "code", "engines")
"""The facts of a run that say with what it is played; the others say what is played."""


class PlayConditions(msgspec.Struct, frozen=True):
    """So many ``matches`` of a ``round`` were played by this version of ``arena``, at this ``isolation`` level."""

    round: int
    arena: str
    isolation: str
    matches: int


class MatchPlayedWith(NamedTuple):
    """By which version of ``arena``, by which ``code`` of it (digests of its parts as JSON), and at which ``isolation``
    level, a match was played, and which versions of its round were ``exempt`` from that. Where it is not ``known``, it
    is what the last play of its round was."""

    arena: str
    code: str
    isolation: str
    known: bool
    exempt: tuple[str, ...]


def note_play(database: sqlite3.Connection, season: int) -> None:
    """Record that playing begins, unless no round was closed since the last record. To be called in a transaction."""
    closed = last_closed(database, season)
    database.execute(
        "INSERT INTO plays (season, began, after_round) SELECT ?, ?, ? "
        "WHERE NOT EXISTS (SELECT 1 FROM plays WHERE season = ? AND after_round = ?)",
        (season, utc_now(), closed, season, closed),
    )


def last_closed(database: sqlite3.Connection, season: int) -> int:
    """Return the number of the last closed round of a season; 0 if none is closed."""
    row = database.execute("SELECT max(number) FROM rounds WHERE season = ? AND state = 'closed'", (season,)).fetchone()
    return int(row[0] or 0)


def before_last_play(database: sqlite3.Connection, season: int) -> int:
    """Return the last round that was closed before the latest `play` that closed any round; 0 where there is none."""
    row = database.execute(
        "SELECT max(after_round) FROM plays WHERE season = ? AND after_round < ?",
        (season, last_closed(database, season)),
    ).fetchone()
    return int(row[0] or 0)


def note_round_play(database: sqlite3.Connection, round: int, facts: Facts) -> int:
    """Note with what the matches to come are played; the row that has it. To be called in a transaction."""
    told = msgspec.json.encode({name: getattr(facts, name) for name in PLAYED_WITH}).decode()
    last = database.execute(
        "SELECT id, facts FROM round_plays WHERE round = ? ORDER BY id DESC LIMIT 1", (round,)
    ).fetchone()
    if last is not None and last[1] == told:
        return int(last[0])
    row = database.execute(
        "INSERT INTO round_plays (round, began, arena, isolation, facts) VALUES (?, ?, ?, ?, ?)",
        (round, utc_now(), facts.arena, facts.isolation["level"], told),
    ).lastrowid
    assert row is not None
    return row


def mixed_rounds(database: sqlite3.Connection, season: int) -> list[PlayConditions]:
    """The rounds of a season whose matches were played by several versions of arena or at several levels, in order."""
    rows = database.execute(
        "SELECT r.number, c.arena, c.isolation, count(*) FROM rounds r JOIN match_conditions c ON c.round = r.id "
        "WHERE r.season = ? GROUP BY r.number, c.arena, c.isolation ORDER BY r.number, min(c.match)",
        (season,),
    )
    found = [PlayConditions(*row) for row in rows]
    several = {each.round for each in found if sum(other.round == each.round for other in found) > 1}
    return [each for each in found if each.round in several]


def arena_of_matches(database: sqlite3.Connection, round: int) -> dict[int, str]:
    """The version of arena by which each finished match of a round was played, by the match's number."""
    return dict(database.execute("SELECT match, arena FROM match_conditions WHERE round = ?", (round,)))


def match_played_with(database: sqlite3.Connection, match: int) -> MatchPlayedWith | None:
    """With what a match was played; None where it is not finished."""
    row = database.execute(
        "SELECT c.arena, c.code, c.isolation, m.round_play IS NOT NULL, "
        "json_extract(coalesce(p.facts, r.facts), '$.isolation.exempt') FROM matches m "
        "JOIN match_conditions c ON c.match = m.id JOIN rounds r ON r.id = m.round "
        "LEFT JOIN round_plays p ON p.id = m.round_play WHERE m.id = ?",
        (match,),
    ).fetchone()
    if row is None:
        return None
    return MatchPlayedWith(row[0], row[1], row[2], bool(row[3]), tuple(msgspec.json.decode(row[4] or "[]")))


def exempt_versions(database: sqlite3.Connection, season: int) -> list[str]:
    """The versions that were exempt from isolation in a round of the season, being bundled bots, by name."""
    rows = database.execute(
        "SELECT DISTINCT e.value FROM rounds r JOIN round_plays p ON p.round = r.id, "
        "json_each(p.facts, '$.isolation.exempt') e WHERE r.season = ? ORDER BY 1",
        (season,),
    )
    return [name for (name,) in rows]


def weaker_than(level: str, began: str) -> bool:
    """Whether an isolation level holds bots less than the one with which a round began."""
    levels = list(Level)
    return levels.index(Level(level)) < levels.index(Level(began))
