"""Recorded matches of a ladder's versions, for the comparison with a new bot. The choice is deterministic."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.errors import ReplayError
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import files_digest
from arena.ladder.database.bot_versions.versions import Version, VersionState, entered_versions
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.rounds import models_of_seats
from arena.ladder.entry.likeness import RecordedSeat
from arena.recorded.recorded_models import RecordedModels
from arena.replay.read import read_header
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, KeptReplays

LIKENESS_MATCHES = 3
"""How many matches of each version are used: the first one at each of its first tables."""
LOOKED_AT = 200
"""How many matches of a version the choice considers."""


def recorded_of(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, bot: str) -> Iterator[RecordedSeat]:
    """Yield recorded matches of the older versions of this bot, the newest version first, then of all other active
    versions of the ladder in the order of submission."""
    every = entered_versions(database, ladder.id)
    own = [each.version for each in every if each.version.bot == bot][::-1]
    active = [each.version for each in every if each.state is VersionState.ACTIVE and each.version.bot != bot]
    yield from recorded_matches(place, database, ladder, (*own, *active))


def recorded_matches(
    place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, versions: Iterable[Version]
) -> Iterator[RecordedSeat]:
    """Yield recorded matches of each of these versions of the ladder."""
    folders: dict[int, _SeasonPacks] = {}
    for version in versions:
        yield from _of_version(place, database, ladder, version, folders)


class _SeasonPacks(NamedTuple):
    """The replays of a season, and what models answered in its matches."""

    replays: KeptReplays
    cassettes: KeptReplays


def _of_version(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    version: Version,
    folders: dict[int, _SeasonPacks],
) -> Iterator[RecordedSeat]:
    rows = database.execute(
        "SELECT n.number, m.name, m.block, s.seat FROM seats s JOIN matches m ON m.id = s.match "
        "JOIN rounds r ON r.id = m.round JOIN seasons n ON n.id = r.season "
        "WHERE s.version = ? AND n.ladder = ? AND m.replay = 1 AND m.void = 0 ORDER BY s.match LIMIT ?",
        (version.id, ladder.id, LOOKED_AT),
    ).fetchall()
    blocks: set[tuple[int, int]] = set()
    for season, name, block, seat in rows:
        if (season, block) in blocks or len(blocks) == LIKENESS_MATCHES:
            continue
        blocks.add((season, block))
        if season not in folders:
            folder = place.season(ladder.name, season)
            folders[season] = _SeasonPacks(KeptReplays(folder), KeptReplays(folder, CASSETTES_FOLDER))
        packs = folders[season]
        try:
            if (replay := packs.replays.get(name)) is None:
                continue
            models = _recorded_models(database, ladder, replay, packs.cassettes.get(name))
        except ReplayError:
            continue  # `arena ladder check` tells of it
        yield RecordedSeat(version.name, replay, seat, models)


def _recorded_models(
    database: sqlite3.Connection, ladder: Ladder, replay: bytes, cassette: bytes | None
) -> RecordedModels:
    """What models answered in a match. Raises ReplayError for a replay without a header."""
    if cassette is None:
        return RecordedModels()
    entrants = tuple(seat.entrant for seat in read_header(replay.partition(b"\n")[0]).seats)
    return RecordedModels(models_of_seats(database, ladder, entrants), cassette, entrants)


def same_files(database: sqlite3.Connection, ref: BotRef) -> list[str]:
    """Return the versions that play with the same files, each with its author. Options are ignored, and so is the name
    of a single file."""
    rows = database.execute(
        "SELECT b.name || ':' || v.number || ' of author ' || a.name FROM versions v "
        "JOIN bots b ON b.id = v.bot JOIN authors a ON a.id = b.author "
        "WHERE v.files = ? OR json_extract(v.reference, '$.sha256') = ? ORDER BY v.id",
        (files_digest(ref.files), ref.sha256),
    )
    return [name for (name,) in rows]
