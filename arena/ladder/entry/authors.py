"""The authors of bots, and the tokens that identify them."""

from __future__ import annotations

import hmac
import secrets
import sqlite3
from hashlib import sha256

import msgspec

from arena.config.ladder_yaml import LADDER_NAME
from arena.errors import UserError, nearest_hint
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladders import OPERATOR, utc_now

TOKEN_BYTES = 32
TOKEN_LETTERS = -(-TOKEN_BYTES * 8 // 6)
"""Length of a token in characters: letters, digits, ``-`` and ``_``, six bits each."""


class Author(msgspec.Struct, frozen=True):
    """An author: the row (0: there is none yet), the name, and the SHA-256 of the token (None: there is none)."""

    id: int
    name: str
    token_sha256: str | None = None


def find_author(database: sqlite3.Connection, name: str) -> Author | None:
    """Return the author of this name, ignoring case; None where there is none."""
    row = database.execute("SELECT id, name, token_sha256 FROM authors WHERE name = ?", (name,)).fetchone()
    return None if row is None else Author(*row)


def known_author(database: sqlite3.Connection, name: str) -> Author:
    """Return the author of this name. Raises UserError where there is none."""
    if (found := find_author(database, name)) is None:
        told = "the operator adds an author with: arena ladder author DIR NAME"
        raise UserError(f"no author {name!r}{nearest_hint(name, _author_names(database))}; {told}")
    return found


def make_author(database: sqlite3.Connection, name: str, new_token: bool = False) -> str:
    """Create an author, or with ``new_token`` replace an author's token; return the token. The caller shows it once:
    the database stores only its SHA-256. Raises UserError where the author exists already, or with ``new_token`` does
    not."""
    check_entry_name("author", name)
    if name.lower() == OPERATOR:
        raise UserError(
            f"{OPERATOR} stands for anybody who may write to the folder, and needs no token; choose another name"
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with write_transaction(database):
        found = find_author(database, name)
        if new_token and found is None:
            raise UserError(
                f"no author {name!r}{nearest_hint(name, _author_names(database))}; leave out --new-token to add the "
                f"author"
            )
        if found is not None and not new_token and found.token_sha256 is not None:
            raise UserError(f"author {found.name} exists already; --new-token replaces a lost token")
        if found is None:
            row = (name, _token_digest(token), utc_now())
            database.execute("INSERT INTO authors (name, token_sha256, began) VALUES (?, ?, ?)", row)
        else:
            database.execute("UPDATE authors SET token_sha256 = ? WHERE id = ?", (_token_digest(token), found.id))
    return token


def who_submits(database: sqlite3.Connection, name: str, token: str, need_token: bool) -> Author:
    """Return the author who submits: the one of this name; without a name, the owner of this token; without either, the
    operator.

    An author who has a token must give it, and a given token must be the author's: a service may pass on a name that a
    stranger typed beside the service's own token. If the ladder requires tokens (``need_token``), an author who does
    not exist yet is refused, and the operator must give his name: otherwise a forgotten token would make the bot his
    for good. Raises UserError."""
    if need_token and not name and not token:
        raise UserError(
            "name the author (entry.tokens): with the author's token in ARENA_LADDER_TOKEN or --token, or as the "
            f"operator with --author {OPERATOR}"
        )
    found = find_author(database, name) if name else _by_token(database, token) if token else None
    if found is None and not name and token:
        raise UserError(
            "this token belongs to no author; the operator makes a new one with: arena ladder author DIR NAME"
        )
    if found is None and (not name or name.lower() == OPERATOR):
        found = find_author(database, OPERATOR)
    if found is None:
        if token:
            known = nearest_hint(name, _author_names(database))
            raise UserError(f"no author {name!r}{known}; the token identifies its author: leave out --author")
        if need_token:
            known = nearest_hint(name, _author_names(database))
            raise UserError(
                f"no author {name!r}{known}; this ladder requires tokens (entry.tokens): the operator adds an author "
                f"and prints a token with: arena ladder author DIR {name}"
            )
        check_entry_name("author", name)
        return Author(0, name)
    if token and found.token_sha256 is None:
        raise UserError(
            f"{found.name} has no token, so the given token (--token, ARENA_LADDER_TOKEN) belongs to another author: "
            f"leave out --author to act as its owner, or leave out the token"
        )
    if found.name == OPERATOR:
        return found
    if found.token_sha256 is None:
        if need_token:
            raise UserError(f"author {found.name} has no token, and this ladder requires one (entry.tokens)")
        return found
    if not token:
        raise UserError(f"author {found.name} has a token: give it with --token or in ARENA_LADDER_TOKEN")
    if not hmac.compare_digest(found.token_sha256, _token_digest(token)):
        raise UserError(f"this is not the token of author {found.name}")
    return found


def check_entry_name(what: str, name: str) -> None:
    """Raise UserError for a name that bots and authors cannot have."""
    if not LADDER_NAME.fullmatch(name):
        told = "letters, digits, '-' and '_', at most 40, with a letter or digit first"
        raise UserError(f"expected the {what}'s name to be {told}; got {name!r}")


def make_if_missing(database: sqlite3.Connection, name: str) -> Author:
    """Return the author of this name; create the author where there is none. To be called in a transaction."""
    if found := find_author(database, name):
        return found
    id = database.execute("INSERT INTO authors (name, began) VALUES (?, ?)", (name, utc_now())).lastrowid
    assert id is not None
    return Author(id, name)


def _by_token(database: sqlite3.Connection, token: str) -> Author | None:
    wanted = _token_digest(token)
    rows = database.execute("SELECT id, name, token_sha256 FROM authors WHERE token_sha256 IS NOT NULL ORDER BY id")
    return next((Author(*row) for row in rows.fetchall() if hmac.compare_digest(row[2], wanted)), None)


def _author_names(database: sqlite3.Connection) -> list[str]:
    return [name for (name,) in database.execute("SELECT name FROM authors ORDER BY name")]


def _token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
