"""Bots of a run that are asked again what others were asked: which of them answer alike."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.app.folder import FolderStore
from arena.app.naming import kept_replay
from arena.app.opening import open_run
from arena.app.plan import Plan
from arena.collusion.clones import Asked, Distance, distances
from arena.errors import Mismatch, ReplayError, UserError
from arena.finding.depot import Depot
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServers
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.player import IsolatedPlayer
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.apart import UNLOCKED
from arena.match.refeed import AskedAgain, Refeeding
from arena.players.inprocess import InProcess
from arena.players.player import Player
from arena.players.watch import Watch
from arena.replay.read import read_header, rules_of, split
from arena.sandbox.demand import resolve
from arena.sandbox.probe import Level
from arena.tournament.records import MatchRecord

MATCHES = 4
"""Matches of each bot whose asks are put to all bots, unless told otherwise."""


@dataclass(frozen=True)
class Clones:
    """The ``pairs`` of bots, the nearest first, and under ``itself`` each bot with itself, which is how often it
    repeats itself; from the asks of so many ``matches`` of each bot."""

    pairs: list[Distance]
    itself: list[Distance]
    matches: int


def find_clones(
    folder: Path,
    names: tuple[str, ...] = (),
    matches: int = MATCHES,
    tell: Callable[[int, int], object] = lambda done, all: None,
) -> Clones:
    """Put the asks of so many matches of each bot to all bots: those of these entrants, or of all. The matches are
    spread over the run and do not change from one call to the next. ``tell`` is called with how many bots have been
    asked again about a match, and of how many.

    Raises UserError for an unknown entrant, a run whose bots are not here, or without replays."""
    plan, store = open_run(folder)
    plan.check_entrants(names)
    wanted = [name for name in plan.names if not names or name in names]
    if len(wanted) < 2:
        raise UserError(f"expected two entrants or more, got {', '.join(wanted)}")
    chosen = _choose(store, set(wanted), matches)
    if not chosen:
        raise UserError(f"{folder} has no replays, from which bots are asked again; play with `replays: all`")
    asked: list[Asked] = []
    with _Again(plan) as again:
        for name, record in chosen:
            replay = kept_replay(store.replay, folder, record)
            for other in wanted:
                try:
                    hooks = again.ask(replay, _seat(record, name), other)
                except (ReplayError, Mismatch) as problem:
                    raise type(problem)(f"{folder / record.replay}: {problem}") from None
                asked.append(Asked(name, other, record.block, hooks))
                tell(len(asked), len(chosen) * len(wanted))
    found = distances(asked)
    return Clones(
        [each for each in found if each.one != each.two], [each for each in found if each.one == each.two], matches
    )


def _seat(record: MatchRecord, name: str) -> int:
    return next(number for number, seat in enumerate(record.seats) if seat.entrant == name)


def _choose(store: FolderStore, wanted: set[str], matches: int) -> list[tuple[str, MatchRecord]]:
    """Of each entrant so many matches with replays, by the hash of their ids."""
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


class _Again:
    """Bots of a plan that are asked again, under its isolation."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.depot, self.servers, self.watch = plan, Depot(), ForkServers(), Watch()
        self.bots = dict(zip(plan.names, plan.bots, strict=True))
        self.demand = plan.isolation.demand

    def __enter__(self) -> _Again:
        return self

    def __exit__(self, *raised: object) -> None:
        self.servers.close()
        self.depot.close()

    def ask(self, replay: bytes, seat: int, name: str) -> dict[str, tuple[int, int]]:
        """By hook how many asks of this seat were put to the bot, and how many it answered otherwise."""
        bot = self.depot.place(self.bots[name])
        if self.demand.level is Level.NONE and not bot.command:
            with self.watch.ticking(), contextlib.redirect_stdout(sys.stderr):
                return _count(replay, seat, InProcess(bot, self.watch))
        return self._ask_apart(replay, seat, bot)

    def _ask_apart(self, replay: bytes, seat: int, bot: BotRef) -> dict[str, tuple[int, int]]:
        header = read_header(split(replay)[0])
        server = self.servers.under(resolve(self.demand) or UNLOCKED)
        server.warm_up(header.game, rules_of(header), len(header.seats))
        processes = MatchProcesses(ForkServerTransport(server, header.game), [bot])
        try:
            return _count(replay, seat, IsolatedPlayer(bot, processes, processes.processes[0]))
        finally:
            processes.close()


def _only_words(asked: AskedAgain) -> bool:
    """Whether the answers differ in nothing but what was said with them."""
    then, now = asked.recorded, asked.answered
    return then.fault is None and now.fault is None and then.move == now.move and then.say != now.say


def _count(replay: bytes, seat: int, player: Player) -> dict[str, tuple[int, int]]:
    """By hook the asks, and those answered with another move. Words alone do not count: they cost a copy nothing."""
    found: dict[str, list[int]] = {}
    try:
        for asked in Refeeding(replay, seat, player).asks():
            sums = found.setdefault(asked.hook, [0, 0])
            sums[0] += 1
            sums[1] += not (asked.same or _only_words(asked))
    finally:
        player.close()
    return {hook: (asks, other) for hook, (asks, other) in found.items()}
