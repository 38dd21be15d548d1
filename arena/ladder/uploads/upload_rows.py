"""The uploads of a folder's ladders, in its database: queued within limits, checked one at a time, kept with reports.

An upload stands in the database with its content from the moment on in which its author is told so; so a server that is
killed loses none. Every function that writes does so in one transaction."""

from __future__ import annotations

import secrets
import sqlite3
from enum import StrEnum
from hashlib import sha256
from typing import Any

import msgspec

from arena.errors import ArenaError
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladders import Ladder, utc_now
from arena.ladder.entry.authors import Author, check_entry_name
from arena.ladder.entry.entry_rules import DAY_CHARACTERS
from arena.ladder.entry.submit import SubmitResult

ADDRESS_BYTES = 16
"""How many random bytes the address of a report has: whoever knows it may read the report."""
MOST_WAITING, MOST_OF_AUTHOR = 100, 3
"""How many uploads may wait at once, of all authors and of one."""
MOST_TRIES = 2
"""How often a check is begun: again only if the server ended during the first one."""


class UploadState(StrEnum):
    """Where an upload stands."""

    WAITING = "waiting"
    CHECKING = "checking"
    ADMITTED = "admitted"
    KNOWN = "known"
    """The same bytes were in the ladder already."""

    REFUSED = "refused"
    FAILED = "failed"
    """The check could not be carried out, through no fault of the bot."""


OPEN_STATES = (UploadState.WAITING, UploadState.CHECKING)
"""The states of uploads whose check has not ended."""


class UploadRequest(msgspec.Struct, frozen=True):
    """What an author asks beside the bytes: the name of the ``bot``, its class ``cls``, its ``options`` as
    ``KEY=VALUE``, the ``command`` that runs it and the command ``build`` that builds it ("": none)."""

    bot: str
    cls: str = ""
    options: tuple[str, ...] = ()
    command: str = ""
    build: str = ""


class Upload(msgspec.Struct, frozen=True):
    """An upload: its row, its unguessable ``address``, ladder, author, the time ``at`` which it came, its size in
    ``bytes``, their ``sha256``, its state, how many uploads are checked ``before`` it (0 when it is not waiting), when
    the check ``ended``, and its ``result``."""

    id: int
    address: str
    ladder: str
    author: str
    at: str
    request: UploadRequest
    bytes: int
    sha256: str
    state: UploadState
    tries: int
    before: int = 0
    ended: str | None = None
    result: SubmitResult | None = None


class UploadRefusal(ArenaError):
    """An upload that is not taken because there are too many; another day, or later, it may be."""

    def __init__(self, message: str, is_busy: bool = False) -> None:
        self.is_busy = is_busy
        super().__init__(message)


_UPLOADS_QUERY = """
  SELECT u.id, u.address, l.name, a.name, u.at, u.request, u.bytes, u.sha256, u.state, u.tries,
    CASE u.state WHEN 'waiting' THEN
      (SELECT count(*) FROM uploads o WHERE o.id < u.id AND o.state IN ('waiting', 'checking')) ELSE 0 END,
    u.ended, u.result
  FROM uploads u JOIN ladders l ON l.id = u.ladder JOIN authors a ON a.id = u.author
"""


def _row_upload(row: tuple[Any, ...]) -> Upload:
    id, address, ladder, author, at, request, size, digest, state, tries, before, ended, result = row
    return Upload(
        id,
        address,
        ladder,
        author,
        at,
        msgspec.json.decode(request, type=UploadRequest),
        size,
        digest,
        UploadState(state),
        tries,
        before,
        ended,
        None if result is None else msgspec.json.decode(result, type=SubmitResult),
    )


def queue_upload(
    database: sqlite3.Connection, ladder: Ladder, author: Author, request: UploadRequest, content: bytes, a_day: int
) -> Upload:
    """Queue an upload for its check; return it, or the same one of this author whose check has not ended. Raises
    UserError for a bot's name that no bot can have; UploadRefusal where too many wait, or the author has had so many
    checks today (``a_day``)."""
    check_entry_name("bot", request.bot)
    encoded, digest, now = msgspec.json.encode(request).decode(), sha256(content).hexdigest(), utc_now()
    with write_transaction(database, durable=True):
        row = database.execute(
            "SELECT id FROM uploads WHERE ladder = ? AND author = ? AND sha256 = ? AND request = ? "
            "AND state IN ('waiting', 'checking')",
            (ladder.id, author.id, digest, encoded),
        ).fetchone()
        if row is None:
            _check_limits(database, author, now, a_day)
            address = secrets.token_urlsafe(ADDRESS_BYTES)
            database.execute(
                "INSERT INTO uploads (address, ladder, author, at, bot, request, bytes, sha256, content, state) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')",
                (address, ladder.id, author.id, now, request.bot, encoded, len(content), digest, content),
            )
            (row,) = [database.execute("SELECT id FROM uploads WHERE address = ?", (address,)).fetchone()]
    return _row_upload(database.execute(f"{_UPLOADS_QUERY} WHERE u.id = ?", row).fetchone())


