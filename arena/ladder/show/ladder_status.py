"""How a folder of ladders stands, seen from outside while it is played: nothing is written, and nobody waits for it."""

from __future__ import annotations

from contextlib import closing

import msgspec

from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LADDER_LOCK, LADDER_LOG, LadderFolder
from arena.ladder.database.ladders import find_ladder, ladder_names
from arena.ladder.show.ladder_detail import OpenRound, PostponedMatch, ladder_shown, progress_told
from arena.runs.run_status import unusual_lines
from arena.storage.folder_lock import FolderLock


class LadderState(msgspec.Struct):
    """A ladder in its last ``season``: closed ``rounds``, finished ``matches``, the round that is open, and the matches
    that could not be played and wait to be tried again."""

    name: str
    season: int
    rounds: int
    matches: int
    open: OpenRound | None
    waits: list[PostponedMatch]


class LadderStatus(msgspec.Struct):
    """A folder of ladders: the ``process`` that plays there (0: unknown; None: none does) on this ``host`` with so many
    ``jobs``; matches a second of the round that it plays (``rate``) and about how many seconds are ``left`` of it, both
    None where nothing is known; ``why`` the last play was stopped early, if not by somebody; the last lines of its
    ``log`` that tell of something unusual; and its ``ladders``."""

    folder: str
    process: int | None
    ladders: list[LadderState]
    host: str = ""
    jobs: int | None = None
    rate: float | None = None
    left: float | None = None
    why: str = ""
    log: list[str] = []


def ladder_status(place: LadderFolder) -> LadderStatus:
    """How the folder stands now. Raises UserError where it holds no ladder."""
    process = FolderLock(place.folder / LADDER_LOCK).holder()
    with closing(open_database(place.database, place.shown)) as database:
        database.execute("BEGIN")  # all that is read is of one moment
        ladders = []
        for name in ladder_names(database):
            shown = ladder_shown(place, database, find_ladder(database, name))
            season = shown.season
            ladders.append(LadderState(name, season.number, season.rounds, season.matches, shown.open, shown.waits))
    found = LadderStatus(str(place.shown), process, ladders, log=unusual_lines(place.folder / LADDER_LOG))
    far = progress_told(place)
    if far is None:
        return found
    found.why = far.why
    if process is not None:
        found.host, found.jobs = far.host, far.jobs
        if far.finished > far.kept and far.seconds:
            found.rate = (far.finished - far.kept) / far.seconds
            found.left = (far.total - far.finished) / found.rate
    return found
