"""Whether the files of versions are those that were submitted."""

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
    """How many versions there are, and everything that is wrong with them, a line each."""
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
            yield f"{version.name}: its files have not the digest that replays name, {ref.sha256}; restore a backup"
        yield from _digest_problems(place, version, ref)


def _bot_digests(ref: BotRef) -> list[str]:
    """The digest of a bot's files; and the one with their names below its folder, where the bot is one."""
    above = ref.name.partition(":")[0]
    below = [msgspec.structs.replace(file, path=file.path.removeprefix(above)) for file in ref.files]
    return [digest_of(ref.files), *([digest_of(below)] if above.endswith("/") else [])]


def _digest_problems(place: LadderFolder, version: Version, ref: BotRef) -> Iterator[str]:
    """Whether all together has the digest of the version; where it was built, the submitted files are looked at."""
    if not version.build:
        if version_digest(ref) != version.sha256:
            yield f"{version.name}: its files, options or class are not those of its digest; restore a backup"
        return
    try:
        fetch_version(place, msgspec.structs.replace(version, files=version.source))
    except UserError as problem:
        yield f"{version.name}, from which it was built: {problem}"
