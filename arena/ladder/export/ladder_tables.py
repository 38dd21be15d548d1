"""The tables of a ladder as CSV files, written row by row: only closed rounds, and only what is public."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from arena.ladder.database.ladders import Ladder, Season
from arena.ladder.database.publishing import replays_public, seeds_public
from arena.storage.root_digest import RootDigest, root_of_digests
from arena.tournament.tables.csv_cells import write_csv

VERSION_NAME = "b.name || ':' || v.number"
"""SQL for a version's name, given the row aliases ``v`` (version) and ``b`` (bot)."""

PLAYED_BY = (
    "(SELECT group_concat({0}, ' ') FROM (SELECT DISTINCT {0} FROM match_conditions WHERE round = r.id ORDER BY 1))"
)
"""With which of these the matches of a round, its row ``r``, were played: all of them."""


class ExportTable(NamedTuple):
    """An exported table: its ``columns``, and the query for its rows."""

    columns: tuple[str, ...]
    query: str


VERSIONS_EXPORT = ExportTable(
    ("version", "bot", "number", "author", "sha256", "files_sha256", "submitted", "state", "anchor", "label"),
    f"""
    SELECT {VERSION_NAME}, b.name, v.number, a.name, v.sha256, v.files, v.submitted, e.state, nullif(e.anchor, 0),
        e.label
    FROM entries e JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot JOIN authors a ON a.id = b.author
    WHERE e.ladder = :ladder ORDER BY v.id
    """,
)
CHANGES_EXPORT = ExportTable(
    ("at", "version", "what", "why"),
    f"""
    SELECT c.at, {VERSION_NAME}, c.what, c.why
    FROM changes c JOIN versions v ON v.id = c.version JOIN bots b ON b.id = v.bot
    WHERE c.ladder = :ladder ORDER BY c.id
    """,
)
QUARANTINES_EXPORT = ExportTable(
    (
        *("at", "version", "because", "season", "failed_with", "matches_with", "failed_without", "matches_without"),
        "released",
    ),
    f"""
    SELECT q.at, {VERSION_NAME}, q.because, json_extract(q.proof, '$.season'),
      json_array_length(q.proof, '$.failed_with'), json_extract(q.proof, '$.matches_with'),
      json_array_length(q.proof, '$.failed_without'), json_extract(q.proof, '$.matches_without'), q.released
    FROM quarantines q JOIN versions v ON v.id = q.version JOIN bots b ON b.id = v.bot
    WHERE q.ladder = :ladder ORDER BY q.id
    """,
)
ROUNDS_EXPORT = ExportTable(
    ("round", "first_block", "first_match", "matches", "began", "closed", "arena", "isolation"),
    f"""
    SELECT number, first_block, first_match, matches, began, ended, {PLAYED_BY.format("arena")},
      {PLAYED_BY.format("isolation")}
    FROM rounds r WHERE season = :season AND state = 'closed' ORDER BY number
    """,
)
TABLES_EXPORT = ExportTable(
    ("round", "block", "versions", "why"),
    f"""
    SELECT r.number, t.block,
      (SELECT group_concat(name, ' ') FROM (
        SELECT {VERSION_NAME} AS name FROM json_each(t.versions) j
        JOIN versions v ON v.id = j.value JOIN bots b ON b.id = v.bot ORDER BY j.key
      )),
      t.why
    FROM rounds r JOIN tables t ON t.round = r.id
    WHERE r.season = :season AND r.state = 'closed' ORDER BY r.number, t.block
    """,
)
MATCHES_EXPORT = ExportTable(
    (
        *("match", "sha256", "round", "block", "name", "termination", "asks", "void", "replay", "seconds"),
        *("played", "seed"),
    ),
    """
    SELECT m.id, m.sha256, r.number, m.block, m.name, m.termination, m.asks, m.void, m.replay AND :replays,
      m.seconds, m.played, iif(:seeds, m.seed, '')
    FROM rounds r JOIN matches m ON m.round = r.id
    WHERE r.season = :season AND r.state = 'closed' ORDER BY m.id
    """,
)
SEATS_EXPORT = ExportTable(
    ("match", "seat", "version", "money", "rank", "ended", "faults", "counts"),
    f"""
    SELECT s.match, s.seat, {VERSION_NAME}, s.money, s.rank, s.ended, s.faults, s.counts
    FROM rounds r JOIN matches m ON m.round = r.id JOIN seats s ON s.match = m.id
    JOIN versions v ON v.id = s.version JOIN bots b ON b.id = v.bot
    WHERE r.season = :season AND r.state = 'closed' ORDER BY s.match, s.seat
    """,
)
LEFT_OUT = ExportTable(
    ("match", "round", "name", "tries", "why"),
    """
    SELECT o.match, r.number, o.name, o.tries, o.why
    FROM rounds r JOIN left_out o ON o.round = r.id
    WHERE r.season = :season AND r.state = 'closed' AND o.final ORDER BY o.match
    """,
)
RATINGS_EXPORT = ExportTable(
    ("round", "version", "place", "tier", "value", "low", "high", "matches", "blocks"),
    f"""
    SELECT r.number, {VERSION_NAME}, t.place, t.tier, t.value, t.low, t.high, t.matches, t.blocks
    FROM rounds r JOIN ratings t ON t.round = r.id JOIN versions v ON v.id = t.version JOIN bots b ON b.id = v.bot
    WHERE r.season = :season AND r.state = 'closed' ORDER BY r.number, t.place
    """,
)
SEASON_COLUMNS = ("season", "began", "ended", "matches", "root_sha256", "seed_sha256", "seed")
"""The columns of the list of seasons."""
OF_LADDER = {"versions.csv": VERSIONS_EXPORT, "changes.csv": CHANGES_EXPORT, "quarantines.csv": QUARANTINES_EXPORT}
OF_SEASON = {
    "rounds.csv": ROUNDS_EXPORT,
    "tables.csv": TABLES_EXPORT,
    "matches.csv": MATCHES_EXPORT,
    "seats.csv": SEATS_EXPORT,
    "left_out.csv": LEFT_OUT,
    "ratings.csv": RATINGS_EXPORT,
}
"""The tables by file, those of the ladder and those of each season."""


