"""Finds the matches of an entrant in a folder, and puts the asks of many matches to a bot again, one match after
another or in several processes.

A trusted bot runs silently inside a process that reads replays, which costs little more than its own thinking. At a
difference, or if the bot ends that process, it is asked again in a process of its own, to find out what happened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import NamedTuple

from arena.analysis.process_map import ProcessEnded, in_parts
from arena.commands.refeed.ask_cache import users_shelf
from arena.commands.refeed.refeed_match import RefeedMatch, RefeedOrder, put_again
from arena.commands.refeed.results import RefeedCounts
from arena.errors import UserError, unknown_entrant
from arena.recorded.feeding import BotFeeder
from arena.recorded.replay_files import read_match, replay_names
from arena.recorded.replay_names import is_run
from arena.runs.models.live_desks import LiveDesks
from arena.sandbox.demand import Demand
from arena.sandbox.probe import Level
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import replays_by_game, run_tables

SINGLE_MATCH = "match"
"""The tournament of a match that was played by itself."""
TASK_MATCHES = 4
"""Matches that a process is given at a time: few, so that Ctrl-C need not wait long for it."""
SINGLE_PROCESS_MATCHES = 20
"""Up to this number of matches, starting processes takes longer than it saves."""


class RefeedParts(NamedTuple):
    """How to put matches to a bot: the ``order``, the isolation of the bot (``demand``), whether a trusted bot runs in
    this process (``here``), the number of processes (``jobs``), and the ``games`` of the matches."""

    order: RefeedOrder
    demand: Demand
    here: bool
    jobs: int
    games: Sequence[str]


def matches_of(folder: Path, entrant: str, found: RefeedCounts) -> tuple[list[RefeedMatch], tuple[str, ...]]:
    """Return an entrant's matches that count and have replays, and the names of the games played there. The matches of
    a run come in the order of its schedule, those of any other folder by file name. Adds the number of matches that
    are left out to ``found``. Raises UserError if there is no such entrant, or none of its matches is left."""
    known: dict[str, None] = {}
    if is_run(folder):
        matches, games = _of_run(folder, entrant, found, known)
    else:
        matches, games = _matches_below(folder, entrant, known)
    if entrant not in known:
        raise unknown_entrant(entrant, known, str(folder))
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


def put_all_again(
    parts: RefeedParts, matches: Sequence[RefeedMatch], live: LiveDesks | None = None
) -> Iterator[RefeedCounts]:
    """Put the asks of all matches to the bot; yields the counts of a few matches at a time, in their order. With
    ``live`` desks for models, one match follows another, in this process."""
    if live is not None:
        yield from _one_by_one(parts, matches, live)
    elif len(matches) <= SINGLE_PROCESS_MATCHES or parts.here:
        yield from _one_by_one(parts, matches)
    elif parts.demand.level is not Level.NONE or parts.order.bot.command:
        if parts.jobs == 1:
            yield from _one_by_one(parts, matches)
        else:
            yield from in_parts(
                _count_isolated, (parts.order, parts.demand), iter(matches), parts.jobs, parts.games, TASK_MATCHES
            )
    else:
        yield from _trusted_counts(parts, matches)


def _one_by_one(
    parts: RefeedParts, matches: Sequence[RefeedMatch], live: LiveDesks | None = None
) -> Iterator[RefeedCounts]:
    with BotFeeder(parts.demand, users_shelf(), parts.here) as again:
        for match in matches:
            yield put_again(again, parts.order, match, live=live)


def _trusted_counts(parts: RefeedParts, matches: Sequence[RefeedMatch]) -> Iterator[RefeedCounts]:
    """Count the matches of a trusted bot in processes that it shares with arena. Chunks with a difference are repeated
    with the bot in a process of its own. If the bot ends a shared process, so are that chunk and all later ones."""
    done, given = 0, (parts.order, parts.demand)
    try:
        for part in in_parts(_some_inside, given, iter(matches), parts.jobs, parts.games, TASK_MATCHES, apart=True):
            if part.found is not None:
                yield from _one_by_one(parts, matches[done : done + TASK_MATCHES])
            else:
                yield part
            done += TASK_MATCHES
    except ProcessEnded:
        yield from _one_by_one(parts, matches[done : done + TASK_MATCHES])
        if done + TASK_MATCHES < len(matches):
            yield from in_parts(
                _count_isolated, given, iter(matches[done + TASK_MATCHES :]), parts.jobs, parts.games, TASK_MATCHES
            )


def _count_isolated(given: tuple[RefeedOrder, Demand], matches: Sequence[RefeedMatch]) -> RefeedCounts:
    """In a process: what comes of some matches, up to one in which the bot is stopped."""
    return _count_matches(given, matches, _process_feeder(given[1], False))


def _some_inside(given: tuple[RefeedOrder, Demand], matches: Sequence[RefeedMatch]) -> RefeedCounts:
    """In a worker process: the same with a trusted bot inside this process, whose output is thrown away."""
    return _count_matches(given, matches, _process_feeder(given[1], True))


def _count_matches(given: tuple[RefeedOrder, Demand], matches: Sequence[RefeedMatch], again: BotFeeder) -> RefeedCounts:
    order, found = given[0], RefeedCounts()
    for match in matches:
        found.merge(put_again(again, order, match), order.keep)
        if found.found is not None:
            break
    return found


@lru_cache
def _process_feeder(demand: Demand, inside: bool) -> BotFeeder:
    """The feeder of this process; it is closed when the process ends."""
    if inside:
        nothing = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        os.close(nothing)
    again = BotFeeder(demand, users_shelf(), inside)
    Finalize(None, again.__exit__, exitpriority=1)
    return again
