"""Puts the asks of recorded matches to bots, as far away from arena as matches are played."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

import msgspec

from arena.finding.depot import Depot
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServers
from arena.match.apart import UNLOCKED
from arena.match.refeed import AHEAD, AskedAgain, Refeeding
from arena.match.refeeding import player_apart
from arena.players.inprocess import InProcess
from arena.players.player import Player
from arena.players.watch import Watch
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
        with self._player(replay, bot) as player:
            return _count(replay, seat, player, first_only)

    def answers(self, replay: bytes, seat: int, bot: BotRef, seed: str | None = None) -> list[AskedAgain]:
        """Every ask of this seat as the bot answers it now; ``seed`` is its own, if not that of the match. Empty where
        it cannot be asked at all. Raises as :meth:`ask`."""
        with self._player(replay, bot) as player:
            refeeding = Refeeding(replay, seat, player, AHEAD)
            if seed is not None:
                refeeding.of.start = msgspec.structs.replace(refeeding.of.start, seed=seed)
            try:
                return list(refeeding.asks())
            finally:
                player.close()

    @contextlib.contextmanager
    def _player(self, replay: bytes, bot: BotRef) -> Iterator[Player]:
        bot = self.depot.place(bot)
        if self.demand.level is Level.NONE and not bot.command:
            with self.watch.ticking(), contextlib.redirect_stdout(sys.stderr):
                yield InProcess(bot, self.watch)
            return
        server = self.servers.under(resolve(self.demand) or UNLOCKED)
        with player_apart(replay, bot, server) as player:
            yield player


def only_words(asked: AskedAgain) -> bool:
    """Whether the answers differ in nothing but what was said with them."""
    then, now = asked.recorded, asked.answered
    return then.fault is None and now.fault is None and then.move == now.move and then.say != now.say


def _count(replay: bytes, seat: int, player: Player, first_only: bool) -> Hooks:
    """By hook the asks, and those answered with another move. Words alone do not count: they cost a copy nothing."""
    found: dict[str, list[int]] = {}
    try:
        for asked in Refeeding(replay, seat, player, AHEAD).asks():
            sums = found.setdefault(asked.hook, [0, 0])
            sums[0] += 1
            other = not (asked.same or only_words(asked))
            sums[1] += other
            if first_only and other:
                break
    finally:
        player.close()
    return {hook: (asks, other) for hook, (asks, other) in found.items()}
