"""The health of a folder of ladders: what is overdue or broken, since when and why, and what to do about it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from enum import StrEnum

import msgspec

from arena.config.documents.duration import duration_in_words
from arena.errors import UserError, one_line_message
from arena.ladder.database.bot_versions.version_files import fetch_if_whole
from arena.ladder.database.bot_versions.versions import VersionState, entered_versions
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LADDER_LOCK, LADDER_LOG, LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder, ladder_names
from arena.ladder.database.rounds import isolation_of, season_seed
from arena.ladder.play.choose_tables import pairing_players
from arena.ladder.play.play_attempt import PlayAttempt, last_attempt
from arena.ladder.rating.pairing import check_enough_players
from arena.ladder.show.ladder_detail import postponed_matches
from arena.storage.folder_lock import FolderLock

LEAST_FREE = 200_000_000
"""Bytes: with less room on the disk, a night of replays may not fit."""
CLOCK_SLACK = 120.0
"""Seconds by which a match may lie in the future before the clock counts as wrong."""
UNHEALTHY = 1
"""The exit code where something needs the operator."""


class HealthProblem(StrEnum):
    """What is wrong with a ladder: no match was finished for too long; the last play failed, or was killed; the disk is
    full, or cannot be written to; files of an active version are damaged; too few versions play; the season's seed or
    the isolation is not there; matches could not be played; or the clock was set back."""

    OVERDUE = "overdue"
    FAILED = "failed"
    DISK = "disk"
    FILES = "files"
    FIELD = "field"
    SEED = "seed"
    ISOLATION = "isolation"
    MATCHES = "matches"
    CLOCK = "clock"


class HealthFinding(msgspec.Struct, frozen=True):
    """A problem of a ladder ("": of the whole folder), in a sentence, and what to do about it."""

    ladder: str
    problem: HealthProblem
    found: str
    advice: str


class LadderAge(msgspec.Struct, frozen=True):
    """A ladder with an open season: when the season's last match was played (UTC; None: none was), and the seconds
    since then, or since the season began."""

    ladder: str
    season: int
    played: str | None
    seconds: float


class LadderHealth(msgspec.Struct):
    """The health of a folder of ladders: when this was ``checked`` (UTC), the ``process`` that plays there (0: unknown;
    None: none does), its ``last_play``, the ``free`` bytes on its disk, the ages of its ladders, and all problems."""

    folder: str
    checked: str
    process: int | None
    last_play: PlayAttempt | None
    free: int
    ladders: list[LadderAge]
    findings: list[HealthFinding]

    @property
    def exit_code(self) -> int:
        """0 where nothing is wrong, else 1."""
        return UNHEALTHY if self.findings else 0


def ladder_health(place: LadderFolder, older_than: float, now: datetime | None = None) -> LadderHealth:
    """Check the folder as it stands ``now``. A ladder is overdue where no match was finished for ``older_than``
    seconds. Nothing is written, and a `play` is not disturbed. Raises UserError where the folder holds no ladder."""
    now = now or datetime.now(UTC)
    process = FolderLock(place.folder / LADDER_LOCK).holder()
    free = shutil.disk_usage(place.folder).free if place.folder.is_dir() else 0
    health = LadderHealth(
        str(place.shown), now.isoformat(timespec="seconds"), process, last_attempt(place), free, [], []
    )
    with closing(open_database(place.database, place.shown)) as database:
        database.execute("BEGIN")  # all that is read is of one moment
        for name in ladder_names(database):
            ladder = find_ladder(database, name)
            if ladder.season.ended is None:
                age = _ladder_age(database, ladder, now)
                health.ladders.append(age)
                health.findings += _ladder_findings(place, database, ladder, age, older_than, health)
    health.findings += _folder_findings(place, health)
    return health


def _ladder_age(database: sqlite3.Connection, ladder: Ladder, now: datetime) -> LadderAge:
    row = database.execute(
        "SELECT m.played FROM matches m JOIN rounds r ON r.id = m.round WHERE r.season = ? ORDER BY m.id DESC LIMIT 1",
        (ladder.season.id,),
    ).fetchone()
    played = None if row is None else str(row[0])
    seconds = (now - datetime.fromisoformat(played or ladder.season.began)).total_seconds()
    return LadderAge(ladder.name, ladder.season.number, played, seconds)


def _ladder_findings(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    age: LadderAge,
    older_than: float,
    health: LadderHealth,
) -> Iterator[HealthFinding]:
    if age.seconds > older_than:
        since = f"no match since {age.played}" if age.played else f"no match since it began ({ladder.season.began})"
        yield HealthFinding(
            ladder.name,
            HealthProblem.OVERDUE,
            f"{since}, {duration_in_words(age.seconds)} ago; expected one every {duration_in_words(older_than)}",
            _overdue_advice(place, age, health),
        )
    if age.seconds < -CLOCK_SLACK:
        yield HealthFinding(
            ladder.name,
            HealthProblem.CLOCK,
            f"its last match was played at {age.played}, which lies {duration_in_words(-age.seconds)} in the future",
            "set this machine's clock; until then, daily limits are counted wrongly",
        )
    try:
        players = sorted(pairing_players(database, ladder, {}), key=lambda player: player.name)
        check_enough_players(players, ladder.seats)
    except UserError as problem:
        yield HealthFinding(ladder.name, HealthProblem.FIELD, *_split_advice(problem, "submit or enable more versions"))
    damaged: dict[str, str] = {}
    for each in entered_versions(database, ladder.id):
        if each.state is VersionState.ACTIVE:
            fetch_if_whole(place, each.version, damaged)
    for name, why in damaged.items():
        advice = f"restore its files, or: arena ladder disable {place.shown} {name} --why 'files are lost'"
        yield HealthFinding(ladder.name, HealthProblem.FILES, one_line_message(why), advice)
    try:
        season_seed(place, ladder)
    except UserError as problem:
        yield HealthFinding(
            ladder.name, HealthProblem.SEED, one_line_message(str(problem)), "restore secrets.json from a backup"
        )
    try:
        isolation_of(place, ladder.config, ladder.edition.game)
    except UserError as problem:
        yield HealthFinding(
            ladder.name, HealthProblem.ISOLATION, one_line_message(str(problem)), "see what is missing: arena doctor"
        )
    waiting = postponed_matches(database, ladder.season.id)
    if waiting:
        first, count = waiting[0], "1 match" if len(waiting) == 1 else f"{len(waiting)} matches"
        yield HealthFinding(
            ladder.name,
            HealthProblem.MATCHES,
            f"{count} could not be played, such as {first.name}: {one_line_message(first.why)}",
            f"see them with: arena ladder show {place.shown}",
        )


def _split_advice(problem: UserError, otherwise: str) -> tuple[str, str]:
    """Split a message into what was found and, behind its last colon, what to do."""
    found, colon, advice = one_line_message(str(problem)).rpartition(": ")
    return (found, advice) if colon else (advice, otherwise)


def _overdue_advice(place: LadderFolder, age: LadderAge, health: LadderHealth) -> str:
    log = f"see {place.shown / LADDER_LOG}"
    if health.process is not None:
        who = f"process {health.process}" if health.process else "another process"
        return f"{who} holds the lock and plays here; {log}; if it hangs, end it: the next play continues"
    last = health.last_play
    if last is None or last.began <= (age.played or ""):
        return "no play has begun since then: look at what should begin it (systemctl list-timers, crontab -l)"
    if last.ladder.lower() not in ("", age.ladder.lower()):
        return f"the last play here, at {last.began}, was of ladder {last.ladder}; {log}"
    if last.ended is None:
        return f"the play that began at {last.began} was killed before it finished a match; {log}"
    return f"the last play ended at {last.ended}: {last.stopped or f'exit code {last.exit_code}'}; {log}"


def _folder_findings(place: LadderFolder, health: LadderHealth) -> Iterator[HealthFinding]:
    last = health.last_play
    if health.process is None and last is not None:
        if last.ended is None:
            found = f"the play that began at {last.began} has not ended by itself: it was killed"
            yield HealthFinding(last.ladder, HealthProblem.FAILED, found, "play again: it continues where that ended")
        elif last.exit_code in (1, 2):
            found = f"the play that ended at {last.ended} failed: {one_line_message(last.stopped)}"
            yield HealthFinding(last.ladder, HealthProblem.FAILED, found, f"see {place.shown / LADDER_LOG}")
    if health.free < LEAST_FREE:
        found = f"{health.free / 1e6:.0f} MB are free on the disk of {place.shown}"
        yield HealthFinding("", HealthProblem.DISK, found, "make room; nothing is lost, but play stops when it is full")
    if not os.access(place.folder, os.W_OK):
        found = f"{place.shown} cannot be written to by this user"
        yield HealthFinding("", HealthProblem.DISK, found, "mend its permissions, or run this as the user who plays")
