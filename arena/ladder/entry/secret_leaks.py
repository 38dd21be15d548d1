"""Finds a ladder's secrets where others may read them: in the files of versions, or in database text about versions.

The secrets are the seeds of open seasons and the tokens of authors. The database has their SHA-256, so they are found
in a copy without ``secrets.json`` too; only in plain form, not compressed or encoded."""

from __future__ import annotations

import re
import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.finding.files import MOST_BYTES, BotFile
from arena.foreign_files import read_foreign_file
from arena.ladder.database.bot_versions.versions import all_versions
from arena.ladder.database.ladder_folder import VERSIONS_FOLDER, LadderFolder
from arena.ladder.database.season_secrets import SEED_LETTERS, seeds_held
from arena.ladder.entry.authors import TOKEN_LETTERS
from arena.printable import printable_text

_SECRET_WORD = re.compile(rb"[A-Za-z0-9_-]{%d,}" % min(SEED_LETTERS, TOKEN_LETTERS))
_TEXT_QUERIES = (
    ("{}: its options hold", "SELECT {name}, v.options FROM {versions}"),
    ("{}: how it is loaded holds", "SELECT {name}, v.reference FROM {versions}"),
    ("{}: the command that builds it holds", "SELECT {name}, v.build FROM {versions}"),
    ("{}: the report of its check holds", "SELECT {name}, v.report FROM {versions}"),
    ("what was asked of the upload at {} holds", "SELECT at, request FROM uploads ORDER BY id"),
    ("the report of the upload at {} holds", "SELECT at, result FROM uploads WHERE result IS NOT NULL ORDER BY id"),
    ("the note made at {} holds", "SELECT at, why FROM changes ORDER BY id"),
)
"""Columns with text from submitters: how a message about a secret in it begins, and the query."""


class Secret(msgspec.Struct, frozen=True):
    """A secret: ``what`` it is, and the ``remedy`` if others may have read it."""

    what: str
    remedy: str


class Secrets:
    """The secrets of all ladders in a folder."""

    def __init__(self, place: LadderFolder, database: sqlite3.Connection) -> None:
        where, self._by_digest = shlex.quote(str(place.shown)), dict[str, Secret]()
        open_seasons = (
            "SELECT s.seed_sha256, l.name, s.number FROM seasons s JOIN ladders l ON l.id = s.ladder "
            "WHERE s.ended IS NULL ORDER BY s.id"
        )
        for digest, ladder, number in database.execute(open_seasons):
            remedy = f"close that season: arena ladder season {where} close --ladder {ladder}"
            self._by_digest[digest] = Secret(f"the seed of season {number} of {ladder}", remedy)
        tokens = "SELECT token_sha256, name FROM authors WHERE token_sha256 IS NOT NULL ORDER BY id"
        for digest, author in database.execute(tokens):
            remedy = f"replace that token: arena ladder author {where} {author} --new-token"
            self._by_digest[digest] = Secret(f"the token of author {author}", remedy)
        self._seeds = {
            seed.encode(): self._by_digest[digest]
            for digest, seed in seeds_held(place).items()
            if digest in self._by_digest
        }

    def held_in(self, content: bytes) -> list[Secret]:
        """Return the secrets that the content of a file holds, each once."""
        found = [secret for seed, secret in self._seeds.items() if seed in content]
        for word in _SECRET_WORD.finditer(content):
            text = word[0]
            for length in (SEED_LETTERS, TOKEN_LETTERS):
                for part in {text[:length], text[-length:]}:
                    if secret := self._by_digest.get(sha256(part).hexdigest()):
                        found.append(secret)
        return list(dict.fromkeys(found))


def secret_refusals(place: LadderFolder, database: sqlite3.Connection, files: Iterable[BotFile]) -> list[str]:
    """Return a sentence for each of these files that a bot must not have: it holds a secret of the ladders."""
    secrets = Secrets(place, database)
    return [
        f"{printable_text(file.path)} holds {secret.what}, which no bot may have; remove it from the submitted "
        f"files, and if others may have read it, {secret.remedy}"
        for file in files
        for secret in secrets.held_in(file.content)
    ]


def leaks_in_files(place: LadderFolder, database: sqlite3.Connection, folder: Path) -> Iterator[str]:
    """Yield a message for every version's file below ``folder`` (that of the ladders or a copy) with a secret."""
    secrets, names = Secrets(place, database), _names_by_folder(database)
    for version in sorted((folder / VERSIONS_FOLDER).glob("*")):
        for file in sorted(path for path in version.rglob("*") if path.is_file()):
            path = printable_text(file.relative_to(version).as_posix())
            for secret in secrets.held_in(_read_content(file)):
                told = names.get(version.name, f"{VERSIONS_FOLDER}/{version.name}, a folder of no version")
                yield f"{told}: its file {path} holds {secret.what}, which its bot may have read; {secret.remedy}"


def leaks_in_rows(place: LadderFolder, database: sqlite3.Connection) -> Iterator[str]:
    """Yield a message with a remedy for every text about a version in the database that holds a secret."""
    secrets = Secrets(place, database)
    parts = {
        "name": "b.name || ':' || v.number",
        "versions": "versions v JOIN bots b ON b.id = v.bot ORDER BY v.id",
    }
    for told, query in _TEXT_QUERIES:
        for name, text in database.execute(query.format(**parts)):
            for secret in secrets.held_in(str(text).encode("utf-8", "replace")):
                yield f"{told.format(name)} {secret.what}; {secret.remedy}"


def _names_by_folder(database: sqlite3.Connection) -> Mapping[str, str]:
    """Return the names of the versions whose files lie in each folder, by the folder's name."""
    found: dict[str, list[str]] = {}
    for version in all_versions(database):
        for digest in dict.fromkeys((version.files, version.source)):
            found.setdefault(digest, []).append(version.name)
    return {digest: ", ".join(names) for digest, names in found.items()}


def _read_content(file: Path) -> bytes:
    try:
        return read_foreign_file(file, MOST_BYTES)
    except OSError as problem:
        raise UserError(f"{file} cannot be read: {problem.strerror}") from None
