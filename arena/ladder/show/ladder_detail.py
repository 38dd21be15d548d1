"""The details of a whole ladder: its keys, seasons and versions, what is being played, which matches wait."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from arena.config.documents.dialect import dump_yaml
from arena.config.ladder_config import LadderConfig
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.ladder.database.bot_versions.versions import VersionState, entered_versions
from arena.ladder.database.ladder_folder import LADDER_LOCK, LADDER_PROGRESS, LadderFolder
from arena.ladder.database.ladders import Ladder, ladder_names, seasons_of_ladder
from arena.ladder.database.play_log import PlayConditions, exempt_versions, mixed_rounds
from arena.ladder.database.publishing import replays_public, seeds_public
from arena.ladder.entry.quarantine import Quarantine, quarantines_of
from arena.ladder.models.season_spending import SpentOnModels
from arena.ladder.suspicions.suspicion_rows import Suspicion, standing_suspicions
from arena.storage.folder_lock import FolderLock
from arena.storage.run_facts.run_progress import RunProgress


class SeasonDetail(msgspec.Struct):
    """A season: when it ``began`` and ``ended`` (None: it goes on), the commitment to its seed and, once it is over,
    the ``seed``; closed ``rounds`` and finished ``matches``, with ``void`` ones; ``left_out`` matches are not played.
    ``seeds_public`` and ``replays_public`` say whether those of its closed rounds are. ``mixed`` are the rounds whose
    matches were played by several versions of arena or at several isolation levels, and how many by which. ``exempt``
    are the versions that were exempt from isolation, being bundled bots."""

    number: int
    began: str
    ended: str | None
    seed_sha256: str
    seed: str | None
    rounds: int
    matches: int
    void: int
    left_out: int
    seeds_public: bool
    replays_public: bool
    mixed: list[PlayConditions] = []
    exempt: list[str] = []


class OpenRound(msgspec.Struct):
    """The open round: how many of its ``matches`` are ``finished``, and how many ``left_out``."""

    number: int
    matches: int
    finished: int
    left_out: int


class PostponedMatch(msgspec.Struct):
    """A match that could not be played and will be tried again: the number of ``tries`` so far, and the reason."""

    number: int
    name: str
    tries: int
    why: str


class AuditDetail(msgspec.Struct):
    """The last audit of the season."""

    at: str
    played: int
    identical: int


class LadderDetail(msgspec.Struct):
    """A ladder in one of its seasons. ``keys`` are those of its file, spelled out; ``edition_sha256`` is the digest of
    its rules; ``others`` are the other ladders in the ``folder``. ``versions`` has the versions' names by state, in the
    order of submission. ``playing`` is the process that plays in the folder (0: unknown; None: none does), and
    ``progress`` its last report on the round that it plays. ``quarantines`` are those that are not released,
    ``suspicions`` what the operator should look at. ``spent`` is what the season has spent on language models, where
    somebody has added that up."""

    folder: str
    name: str
    others: list[str]
    label: str
    game: str
    edition: str
    edition_sha256: str
    seats: int
    began: str
    keys: dict[str, Any]
    season: SeasonDetail
    seasons: int
    open: OpenRound | None
    versions: dict[VersionState, list[str]]
    anchors: list[str]
    playing: int | None
    progress: RunProgress | None
    waits: list[PostponedMatch]
    audit: AuditDetail | None
    quarantines: list[Quarantine] = []
    suspicions: list[Suspicion] = []
    spent: list[SpentOnModels] = []


def ladder_shown(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> LadderDetail:
    """Return everything about a ladder except the details of single versions and matches."""
    playing = FolderLock(place.folder / LADDER_LOCK).holder()
    versions: dict[VersionState, list[str]] = {}
    everybody = entered_versions(database, ladder.id)
    for each in everybody:
        versions.setdefault(each.state, []).append(each.version.name)
    row = database.execute("SELECT began, edition_sha256 FROM ladders WHERE id = ?", (ladder.id,)).fetchone()
    audit = database.execute(
        "SELECT at, played, identical FROM audits WHERE season = ? ORDER BY id DESC LIMIT 1", (ladder.season.id,)
    ).fetchone()
    return LadderDetail(
        folder=str(place.shown),
        name=ladder.name,
        others=[name for name in ladder_names(database) if name != ladder.name],
        label=ladder.label,
        game=ladder.edition.game,
        edition=ladder.edition.label,
        edition_sha256=row[1],
        seats=ladder.seats,
        began=row[0],
        keys=keys_of(ladder.config),
        season=season_shown(database, ladder),
        seasons=len(seasons_of_ladder(database, ladder.id)),
        open=_open_round(database, ladder.season.id),
        versions={state: versions[state] for state in VersionState if state in versions},
        anchors=[each.version.name for each in sorted(everybody, key=lambda each: each.anchor) if each.anchor],
        playing=playing,
        progress=None if playing is None else progress_told(place),
        waits=postponed_matches(database, ladder.season.id),
        audit=None if audit is None else AuditDetail(*audit),
        quarantines=[each for each in quarantines_of(database, ladder) if each.released is None],
        suspicions=standing_suspicions(database, ladder),
    )


def keys_of(config: LadderConfig) -> dict[str, Any]:
    """The keys of a ladder's file, spelled out, as plain data that loads as an equal ladder."""
    data: dict[str, Any] = msgspec.to_builtins(config)
    for anchor in data["anchors"]:
        del anchor["cmd"]  # it stands in ``bot`` by now
    return data


