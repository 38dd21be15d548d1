"""Admits a version to a ladder: its files are kept first, then everything else in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import files_digest, keep_files
from arena.ladder.database.bot_versions.versions import (
    SUBMITTED_REASON,
    Version,
    VersionState,
    entered_versions,
    find_version,
    set_state,
    version_digest,
)
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import OPERATOR, Ladder, utc_now
from arena.ladder.entry.authors import make_if_missing
from arena.ladder.entry.entry_rules import owner_of, refuse_entry
from arena.ladder.entry.secret_leaks import secret_refusals


@dataclass(frozen=True)
class NewVersion:
    """A version of ``bot`` that is to be admitted in an author's name: ``ref``, by value. Where it was built by a
    command (``build``), ``submitted`` has the files from which. ``anchor`` is its place among the anchors (0: it is
    none)."""

    bot: str
    author: str
    ref: BotRef
    submitted: BotRef | None = None
    build: str = ""
    anchor: int = 0

    @property
    def source(self) -> BotRef:
        """What its author has submitted."""
        return self.submitted or self.ref

    @cached_property
    def sha256(self) -> str:
        """Its digest."""
        return version_digest(self.source, self.build)


class EntryCheck(NamedTuple):
    """What a check of a version found: the ``report`` (None: none is kept), and its ``label`` with the ``evidence`` for
    it."""

    report: Any = None
    label: str = ""
    evidence: str = ""


UNCHECKED = EntryCheck()


def find_same(database: sqlite3.Connection, bot: str, digest: str) -> Version | None:
    """The version of this bot with this digest, in whatever ladder of the folder; None where it is new."""
    row = database.execute(
        "SELECT b.name, v.number FROM versions v JOIN bots b ON b.id = v.bot WHERE b.name = ? AND v.sha256 = ?",
        (bot, digest),
    ).fetchone()
    return None if row is None else find_version(database, f"{row[0]}:{row[1]}")


def admit_version(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    new: NewVersion,
    check: EntryCheck = UNCHECKED,
) -> Version:
    """Admit a new version of a bot, which is its author's; or a version of another ladder in the folder to this one.
    What its check found is kept. Older versions are replaced, but for anchors, and for as many as the ladder's
    ``entry.versions`` lets play. An author who is not there yet is made.

    Raises UserError where the rules of entry, as they are now, do not allow it."""
    reference = keep_files(place, new.ref)
    if new.build:
        keep_files(place, new.source)
    with write_transaction(database):
        if problem := refuse_entry(database, ladder, new.author, new.bot):
            raise UserError(problem)
        id = _enter_version(database, ladder, new, reference)
        if check.report is not None:
            _keep_report(database, id, ladder.name, check.report)
        database.execute(
            "UPDATE entries SET label = ?, evidence = ? WHERE ladder = ? AND version = ?",
            (check.label, check.evidence, ladder.id, id),
        )
        replace_older(database, ladder, new.bot, id)
    return next(each.version for each in entered_versions(database, ladder.id) if each.version.id == id)


def admit_anchors(
    place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, anchors: Sequence[tuple[str, BotRef]]
) -> None:
    """Admit the operator's anchors, each a name and a bot by value, in their order. To be called in a transaction:
    nothing but files stays of it where that fails."""
    for number, (bot, ref) in enumerate(anchors, 1):
        owner = owner_of(database, bot)
        if owner is not None and owner[1] != OPERATOR:
            raise UserError(
                f"anchor {bot}: the name {owner[0]!r} belongs to author {owner[1]} in this folder; give the anchor "
                "another with its key name"
            )
        if problems := secret_refusals(place, database, ref.files):
            raise UserError(f"anchor {bot}: {problems[0]}")
        _enter_version(database, ladder, NewVersion(bot, OPERATOR, ref, anchor=number), keep_files(place, ref))


def _enter_version(database: sqlite3.Connection, ladder: Ladder, new: NewVersion, reference: BotRef) -> int:
    """Enter a version, which may be one of another ladder, as active; its row."""
    same = find_same(database, new.bot, new.sha256)
    id = same.id if same else _add_version(database, new, reference)
    if database.execute("SELECT 1 FROM entries WHERE ladder = ? AND version = ?", (ladder.id, id)).fetchone():
        raise UserError(f"this version of {new.bot} was submitted to ladder {ladder.name} meanwhile")
    set_state(database, ladder.id, id, VersionState.ACTIVE, SUBMITTED_REASON)
    database.execute("UPDATE entries SET anchor = ? WHERE ladder = ? AND version = ?", (new.anchor, ladder.id, id))
    return id


def replace_older(database: sqlite3.Connection, ladder: Ladder, bot: str, kept: int) -> list[Version]:
    """Have only the newest versions of a bot play on, but the version in the row ``kept`` in any case; those that are
    replaced now. To be called in a transaction."""
    active = [
        each.version
        for each in entered_versions(database, ladder.id)
        if each.version.bot.lower() == bot.lower() and each.state is VersionState.ACTIVE and not each.anchor
    ]
    newest = next((version.name for version in active if version.id == kept), "")
    if not newest:
        return []
    active.sort(key=lambda version: (version.id == kept, version.number))
    replaced = active[: -ladder.config.entry.versions]
    for version in replaced:
        set_state(database, ladder.id, version.id, VersionState.REPLACED, f"by {newest}")
    return replaced


def _add_version(database: sqlite3.Connection, new: NewVersion, reference: BotRef) -> int:
    """The row of a new version."""
    bot = _bot_row(database, new)
    (number,) = database.execute("SELECT count(*) + 1 FROM versions WHERE bot = ?", (bot,)).fetchone()
    row = {
        "bot": bot,
        "number": number,
        "sha256": new.sha256,
        "files": files_digest(new.ref.files),
        "source": files_digest(new.source.files) if new.build else "",
        "build": new.build,
        "options": msgspec.json.encode(new.ref.options).decode(),
        "reference": msgspec.json.encode(reference).decode(),
        "submitted": utc_now(),
    }
    names, values = ", ".join(row), ", ".join("?" * len(row))
    id = database.execute(f"INSERT INTO versions ({names}) VALUES ({values})", tuple(row.values())).lastrowid
    assert id is not None
    return id


def _bot_row(database: sqlite3.Connection, new: NewVersion) -> int:
    """The row of the bot, which is made where it is new."""
    row = database.execute("SELECT id FROM bots WHERE name = ?", (new.bot,)).fetchone()
    if row is not None:
        return int(row[0])
    author = make_if_missing(database, new.author)
    id = database.execute(
        "INSERT INTO bots (name, author, began) VALUES (?, ?, ?)", (new.bot, author.id, utc_now())
    ).lastrowid
    assert id is not None
    return id


def _keep_report(database: sqlite3.Connection, version: int, ladder: str, report: Any) -> None:
    """Keep the report of a check under the name of the ladder for which it was made."""
    (held,) = database.execute("SELECT report FROM versions WHERE id = ?", (version,)).fetchone()
    reports = {**msgspec.json.decode(held), ladder: report}
    database.execute("UPDATE versions SET report = ? WHERE id = ?", (msgspec.json.encode(reports).decode(), version))
