"""The matches of one entrant in a folder, whatever its seat: those of a run, or of replays that lie there."""

from __future__ import annotations

from pathlib import Path

from arena.app.export import look_through
from arena.app.folder import FolderStore
from arena.app.inorder import records_in_order
from arena.app.naming import is_run, named, read_named
from arena.app.put_again import Match
from arena.app.refed import Counted
from arena.app.replays import replay_names
from arena.app.tables import tables_of
from arena.errors import ReplayError, UserError, nearest
from arena.replay.lines import Header
from arena.replay.read import game_of, read_header, split

ALONE = "match"
"""The tournament of a match that was played by itself."""


def read_match(path: Path, content: bytes | None = None) -> tuple[Header, bytes]:
    """The header and all bytes of a replay, of a game that is here; its ``content`` may have been read already. Raises
    ReplayError, naming it."""
    content = read_named(path) if content is None else content
    try:
        header = read_header(split(content)[0])
        game_of(header)
    except ReplayError as problem:
        raise named(path, problem) from None
    return header, content


def matches_of(folder: Path, entrant: str, found: Counted) -> tuple[list[Match], tuple[str, ...]]:
    """The matches of an entrant that count and have replays, in the schedule's order, or by name where there is no run;
    and the games that are played there. Those left out are counted in ``found``. Raises UserError where there are
    none."""
    known: dict[str, None] = {}
    if is_run(folder):
        matches, games = _of_run(folder, entrant, found, known)
    else:
        matches, games = _below(folder, entrant, known)
    if entrant not in known:
        raise UserError(f"no entrant {entrant!r} in {folder}{nearest(entrant, known)}; there are {', '.join(known)}")
    if not matches:
        raise UserError(f"{folder} has no replay of a match of {entrant} that counts; play with `replays: all`")
    return matches, games


def _of_run(folder: Path, entrant: str, found: Counted, known: dict[str, None]) -> tuple[list[Match], tuple[str, ...]]:
    FolderStore(folder).facts()
    number, kept = look_through(folder)
    if not number:
        raise UserError(f"{folder} has no finished matches")
    tables_of(kept)  # refuses games that must not be imported
    matches = []
    for record in records_in_order(folder):
        names = [seat.entrant for seat in record.seats]
        known.update(dict.fromkeys(names))
        if entrant not in names:
            continue
        found.voids += record.void
        found.without_replay += not (record.void or record.replay)
        if record.replay and not record.void:
            matches.append(Match(folder / record.replay, names.index(entrant), str(record.block)))
    return matches, tuple(kept)


def _below(folder: Path, entrant: str, known: dict[str, None]) -> tuple[list[Match], tuple[str, ...]]:
    """Those of replays below a folder that is none of a run. Matches of a tournament are of its blocks, each other is a
    block of its own."""
    matches, games = [], dict[str, None]()
    for path in replay_names([folder]):
        header, _ = read_match(path)
        names = [seat.entrant for seat in header.seats]
        known.update(dict.fromkeys(names))
        if entrant in names:
            games[header.game] = None
            block = str(path) if header.tournament == ALONE else f"{header.tournament} {header.block}"
            matches.append(Match(path, names.index(entrant), block))
    return matches, tuple(games)
