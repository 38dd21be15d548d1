"""Checks a folder of ladders: nothing is lost, nothing is changed, and every number follows from its sources."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import msgspec

from arena.errors import Mismatch, UserError, one_line_message
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import DATABASE_FILE, LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder, ladder_names, seasons_of_ladder
from arena.ladder.database.season_secrets import read_season_seed, seed_commitment
from arena.ladder.entry.secret_leaks import leaks_in_files, leaks_in_rows
from arena.ladder.integrity.check_promotions import hand_over_problems, promotion_problems
from arena.ladder.integrity.check_quarantines import quarantine_problems
from arena.ladder.integrity.check_rounds import RoundChecker
from arena.ladder.integrity.check_rows import row_problems
from arena.ladder.integrity.check_schema import EDITED, schema_problems
from arena.ladder.integrity.check_versions import check_versions

MOST_PROBLEMS = 1000
"""How many problems are listed one by one."""


class IntegrityOptions(msgspec.Struct, frozen=True):
    """The optional checks: verify ``deep`` replays of each season by the rules; ``no_secrets``: do not report missing
    seeds of open seasons, as in a copy without them."""

    deep: int = 0
    no_secrets: bool = False


class Integrity(msgspec.Struct):
    """What was checked: ladders, ``versions`` with their files, ``rounds``, ``matches`` and their ``replays``, how many
    of these were ``verified`` by the rules; the ``problems``, a line each, and how many ``more`` there are. ``notes``
    say what was not checked."""

    folder: str
    ladders: int = 0
    versions: int = 0
    rounds: int = 0
    matches: int = 0
    replays: int = 0
    verified: int = 0
    problems: list[str] = []
    more: int = 0
    notes: list[str] = []

    @property
    def exit_code(self) -> int:
        """0 if there is no problem."""
        return Mismatch.exit_code if self.problems else 0


def check_folder(
    place: LadderFolder, wanted: IntegrityOptions, progress: Callable[[int], object] = lambda matches: None
) -> Integrity:
    """Check everything in a folder of ladders, which may be played meanwhile. ``progress`` receives the number of
    matches checked since its last call. Raises UserError where there is no ladder at all."""
    found = Integrity(str(place.shown))
    with closing(open_database(place.database, place.shown)) as database:
        database.execute("BEGIN")  # all of one moment
        try:
            for problem in _folder_problems(place, database, wanted, found, progress):
                if len(found.problems) < MOST_PROBLEMS:
                    found.problems.append(problem)
                else:
                    found.more += 1
        except sqlite3.DatabaseError as problem:
            found.problems.append(f"{place.shown / DATABASE_FILE}: {problem}; restore a backup")
    return found


def _folder_problems(
    place: LadderFolder,
    database: sqlite3.Connection,
    wanted: IntegrityOptions,
    found: Integrity,
    progress: Callable[[int], object],
) -> Iterator[str]:
    of_database = list(_database_problems(place, database, found))
    yield from of_database
    if any(EDITED in problem for problem in of_database):
        found.notes.append("the rest is not checked, because tables differ")
        return
    missing = list(_missing_rows(place, database))
    yield from missing
    if missing:
        found.notes.append("the rest is not checked, because rows are missing")
        return
    unread = list(row_problems(database))
    yield from unread
    yield from _as_far_as_read("versions", bool(unread), _version_problems(place, database, found))
    for name in ladder_names(database):
        found.ladders += 1
        try:
            newest = find_ladder(database, name)
        except UserError as problem:
            yield str(problem)
            continue
        yield from _as_far_as_read(f"promotions to {name}", bool(unread), promotion_problems(database, newest))
        yield from _as_far_as_read(f"quarantines in {name}", bool(unread), quarantine_problems(database, newest))
        for season in seasons_of_ladder(database, newest.id):
            problems = _season_problems(place, database, (name, season.number), wanted, found, progress)
            yield from _as_far_as_read(f"season {season.number} of {name}", bool(unread), problems)


def _as_far_as_read(what: str, unread: bool, problems: Iterator[str]) -> Iterator[str]:
    """Yield the problems. If unreadable rows (``unread``) end the check early, report that as a problem."""
    try:
        yield from problems
    except (msgspec.MsgspecError, UserError, LookupError, ValueError, TypeError, AttributeError) as problem:
        if not unread:
            raise
        yield f"{what}: not completely checked, because rows cannot be read ({one_line_message(problem)})"


def _version_problems(place: LadderFolder, database: sqlite3.Connection, found: Integrity) -> Iterator[str]:
    found.versions, problems = check_versions(place, database)
    yield from problems
    yield from leaks_in_files(place, database, place.folder)
    yield from leaks_in_rows(place, database)
    yield from hand_over_problems(database)


def _season_problems(
    place: LadderFolder,
    database: sqlite3.Connection,
    season: tuple[str, int],
    wanted: IntegrityOptions,
    found: Integrity,
    progress: Callable[[int], object],
) -> Iterator[str]:
    """Yield the problems of one ``season``, given as the ladder's name and the season's number."""
    ladder = find_ladder(database, *season)
    yield from _seed_problems(place, ladder, wanted, found)
    rounds = RoundChecker(place, database, ladder, wanted.deep, progress)
    try:
        yield from rounds.problems()
    finally:
        found.rounds += rounds.counts.rounds
        found.matches += rounds.counts.matches
        found.replays += rounds.counts.replays
        found.verified += rounds.counts.verified


def _database_problems(place: LadderFolder, database: sqlite3.Connection, found: Integrity) -> Iterator[str]:
    """Yield what SQLite's integrity check finds, and differences of tables and indices from the schema."""
    where = place.shown / DATABASE_FILE
    for (told,) in database.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})"):
        if told != "ok":
            yield f"{where}: {told}; restore a backup"
    yield from schema_problems(database, str(where), found.notes)
    for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
        yield f"{where}: there is a trigger {name}, which may change written data; remove it"


def _missing_rows(place: LadderFolder, database: sqlite3.Connection) -> Iterator[str]:
    """Yield the references to rows that do not exist."""
    where = place.shown / DATABASE_FILE
    for table, row, parent, _ in database.execute("PRAGMA foreign_key_check").fetchmany(MOST_PROBLEMS):
        yield f"{where}: row {row} of {table} refers to a missing row of {parent}; restore a backup"


def _seed_problems(place: LadderFolder, ladder: Ladder, wanted: IntegrityOptions, found: Integrity) -> Iterator[str]:
    """Yield a problem if the season's seed is missing, or differs from its commitment."""
    season, name = ladder.season, f"season {ladder.season.number} of {ladder.name}"
    if season.ended is None:
        if wanted.no_secrets:
            found.notes.append(f"not checked: the seed of {name}, which is still secret")
            return
        try:
            read_season_seed(place, ladder.name, season.number, season.seed_sha256)
        except UserError as problem:
            yield f"{problem}; a copy without secrets is checked with --no-secrets"
        return
    if season.seed is None:
        yield f"{name} is closed, and its seed is not published; restore a backup"
    elif seed_commitment(season.seed) != season.seed_sha256:
        yield f"{name}: its seed is not the one that the season began with; restore a backup"
