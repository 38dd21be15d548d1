"""Puts the recorded asks of each bot in a run to all its bots, and finds those that answer alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.collusion.clones import CloneAskCounts, CloneDistance, clone_distances
from arena.errors import Mismatch, ReplayError, UserError
from arena.match.walk.timeline import Timeline
from arena.recorded.feeding import BotFeeder
from arena.recorded.replay_names import kept_replay
from arena.runs.planning.isolation_level import NO_WORD, BotPermissions, Isolation
from arena.runs.planning.open_folder import open_played
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

CLONE_MATCHES = 4
"""Number of matches of each bot whose asks are put to all bots, by default."""


@dataclass(frozen=True)
class CloneResult:
    """The distances between the answers of bots: ``pairs`` of bots, the nearest first, and ``itself``, each bot with
    itself, which shows how well it repeats itself. They come from the asks of ``matches`` matches of each bot."""

    pairs: list[CloneDistance]
    itself: list[CloneDistance]
    matches: int


def find_clones(
    folder: Path,
    names: tuple[str, ...] = (),
    matches: int = CLONE_MATCHES,
    tell: Callable[[int, int], object] = lambda done, all: None,
    word: BotPermissions = NO_WORD,
    begin: Callable[[Isolation], object] = lambda isolation: None,
) -> CloneResult:
    """Put the asks of ``matches`` matches of each bot to all bots: those of the entrants ``names``, or of all entrants.
    The matches are spread over the run, and are the same in each call. ``tell`` is called with how many times a bot has
    been asked again about a match, and how many times in all; ``begin`` and ``word`` are as for
    :func:`arena.commands.collusion.pair_proof.prove_pair`.

    Raises UserError for an unknown entrant, a run whose bots are not here, or one without replays."""
    plan, store = open_played(folder, word)
    plan.check_entrants(names)
    wanted = [name for name in plan.names if not names or name in names]
    if len(wanted) < 2:
        raise UserError(f"expected two entrants or more, got {', '.join(wanted)}")
    chosen = _choose_matches(store, set(wanted), matches)
    if not chosen:
        raise UserError(f"{folder} has no replays, and bots are re-asked from replays; play with `replays: all`")
    asked: list[CloneAskCounts] = []
    bots = dict(zip(plan.names, plan.bots, strict=True))
    begin(plan.isolation)
    with BotFeeder(plan.isolation.demand) as again:
        for name, record in chosen:
            timeline = Timeline(kept_replay(store.replay, folder, record))
            for other in wanted:
                try:
                    hooks = again.ask(timeline, _seat_number(record, name), bots[other])
                except (ReplayError, Mismatch) as problem:
                    raise type(problem)(f"{folder / record.replay}: {problem}") from None
                asked.append(CloneAskCounts(name, other, record.block, hooks))
                tell(len(asked), len(chosen) * len(wanted))
    found = clone_distances(asked)
    return CloneResult(
        [each for each in found if each.one != each.two], [each for each in found if each.one == each.two], matches
    )


def _seat_number(record: MatchRecord, name: str) -> int:
    return next(number for number, seat in enumerate(record.seats) if seat.entrant == name)


def _choose_matches(store: FolderStore, wanted: set[str], matches: int) -> list[tuple[str, MatchRecord]]:
    """For each wanted entrant, ``matches`` matches with replays, chosen by the hash of their ids."""
    found: dict[str, list[tuple[bytes, MatchRecord]]] = {}
    for record in store.records():
        if record.replay and not record.void:
            rank = sha256(record.id.encode()).digest()
            for seat in record.seats:
                if seat.entrant in wanted:
                    held = found.setdefault(seat.entrant, [])
                    held.append((rank, record))
                    if len(held) > 4 * matches:
                        held[:] = sorted(held, key=lambda each: each[0])[:matches]
    return [
        (name, record)
        for name in sorted(found)
        for _, record in sorted(found[name], key=lambda each: each[0])[:matches]
    ]