def keys_text(keys: dict[str, Any]) -> str:
    """The keys of :func:`keys_of` as YAML."""
    return dump_yaml(keys)


def season_shown(database: sqlite3.Connection, ladder: Ladder) -> SeasonDetail:
    """Return the details of the ladder's season."""
    season = ladder.season
    (rounds,) = database.execute(
        "SELECT count(*) FROM rounds WHERE season = ? AND state = 'closed'", (season.id,)
    ).fetchone()
    of_season = "FROM rounds r JOIN matches m ON m.round = r.id WHERE r.season = ?"
    (matches,) = database.execute(f"SELECT count(*) {of_season}", (season.id,)).fetchone()
    (void,) = database.execute(f"SELECT count(*) {of_season} AND m.void = 1", (season.id,)).fetchone()
    (left_out,) = database.execute(
        "SELECT count(*) FROM left_out l JOIN rounds r ON r.id = l.round WHERE r.season = ? AND l.final", (season.id,)
    ).fetchone()
    return SeasonDetail(
        number=season.number,
        began=season.began,
        ended=season.ended,
        seed_sha256=season.seed_sha256,
        seed=season.seed,
        rounds=rounds,
        matches=matches,
        void=void,
        left_out=left_out,
        seeds_public=seeds_public(ladder.config, season),
        replays_public=replays_public(ladder.config, season),
        mixed=mixed_rounds(database, season.id),
        exempt=exempt_versions(database, season.id),
    )


def _open_round(database: sqlite3.Connection, season: int) -> OpenRound | None:
    row = database.execute(
        "SELECT number, matches, (SELECT count(*) FROM matches WHERE round = r.id), "
        "(SELECT count(*) FROM left_out WHERE round = r.id AND final) "
        "FROM rounds r WHERE season = ? AND state = 'open'",
        (season,),
    ).fetchone()
    return None if row is None else OpenRound(*row)


def postponed_matches(database: sqlite3.Connection, season: int) -> list[PostponedMatch]:
    """The matches of a season's open round that could not be played and will be tried again."""
    rows = database.execute(
        "SELECT l.match, l.name, l.tries, l.why FROM left_out l JOIN rounds r ON r.id = l.round "
        "WHERE r.season = ? AND r.state = 'open' AND NOT l.final AND l.match NOT IN (SELECT id FROM matches) "
        "ORDER BY l.match",
        (season,),
    )
    return [PostponedMatch(*row) for row in rows]


def progress_told(place: LadderFolder) -> RunProgress | None:
    """What whoever plays has said last; None where that cannot be read."""
    try:
        return msgspec.json.decode(read_foreign_file(place.folder / LADDER_PROGRESS), type=RunProgress)
    except (OSError, *DECODE_ERRORS):
        return None