def write_ladder_tables(database: sqlite3.Connection, ladder: Ladder, folder: Path) -> None:
    """Write the tables of the whole ladder."""
    for file, table in OF_LADDER.items():
        _write_csv(folder / file, table.columns, database.execute(table.query, {"ladder": ladder.id}))


def write_season_tables(database: sqlite3.Connection, ladder: Ladder, season: Season, folder: Path) -> None:
    """Write the tables of one season."""
    told = {
        "season": season.id,
        "seeds": seeds_public(ladder.config, season),
        "replays": replays_public(ladder.config, season),
    }
    for file, table in OF_SEASON.items():
        _write_csv(folder / file, table.columns, database.execute(table.query, told))


def write_seasons(folder: Path, ladder: Ladder, rows: Iterable[tuple[Season, RootDigest]]) -> None:
    """Write the list of seasons, each with the root digest of its matches, if it has any; a seed only when it is
    public."""
    lines = [
        (
            *(season.number, season.began, season.ended, root.matches, root.digest if root.matches else None),
            season.seed_sha256,
            season.seed if season.ended and seeds_public(ladder.config, season) else None,
        )
        for season, root in rows
    ]
    _write_csv(folder / "seasons.csv", SEASON_COLUMNS, lines)


def root_of_season(database: sqlite3.Connection, season: Season) -> RootDigest:
    """Return the root digest of a season's matches in closed rounds, from the closing hashes of their replays. It holds
    32 bytes a match in memory."""
    digests = bytearray()
    rows = database.execute(
        "SELECT m.sha256 FROM rounds r JOIN matches m ON m.round = r.id WHERE r.season = ? AND r.state = 'closed'",
        (season.id,),
    )
    for (digest,) in rows:
        digests += bytes.fromhex(digest)
    return root_of_digests(digests)


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file (RFC 4180, but lines end in ``\\n``). Unknown values are empty, and no cell can be taken for a
    formula (:mod:`arena.tournament.tables.csv_cells`)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(file, chain([columns], rows))