def check_upload_limits(database: sqlite3.Connection, author: Author, a_day: int) -> None:
    """Raise UploadRefusal where an upload of this author would not be queued now, before its bytes are read."""
    _check_limits(database, author, utc_now(), a_day)


def _check_limits(database: sqlite3.Connection, author: Author, now: str, a_day: int) -> None:
    counts = "SELECT count(*), coalesce(sum(author = ?), 0) FROM uploads WHERE state IN ('waiting', 'checking')"
    waiting, own = database.execute(counts, (author.id,)).fetchone()
    today = now[:DAY_CHARACTERS]
    (had,) = database.execute(
        "SELECT count(*) FROM uploads WHERE author = ? AND substr(at, 1, ?) = ? AND state != 'failed'",
        (author.id, DAY_CHARACTERS, today),
    ).fetchone()
    if had >= a_day:
        raise UploadRefusal(
            f"author {author.name} has uploaded {had} bots on {today} (UTC), refused ones included, and {a_day} a day "
            f"are checked; try again tomorrow"
        )
    if own >= MOST_OF_AUTHOR:
        raise UploadRefusal(f"{own} uploads of author {author.name} wait for their check; try again when one has ended")
    if waiting >= MOST_WAITING:
        raise UploadRefusal(f"{waiting} uploads wait for their check; try again later", is_busy=True)


def begin_next(database: sqlite3.Connection) -> tuple[Upload, bytes] | None:
    """Mark the upload that has waited longest as being checked; return it with its content. None where none waits."""
    with write_transaction(database):
        row = database.execute("SELECT min(id) FROM uploads WHERE state = 'waiting'").fetchone()
        if row == (None,):
            return None
        database.execute("UPDATE uploads SET state = 'checking', tries = tries + 1 WHERE id = ?", row)
        (content,) = database.execute("SELECT content FROM uploads WHERE id = ?", row).fetchone()
    return _row_upload(database.execute(f"{_UPLOADS_QUERY} WHERE u.id = ?", row).fetchone()), content


def end_upload(database: sqlite3.Connection, id: int, state: UploadState, result: SubmitResult) -> None:
    """Store the result of the check of an upload, and drop its content."""
    with write_transaction(database):
        database.execute(
            "UPDATE uploads SET state = ?, result = ?, ended = ?, content = NULL WHERE id = ? AND ended IS NULL",
            (state, msgspec.json.encode(result).decode(), utc_now(), id),
        )


def queue_again(database: sqlite3.Connection) -> None:
    """Queue the uploads whose check a server has not brought to its end; those that were tried often enough fail."""
    for upload in list_uploads(database, states=(UploadState.CHECKING,)):
        if upload.tries < MOST_TRIES:
            with write_transaction(database):
                database.execute("UPDATE uploads SET state = 'waiting' WHERE id = ?", (upload.id,))
        else:
            end_upload(database, upload.id, UploadState.FAILED, failed_result(upload, "the server ended during it"))


def failed_result(upload: Upload, why: str) -> SubmitResult:
    """The result of a check that could not be carried out."""
    told = [f"the check could not be carried out: {why}; it does not count as one of today's, upload the bot again"]
    return SubmitResult(ladder=upload.ladder, bot=upload.request.bot, author=upload.author, told=told)


def find_upload(database: sqlite3.Connection, ladder: Ladder, address: str) -> Upload | None:
    """The upload to this ladder whose report has this address; None where there is none."""
    query = f"{_UPLOADS_QUERY} WHERE u.ladder = ? AND u.address = ?"
    row = database.execute(query, (ladder.id, address)).fetchone()
    return None if row is None else _row_upload(row)


def list_uploads(
    database: sqlite3.Connection, ladder: Ladder | None = None, states: tuple[UploadState, ...] = (), most: int = -1
) -> list[Upload]:
    """The last uploads, to one ladder or all, in all or some states; the newest first, at most so many (-1: all)."""
    chosen = ", ".join(f"'{state}'" for state in states or UploadState)
    query = (
        f"{_UPLOADS_QUERY} WHERE u.state IN ({chosen}) AND u.ladder = coalesce(?, u.ladder) ORDER BY u.id DESC LIMIT ?"
    )
    return [_row_upload(row) for row in database.execute(query, (None if ladder is None else ladder.id, most))]
