"""The details of a match of a ladder, with all evidence: why it was played, who sat there, with which files, its
result, where its replay is."""

from __future__ import annotations

import shlex
import sqlite3
from enum import StrEnum
from pathlib import Path

import msgspec

from arena.errors import ReplayError
from arena.games import load_game
from arena.ladder.database.bot_versions.versions import entered_versions
from arena.ladder.database.find_match import LocatedMatch
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.play_log import match_played_with
from arena.ladder.database.publishing import replays_public, seeds_public
from arena.ladder.database.rounds import schedule_of
from arena.storage.packs.replay_packs import KeptReplays, replay_path


class PlayState(StrEnum):
    """Whether a match is played."""

    FINISHED = "finished"
    WAITING = "waiting"
    LEFT_OUT = "left out"


class SeatDetail(msgspec.Struct):
    """The occupant of a seat: the version, its ``author``, the digest of the bot as in replays (``bot_sha256``), that
    of its stored ``files``; and its result, None before the match is finished, with whether it was ``exempt`` from
    isolation, being a bundled bot."""

    seat: int
    version: str
    author: str
    bot_sha256: str
    files: str
    money: int | None = None
    rank: int | None = None
    ended: str | None = None
    faults: dict[str, int] = {}
    exempt: bool | None = None


class ReplayDetail(msgspec.Struct):
    """Where a replay is: its name for commands (``file``), the ``pack`` that holds it ("": none does), the ``offset``
    in that pack, and its compressed length in ``bytes``."""

    file: str
    pack: str = ""
    offset: int = 0
    bytes: int = 0


class MatchDetail(msgspec.Struct):
    """A match. ``why`` says why its table was chosen; ``state`` whether it is played, with the reason (``why_not``) if
    it is not. ``arena`` and ``isolation`` say by which version, and at which level, it was played. ``seed`` is known
    once it is finished, ``sha256`` is the replay's closing hash; ``public`` says whether they are public. ``replay`` is
    None where none was kept. ``commands`` are command lines, by what they show."""

    number: int
    name: str
    ladder: str
    season: int
    round: int
    closed: bool
    block: int
    why: str
    state: PlayState
    why_not: str
    seats: list[SeatDetail]
    unit: str
    played: str = ""
    host: str = ""
    arena: str = ""
    isolation: str = ""
    seconds: float = 0.0
    termination: str = ""
    asks: int = 0
    void: bool = False
    seed: str = ""
    sha256: str = ""
    public: bool = False
    replay_public: bool = False
    replay: ReplayDetail | None = None
    problem: str = ""
    commands: dict[str, str] = {}


def match_shown(place: LadderFolder, database: sqlite3.Connection, match: LocatedMatch) -> MatchDetail:
    """Return all details of a match."""
    (why,) = database.execute(
        "SELECT why FROM tables WHERE round = ? AND block = ?", (match.round.id, _block(match))
    ).fetchone()
    row = database.execute("SELECT final, why FROM left_out WHERE match = ?", (match.number,)).fetchone()
    state = PlayState.WAITING if row is None or not row[0] else PlayState.LEFT_OUT
    state = state if match.finished is None else PlayState.FINISHED
    found = MatchDetail(
        number=match.number,
        name=match.name,
        ladder=match.ladder.name,
        season=match.ladder.season.number,
        round=match.round.number,
        closed=match.round.closed,
        block=_block(match),
        why=why,
        state=state,
        why_not=row[1] if row is not None and state is not PlayState.FINISHED else "",
        seats=_seat_details(database, match),
        unit=load_game(match.ladder.edition.game).unit,
    )
    return _with_result(place, database, match, found)


def replay_name(place: LadderFolder, match: LocatedMatch) -> Path:
    """Return the path by which commands name the replay of a match."""
    return season_folder(place, match) / replay_path(match.name)


def season_folder(place: LadderFolder, match: LocatedMatch) -> Path:
    """The folder of the match's season, as people name it."""
    name, number = match.ladder.name, match.ladder.season.number
    return place.shown / place.season(name, number).relative_to(place.folder)


def _block(match: LocatedMatch) -> int:
    fixture = schedule_of(match.ladder, match.round)[match.number - match.round.first_match]
    return fixture.block


def _seat_details(database: sqlite3.Connection, match: LocatedMatch) -> list[SeatDetail]:
    """Return the occupants of the seats, from the round's tables."""
    fixture = schedule_of(match.ladder, match.round)[match.number - match.round.first_match]
    versions = {each.version.id: each.version for each in entered_versions(database, match.ladder.id)}
    sat = [versions[match.round.version_rows[place]] for place in fixture.entrants]
    return [
        SeatDetail(seat, each.name, each.author, each.reference.sha256, each.files) for seat, each in enumerate(sat)
    ]


def _with_result(
    place: LadderFolder, database: sqlite3.Connection, match: LocatedMatch, found: MatchDetail
) -> MatchDetail:
    """Return the details with the result of the match added."""
    if match.finished is None:
        return found
    number, host, played, record = match.finished
    for shown, seat in zip(found.seats, record.seats, strict=False):
        shown.money, shown.rank, shown.ended = seat.money, seat.rank, seat.ended
        shown.faults = {kind.value: count for kind, count in seat.faults.items()}
    if (conditions := match_played_with(database, number)) is not None:
        found.arena, found.isolation = conditions.arena, conditions.isolation
        for shown in found.seats:
            shown.exempt = shown.version in conditions.exempt
    found.host, found.played, found.termination = host, played, record.termination
    (found.seconds,) = database.execute("SELECT seconds FROM matches WHERE id = ?", (number,)).fetchone()
    found.asks, found.void, found.seed, found.sha256 = record.asks, record.void, record.seed, record.sha256
    config, season = match.ladder.config, match.ladder.season
    found.public = match.round.closed and seeds_public(config, season)
    found.replay_public = match.round.closed and replays_public(config, season)
    folder, where = season_folder(place, match), shlex.quote(str(place.shown))
    if record.replay:
        found.replay = _replay_detail(place, match, found)
        found.commands = {
            "told": f"arena show {shlex.quote(str(folder))} {match.name}",
            "verify": f"arena verify {shlex.quote(found.replay.file)}",
        }
    found.commands["rerun"] = f"arena ladder rerun {where} {number}"
    return found


def _replay_detail(place: LadderFolder, match: LocatedMatch, found: MatchDetail) -> ReplayDetail:
    """Return where the replay is; if it is missing, set the ``problem``."""
    name = str(replay_name(place, match))
    season = match.ladder.season.number
    try:
        where = KeptReplays(place.season(match.ladder.name, season)).locate_replay(match.name)
    except ReplayError as problem:
        found.problem = str(problem)
        return ReplayDetail(name)
    if where is None:
        found.problem = f"its replay is missing: restore a backup, and see: arena ladder check {place.shown}"
        return ReplayDetail(name)
    path, entry = where
    return ReplayDetail(name, str(place.shown / path.relative_to(place.folder)), entry.offset, entry.length)
