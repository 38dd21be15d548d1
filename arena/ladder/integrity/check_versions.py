"""Checks that the files of versions are those that were submitted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from arena.errors import UserError
from arena.finding.files import digest_of
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import Version, all_versions, version_digest
from arena.ladder.database.ladder_folder import LadderFolder


def check_versions(place: LadderFolder, database: sqlite3.Connection) -> tuple[int, Iterator[str]]:
    """Return how many versions there are, and an iterator over their problems, a line each."""
    versions = all_versions(database)
    return len(versions), _version_problems(place, versions)


def _version_problems(place: LadderFolder, versions: list[Version]) -> Iterator[str]:
    for version in versions:
        try:
            ref = fetch_version(place, version)
        except UserError as problem:
            yield str(problem)
            continue
        if ref.sha256 not in _bot_digests(ref):
            yield f"{version.name}: its files do not have the digest that replays name, {ref.sha256}; restore a backup"
        yield from _digest_problems(place, version, ref)


def _bot_digests(ref: BotRef) -> list[str]:
    """Return the digests of a bot's files; for a bot in a folder also the digest with the names below the folder."""
    above = ref.name.partition(":")[0]
    below = [msgspec.structs.replace(file, path=file.path.removeprefix(above)) for file in ref.files]
    return [digest_of(ref.files), *([digest_of(below)] if above.endswith("/") else [])]


def _digest_problems(place: LadderFolder, version: Version, ref: BotRef) -> Iterator[str]:
    """Yield a problem if a version's content does not have its digest; if it was built, check the submitted files."""
    if not version.build:
        if version_digest(ref) != version.sha256:
            yield f"{version.name}: its files, options or class do not have the right digest; restore a backup"
        return
    try:
        fetch_version(place, msgspec.structs.replace(version, files=version.source))
    except UserError as problem:
        yield f"{version.name}, from which it was built: {problem}"
