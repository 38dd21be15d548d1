"""Admits a version to a ladder: stores its files first, then everything else in one transaction."""

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
    """A new version of ``bot`` by an author: ``ref`` is the bot with the content of its files. If the command ``build``
    made them, ``submitted`` has the files from which it did. ``anchor`` is the version's place among the anchors (0: it
    is none)."""

    bot: str
    author: str
    ref: BotRef
    submitted: BotRef | None = None
    build: str = ""
    anchor: int = 0

    @property
    def source(self) -> BotRef:
        """The bot as its author submitted it."""
        return self.submitted or self.ref

    @cached_property
    def sha256(self) -> str:
        """The digest of the version."""
        return version_digest(self.source, self.build)


class EntryCheck(NamedTuple):
    """What the check of a version found: the ``report`` to store (None: none), and the ``label`` with its
    ``evidence``."""

    report: Any = None
    label: str = ""
    evidence: str = ""


UNCHECKED = EntryCheck()


def find_same(database: sqlite3.Connection, bot: str, digest: str) -> Version | None:
    """Return the version of this bot with this digest, from any ladder of the folder; None if there is none."""
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
    """Admit a new version of its author's bot to this ladder, or a version that another ladder of the folder has. Store
    what its check found. Older versions are replaced, except anchors and as many as the ladder's ``entry.versions``
    lets play. An author who does not exist is created.

    Raises UserError where the current rules of entry do not allow it."""
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
    """Admit the operator's anchors in this order, each a name and a bot with the content of its files. To be called in
    a transaction: if that fails, nothing but files remains."""
    for number, (bot, ref) in enumerate(anchors, 1):
        owner = owner_of(database, bot)
        if owner is not None and owner[1] != OPERATOR:
            raise UserError(
                f"anchor {bot}: the name {owner[0]!r} belongs to author {owner[1]} in this folder; give the anchor "
                f"another name with the key name"
            )
        if problems := secret_refusals(place, database, ref.files):
            raise UserError(f"anchor {bot}: {problems[0]}")
        _enter_version(database, ladder, NewVersion(bot, OPERATOR, ref, anchor=number), keep_files(place, ref))


def _enter_version(database: sqlite3.Connection, ladder: Ladder, new: NewVersion, reference: BotRef) -> int:
    """Enter a version, new or from another ladder, as active; return its row."""
    same = find_same(database, new.bot, new.sha256)
    id = same.id if same else _add_version(database, new, reference)
    if database.execute("SELECT 1 FROM entries WHERE ladder = ? AND version = ?", (ladder.id, id)).fetchone():
        raise UserError(f"this version of {new.bot} was submitted to ladder {ladder.name} meanwhile")
    set_state(database, ladder.id, id, VersionState.ACTIVE, SUBMITTED_REASON)
    database.execute("UPDATE entries SET anchor = ? WHERE ladder = ? AND version = ?", (new.anchor, ladder.id, id))
    return id


def replace_older(database: sqlite3.Connection, ladder: Ladder, bot: str, kept: int) -> list[Version]:
    """Replace all active versions of a bot but the newest ones; the version in the row ``kept`` always plays on. Return
    the versions that were replaced. To be called in a transaction."""
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
    """Add a version to the database; return its row."""
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
    """Return the row of the bot; add it where the bot is new."""
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
