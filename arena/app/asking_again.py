"""Puts the asks of recorded matches to bots, as far away from arena as matches are played."""

from __future__ import annotations

import contextlib
import sys

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
from arena.sandbox.demand import Demand, resolve
from arena.sandbox.probe import Level

Hooks = dict[str, tuple[int, int]]
"""By hook how many asks were put, and how many were answered otherwise than they are recorded."""


class AskingAgain:
    """Bots that are asked again, isolated as the ``demand`` says, inside of ``with``."""

    def __init__(self, demand: Demand) -> None:
        self.demand = demand
        self.depot, self.servers, self.watch = Depot(), ForkServers(), Watch()

    def __enter__(self) -> AskingAgain:
        return self

    def __exit__(self, *raised: object) -> None:
        self.servers.close()
        self.depot.close()

    def ask(self, replay: bytes, seat: int, bot: BotRef, first_only: bool = False) -> Hooks:
        """What comes of putting the asks of this seat to the bot; with ``first_only`` those up to the first that is
        answered otherwise. Raises Mismatch and ReplayError as :func:`arena.match.refeed.refeed`."""
        bot = self.depot.place(bot)
        if self.demand.level is Level.NONE and not bot.command:
            with self.watch.ticking(), contextlib.redirect_stdout(sys.stderr):
                return _count(replay, seat, InProcess(bot, self.watch), first_only)
        return self._ask_apart(replay, seat, bot, first_only)

    def _ask_apart(self, replay: bytes, seat: int, bot: BotRef, first_only: bool) -> Hooks:
        header = read_header(split(replay)[0])
        server = self.servers.under(resolve(self.demand) or UNLOCKED)
        server.warm_up(header.game, rules_of(header), len(header.seats))
        processes = MatchProcesses(ForkServerTransport(server, header.game), [bot])
        try:
            return _count(replay, seat, IsolatedPlayer(bot, processes, processes.processes[0]), first_only)
        finally:
            processes.close()


def only_words(asked: AskedAgain) -> bool:
    """Whether the answers differ in nothing but what was said with them."""
    then, now = asked.recorded, asked.answered
    return then.fault is None and now.fault is None and then.move == now.move and then.say != now.say


def _count(replay: bytes, seat: int, player: Player, first_only: bool) -> Hooks:
    """By hook the asks, and those answered with another move. Words alone do not count: they cost a copy nothing."""
    found: dict[str, list[int]] = {}
    try:
        for asked in Refeeding(replay, seat, player).asks():
            sums = found.setdefault(asked.hook, [0, 0])
            sums[0] += 1
            other = not (asked.same or only_words(asked))
            sums[1] += other
            if first_only and other:
                break
    finally:
        player.close()
    return {hook: (asks, other) for hook, (asks, other) in found.items()}
