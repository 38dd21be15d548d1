"""Closes a season: its seed becomes public, and the next season begins with a new one."""

from __future__ import annotations

import msgspec

from arena.errors import UserError
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LADDER_LOCK, LadderFolder
from arena.ladder.database.ladders import Ladder, Season, begin_season, find_ladder, utc_now
from arena.ladder.database.rounds import last_round, season_seed
from arena.ladder.entry.promotion import promote_best
from arena.storage.folder_lock import FolderLock


class SeasonEnd(msgspec.Struct):
    """The season that was closed, with its seed, and the one that has begun."""

    ladder: str
    closed: Season
    began: Season


def close_season(place: LadderFolder, name: str) -> SeasonEnd:
    """Close the season of the ladder of this name: publish its seed, promote its best versions into the ladders whose
    files say so, and begin the next season with a new seed, to which the database commits. Raises UserError while
    somebody plays in the folder, a round is open or nothing was played, and where the season's seed is not there."""
    open_database(place.database, place.shown).close()  # says that there is no ladder before it makes a lock for it
    (place.folder / LADDER_LOCK).parent.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(place.folder / LADDER_LOCK)
    lock.take(place.shown, "playing a ladder")
    try:
        return _end_season(place, name)
    finally:
        lock.release()


def _end_season(place: LadderFolder, name: str) -> SeasonEnd:
    database = open_database(place.database, place.shown, write=True)
    try:
        ladder = find_ladder(database, name)
        last = last_round(database, ladder.season.id)
        _check_closable(place, ladder, last is not None, last is not None and last.closed)
        seed, following = season_seed(place, ladder), ladder.season.number + 1
        with write_transaction(database, durable=True):
            database.execute(
                "UPDATE seasons SET seed = ?, ended = ? WHERE id = ? AND ended IS NULL",
                (seed, utc_now(), ladder.season.id),
            )
            promote_best(database, ladder)
            begin_season(place, database, ladder.id, ladder.name, following)
        closed = find_ladder(database, ladder.name, ladder.season.number).season
        return SeasonEnd(ladder.name, closed, find_ladder(database, ladder.name).season)
    finally:
        database.close()


def _check_closable(place: LadderFolder, ladder: Ladder, begun: bool, closed: bool) -> None:
    season = f"season {ladder.season.number} of {ladder.name}"
    if not begun:
        raise UserError(f"nothing was played in {season}, so it cannot be closed")
    if not closed:
        play = f"arena ladder play {place.shown} --ladder {ladder.name} --rounds 1"
        raise UserError(f"a round of {season} is open: finish it first with: {play}")
