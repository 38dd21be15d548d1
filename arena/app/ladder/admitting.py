"""Admits a version to a ladder: its files are kept first, then everything else in one transaction."""

from __future__ import annotations

import sqlite3

import msgspec

from arena.app.ladder.database import transaction
from arena.app.ladder.keeping import files_digest, keep_files
from arena.app.ladder.ladders import Ladder, now
from arena.app.ladder.place import Place
from arena.app.ladder.versions import State, Version, entered, find_version, set_state, version_digest
from arena.errors import UserError
from arena.finding.reference import BotRef


def admit(
    place: Place,
    database: sqlite3.Connection,
    ladder: Ladder,
    bot: str,
    author: str,
    ref: BotRef,
    *,
    report: bytes = b"{}",
    anchor: int = 0,
) -> Version:
    """Admit a bot, by value, as the next version of the bot of this name, which is its author's; older versions are
    replaced, but for as many as the ladder's ``entry.versions`` lets play. Raises UserError where another author owns
    the name."""
    reference = keep_files(place, ref)
    row = (
        version_digest(ref),
        files_digest(ref.files),
        msgspec.json.encode(ref.options).decode(),
        msgspec.json.encode(reference).decode(),
        report.decode(),
        now(),
    )
    with transaction(database):
        owner = database.execute(
            "SELECT b.id, a.name FROM bots b JOIN authors a ON a.id = b.author WHERE b.name = ?", (bot,)
        ).fetchone()
        if owner is not None and owner[1] != author:
            raise UserError(f"the name {bot!r} belongs to {owner[1]}; choose another --name")
        id = owner[0] if owner is not None else _new_bot(database, bot, author)
        (number,) = database.execute("SELECT count(*) + 1 FROM versions WHERE bot = ?", (id,)).fetchone()
        version = database.execute(
            "INSERT INTO versions (bot, number, sha256, files, options, reference, report, submitted) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (id, number, *row),
        ).lastrowid
        assert version is not None
        set_state(database, ladder.id, version, State.ACTIVE, "submitted")
        database.execute("UPDATE entries SET anchor = ? WHERE ladder = ? AND version = ?", (anchor, ladder.id, version))
        _replace(database, ladder, bot)
    return find_version(database, f"{bot}:{number}")


def _new_bot(database: sqlite3.Connection, bot: str, author: str) -> int:
    row = database.execute("SELECT id FROM authors WHERE name = ?", (author,)).fetchone()
    if row is None:
        raise UserError(f"no author {author!r}; the operator makes one with: arena ladder author DIR {author}")
    id = database.execute("INSERT INTO bots (name, author, began) VALUES (?, ?, ?)", (bot, row[0], now())).lastrowid
    assert id is not None
    return id


def _replace(database: sqlite3.Connection, ladder: Ladder, bot: str) -> None:
    """Only the newest versions of a bot play on."""
    active = [
        each.version for each in entered(database, ladder.id) if each.version.bot == bot and each.state is State.ACTIVE
    ]
    active.sort(key=lambda version: version.number)
    for version in active[: -ladder.config.entry.versions]:
        set_state(database, ladder.id, version.id, State.REPLACED, f"by {bot}:{active[-1].number}")
