"""The details of a version of a bot: its files, its state, its history, its results."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import Any

import msgspec

from arena.errors import UserError
from arena.finding.reference import Scalar
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import Version, entered_versions, find_version
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.play_log import last_closed
from arena.ladder.entry.quarantine import Quarantine, quarantines_of
from arena.ladder.suspicions.suspicion_rows import Suspicion, standing_suspicions


class FileDetail(msgspec.Struct):
    """A file of a version: its path, the SHA-256 of its content, its size in bytes, and whether it can be executed."""

    path: str
    sha256: str
    bytes: int
    executable: bool = False


class ChangeDetail(msgspec.Struct):
    """A change in the history of a version, with its reason."""

    at: str
    what: str
    why: str


class PlaceDetail(msgspec.Struct):
    """The place and rating of a version after the last closed round in which it was rated."""

    round: int
    place: int
    tier: int
    value: float | None
    low: float | None
    high: float | None


class VersionDetail(msgspec.Struct):
    """A version in a ladder.

    ``sha256`` is the digest of the whole version, ``bot_sha256`` that of the bot as in replays, ``files_sha256`` that
    of its stored ``files``, which lie in ``folder``; ``problem`` says what is wrong with these. If the command
    ``build`` made them, ``source`` is the digest of what was submitted, the ``source_files``. ``report`` is that of the
    check for this ladder. ``state`` is None where the version never was in this ladder. ``matches`` is the number of
    its matches in the season, ``faults`` counts its faults by kind, and ``put_out`` the matches in which it was put out
    for them. ``quarantines`` are those in this ladder, ``suspicions`` what stands against it, for the operator."""

    name: str
    bot: str
    number: int
    author: str
    submitted: str
    sha256: str
    bot_sha256: str
    files_sha256: str
    source: str
    build: str
    loaded: str
    options: dict[str, Scalar]
    folder: str
    files: list[FileDetail]
    source_files: list[FileDetail]
    problem: str
    report: dict[str, Any]
    ladder: str
    season: int
    state: str | None
    anchor: int
    label: str
    evidence: str
    changes: list[ChangeDetail]
    matches: int
    first_match: int | None
    last_match: int | None
    faults: dict[str, int]
    put_out: int
    place: PlaceDetail | None
    quarantines: list[Quarantine] = []
    suspicions: list[Suspicion] = []


def versions_shown(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, name: str) -> list[VersionDetail]:
    """The version ``BOT:NUMBER``, or all versions of ``BOT``, the first one first. Raises UserError where there is
    none."""
    newest = find_version(database, name)
    if ":" in name:
        return [_version_detail(place, database, ladder, newest)]
    numbers = range(1, newest.number + 1)
    return [
        _version_detail(place, database, ladder, find_version(database, f"{newest.bot}:{number}")) for number in numbers
    ]


def _version_detail(
    place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, version: Version
) -> VersionDetail:
    files, problem = _file_details(place, version)
    built_from = msgspec.structs.replace(version, files=version.source)
    source_files, of_source = _file_details(place, built_from) if version.build else ([], "")
    report, evidence = database.execute(
        "SELECT v.report, coalesce(e.evidence, '') FROM versions v "
        "LEFT JOIN entries e ON e.version = v.id AND e.ladder = ? WHERE v.id = ?",
        (ladder.id, version.id),
    ).fetchone()
    entry = next((each for each in entered_versions(database, ladder.id) if each.version.id == version.id), None)
    matches, first, last = database.execute(
        "SELECT count(*), min(s.match), max(s.match) FROM seats s JOIN matches m ON m.id = s.match "
        "JOIN rounds r ON r.id = m.round WHERE s.version = ? AND r.season = ?",
        (version.id, ladder.season.id),
    ).fetchone()
    faults, put_out = version_faults(database, ladder.season.id, version.id)
    ref, told = version.reference, msgspec.json.decode(report).get(ladder.name, {})
    return VersionDetail(
        name=version.name,
        bot=version.bot,
        number=version.number,
        author=version.author,
        submitted=version.submitted,
        sha256=version.sha256,
        bot_sha256=ref.sha256,
        files_sha256=version.files,
        source=version.source,
        build=version.build,
        loaded=" ".join(word.text for word in ref.command) or f"{ref.file}{':' if ref.cls else ''}{ref.cls}",
        options=ref.options,
        folder=str(place.shown / place.version(version.files).relative_to(place.folder)),
        files=files,
        source_files=source_files,
        problem=problem or of_source,
        report=told,
        ladder=ladder.name,
        season=ladder.season.number,
        state=None if entry is None else entry.state.value,
        anchor=0 if entry is None else entry.anchor,
        label="" if entry is None else entry.label,
        evidence=evidence or told.get("evidence", ""),
        changes=_change_details(database, ladder.id, version.id),
        matches=matches,
        first_match=first,
        last_match=last,
        faults=faults,
        put_out=put_out,
        place=_place_detail(database, ladder, version.id),
        quarantines=quarantines_of(database, ladder, version.id),
        suspicions=standing_suspicions(database, ladder, version.id),
    )


def _file_details(place: LadderFolder, version: Version) -> tuple[list[FileDetail], str]:
    try:
        kept = fetch_version(place, version).files
    except UserError as problem:
        return [], str(problem)
    return [
        FileDetail(each.path, sha256(each.content).hexdigest(), len(each.content), each.executable) for each in kept
    ], ""


def version_faults(
    database: sqlite3.Connection, season: int, version: int, closed: bool = False
) -> tuple[dict[str, int], int]:
    """The faults of a version in a season, by kind, and in how many matches it was put out for them; with ``closed``
    in closed rounds only."""
    rows = database.execute(
        "SELECT s.faults, s.ended, count(*) FROM seats s JOIN matches m ON m.id = s.match "
        "JOIN rounds r ON r.id = m.round WHERE s.version = ? AND r.season = ? AND (r.state = 'closed' OR NOT ?) "
        "AND (s.faults IS NOT NULL OR s.ended <> 'played') GROUP BY s.faults, s.ended ORDER BY s.faults",
        (version, season, closed),
    )
    found: dict[str, int] = {}
    out = 0
    for faults, ended, matches in rows:
        out += matches if ended != "played" else 0
        for kind, number in (msgspec.json.decode(faults) if faults else {}).items():
            found[kind] = found.get(kind, 0) + number * matches
    return dict(sorted(found.items())), out


def _change_details(database: sqlite3.Connection, ladder: int, version: int) -> list[ChangeDetail]:
    rows = database.execute(
        "SELECT at, what, why FROM changes WHERE version = ? AND (ladder = ? OR ladder IS NULL) ORDER BY id",
        (version, ladder),
    )
    return [ChangeDetail(*row) for row in rows]


def _place_detail(database: sqlite3.Connection, ladder: Ladder, version: int) -> PlaceDetail | None:
    row = database.execute(
        "SELECT r.number, t.place, t.tier, t.value, t.low, t.high FROM ratings t JOIN rounds r ON r.id = t.round "
        "WHERE t.version = ? AND r.season = ? AND r.number <= ? ORDER BY r.number DESC LIMIT 1",
        (version, ladder.season.id, last_closed(database, ladder.season.id)),
    ).fetchone()
    return None if row is None else PlaceDetail(*row)
