"""The versions of bots: their database rows, and their states in a ladder."""

from __future__ import annotations

import sqlite3
from enum import StrEnum
from hashlib import sha256

import msgspec

from arena.errors import UserError, nearest_hint
from arena.finding.reference import BotRef
from arena.ladder.database.ladders import utc_now

SUBMITTED_REASON = "submitted"
"""The reason of the first entry in a version's history: how it came into the ladder."""


class VersionState(StrEnum):
    """The state of a version in a ladder. Only active versions are played; past matches stay."""

    ACTIVE = "active"
    REPLACED = "replaced"
    """A newer version of the bot replaced it."""

    RETIRED = "retired"
    """Its author withdrew it."""

    DISABLED = "disabled"
    """The operator disabled it."""

    SUSPENDED = "suspended"
    """It was suspended because it failed too often."""


class Version(msgspec.Struct, frozen=True):
    """A version of a bot: its row, the names of its bot and author, its number from 1, the digest of the whole version,
    the digest of its ``files``, and how to load it, without the files. If the command ``build`` made the files,
    ``source`` is the digest of the submitted files; else both are empty."""

    id: int
    bot: str
    number: int
    author: str
    sha256: str
    files: str
    reference: BotRef
    submitted: str
    source: str = ""
    build: str = ""

    @property
    def name(self) -> str:
        """The version's name in replays and tables, ``BOT:NUMBER``."""
        return f"{self.bot}:{self.number}"


class EnteredVersion(msgspec.Struct, frozen=True):
    """A version in a ladder: its state there, its number among the anchors (``anchor``, from 1; 0: it is none), and the
    label that audits gave it ("": none yet)."""

    version: Version
    state: VersionState
    anchor: int
    label: str


_VERSIONS_QUERY = """
  SELECT v.id, b.name, v.number, a.name, v.sha256, v.files, v.reference, v.submitted,
    v.source, v.build
  FROM versions v JOIN bots b ON b.id = v.bot JOIN authors a ON a.id = b.author
"""


def version_digest(ref: BotRef, build: str = "") -> str:
    """Return the digest of all that defines a version: files (``ref.sha256``), class, options, command, build step."""
    told = [
        ref.sha256,
        ref.file,
        ref.cls,
        dict(sorted(ref.options.items())),
        [word.text for word in ref.command],
        build,
    ]
    return sha256(msgspec.json.encode(told)).hexdigest()


def _row_version(row: tuple[int, str, int, str, str, str, str, str, str, str]) -> Version:
    id, bot, number, author, digest, files, reference, submitted, source, build = row
    loaded = msgspec.json.decode(reference, type=BotRef)
    return Version(id, bot, number, author, digest, files, loaded, submitted, source, build)


def all_versions(database: sqlite3.Connection) -> list[Version]:
    """Return every version of every bot, in the order of submission."""
    return [_row_version(row) for row in database.execute(f"{_VERSIONS_QUERY} ORDER BY v.id")]


def entered_versions(database: sqlite3.Connection, ladder: int) -> list[EnteredVersion]:
    """Return all versions that are or were in a ladder, in the order of submission."""
    versions = {each.id: each for each in all_versions(database)}
    rows = database.execute(
        "SELECT version, state, anchor, label FROM entries WHERE ladder = ? ORDER BY version", (ladder,)
    )
    return [EnteredVersion(versions[id], VersionState(state), anchor, label) for id, state, anchor, label in rows]


def find_version(database: sqlite3.Connection, name: str) -> Version:
    """The version called ``BOT:NUMBER``, or the newest of ``BOT``. Raises UserError where there is none."""
    bot, _, number = name.partition(":")
    rows = database.execute(f"{_VERSIONS_QUERY} WHERE b.name = ? ORDER BY v.number", (bot,)).fetchall()
    found = [_row_version(row) for row in rows]
    if not found:
        known = [each for (each,) in database.execute("SELECT name FROM bots ORDER BY name")]
        told = ", ".join(known[:20]) or "none"
        raise UserError(f"no bot {bot!r} was submitted{nearest_hint(bot, known)}; there are {told}")
    if not number:
        return found[-1]
    for version in found:
        if str(version.number) == number:
            return version
    raise UserError(f"bot {bot} has no version {number}; it has {', '.join(str(each.number) for each in found)}")


def states_of(database: sqlite3.Connection, ladder: int) -> dict[int, VersionState]:
    """Return the current state of each version in a ladder, by the version's row."""
    rows = database.execute("SELECT version, state FROM entries WHERE ladder = ?", (ladder,))
    return {version: VersionState(state) for version, state in rows}


def set_state(database: sqlite3.Connection, ladder: int, version: int, state: VersionState, why: str = "") -> None:
    """Change the state of a version in a ladder, and record the change. To be called in a transaction."""
    database.execute(
        "INSERT INTO entries (ladder, version, state) VALUES (?, ?, ?) "
        "ON CONFLICT (ladder, version) DO UPDATE SET state = excluded.state",
        (ladder, version, state),
    )
    note_change(database, state, ladder, version, why)


def note_change(
    database: sqlite3.Connection, what: str, ladder: int | None, version: int | None, why: str = ""
) -> None:
    """Record an event in the history of a version. To be called in a transaction."""
    row = (utc_now(), ladder, version, what, why)
    database.execute("INSERT INTO changes (at, ladder, version, what, why) VALUES (?, ?, ?, ?, ?)", row)
