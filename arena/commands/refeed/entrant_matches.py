"""The matches of one entrant in a folder, whatever its seat: those of a run, or of replays that lie there."""

from __future__ import annotations

from pathlib import Path

from arena.commands.refeed.refeed_match import RefeedMatch
from arena.commands.refeed.results import RefeedCounts
from arena.errors import UserError, nearest_hint
from arena.recorded.replay_files import read_match, replay_names
from arena.recorded.replay_names import is_run
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import replays_by_game, run_tables

SINGLE_MATCH = "match"
"""The tournament of a match that was played by itself."""


def matches_of(folder: Path, entrant: str, found: RefeedCounts) -> tuple[list[RefeedMatch], tuple[str, ...]]:
    """The matches of an entrant that count and have replays, in the schedule's order, or by file name if the folder is
    not a run; and the games played there. Matches left out are counted in ``found``. Raises UserError if no match is
    left."""
    known: dict[str, None] = {}
    if is_run(folder):
        matches, games = _of_run(folder, entrant, found, known)
    else:
        matches, games = _matches_below(folder, entrant, known)
    if entrant not in known:
        raise UserError(
            f"no entrant {entrant!r} in {folder}{nearest_hint(entrant, known)}; there are {', '.join(known)}"
        )
    if not matches:
        raise UserError(f"{folder} has no replay of a match of {entrant} that counts; play with `replays: all`")
    return matches, games


def _of_run(
    folder: Path, entrant: str, found: RefeedCounts, known: dict[str, None]
) -> tuple[list[RefeedMatch], tuple[str, ...]]:
    FolderStore(folder).facts()
    number, kept = replays_by_game(folder)
    if not number:
        raise UserError(f"{folder} has no finished matches")
    run_tables(kept)  # refuses games that must not be imported
    matches = []
    for record in records_in_order(folder):
        names = [seat.entrant for seat in record.seats]
        known.update(dict.fromkeys(names))
        if entrant not in names:
            continue
        found.voids += record.void
        found.without_replay += not (record.void or record.replay)
        if record.replay and not record.void:
            matches.append(RefeedMatch(folder / record.replay, names.index(entrant), str(record.block)))
    return matches, tuple(kept)


def _matches_below(folder: Path, entrant: str, known: dict[str, None]) -> tuple[list[RefeedMatch], tuple[str, ...]]:
    """The entrant's matches among the replay files below a folder that is not a run. Matches of a tournament keep their
    blocks; any other match is a block of its own. Adds all entrants to ``known``."""
    matches, games = [], dict[str, None]()
    for path in replay_names([folder]):
        header, _ = read_match(path)
        names = [seat.entrant for seat in header.seats]
        known.update(dict.fromkeys(names))
        if entrant in names:
            games[header.game] = None
            block = str(path) if header.tournament == SINGLE_MATCH else f"{header.tournament} {header.block}"
            matches.append(RefeedMatch(path, names.index(entrant), block))
    return matches, tuple(games)
