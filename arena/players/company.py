"""The isolated players of one match: spawned together, listened to together, ended together."""

from __future__ import annotations

import select
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from arena.games.contract import Hook
from arena.players.boot import BOT, PROGRAM, boot_for, letter
from arena.players.channel import attend
from arena.players.errands import code_of, end_zygote, zygote_of
from arena.players.fairness import Reading, read
from arena.players.host import Host
from arena.players.zygote import Zygote

if TYPE_CHECKING:
    from arena.players.isolated import Isolated

QUICK = 0.02
"""Seconds that bots are waited for without a look at the clock. Less would be dearer: the system would have to set
a timer of its own for each wait."""


class Pending(msgspec.Struct, gc=False):
    """An ask under way: its id, its hook (None: the start), when its clock began and must stop, how the process stood
    when it was seen to take long, and in the end how many seconds it took."""

    id: int
    hook: Hook | None
    since: float
    until: float
    reading: Reading | None = None
    seconds: float = 0.0


class Company:
    """The isolated players of one match, with the host of their processes."""

    def __init__(self, host: Host, game: str) -> None:
        self.host, self.game = host, game
        self.players: list[Isolated] = []
        self._poll = select.poll()
        self._heard: dict[int, Callable[[], bool]] = {}

    def spawn(self) -> None:
        """Have a process for every player, which waits to be told its match. Raises ArenaError."""
        host, players = self.host, self.players
        asked: dict[int, Zygote] = {}
        try:
            for place, player in enumerate(players):
                zygote = zygote_of(player.ref, host, player.hidden, self.game)
                if zygote is not None:
                    asked[place] = zygote
                    zygote.fork(place, player.channel.theirs)
            for zygote in asked.values():
                born = zygote.born()
                if born and asked.get(born[0]) is zygote:
                    players[born[0]].process = born[1]
                else:
                    end_zygote(zygote, host)
        except BaseException:  # what they answer from now on would be taken for another match's
            for zygote in asked.values():
                end_zygote(zygote, host)
            raise
        there = host.adopt([player.process for player in players if player.process])
        for place in asked:
            if players[place].process not in there:
                players[place].process = 0
                players[place].renew()  # somebody may have been given these pipes of whom nothing is known
        self._spawn([player for player in players if not player.process])
        for player in players:
            player.running = True
            player.channel.hand_over()
            self._heard |= player.channel.watch(self._poll)

    def _spawn(self, players: list[Isolated]) -> None:
        """Have the host fork for those who have no zygote."""
        host, kinds = self.host, [PROGRAM if player.ref.command else BOT for player in players]
        spawned = host.spawn([player.channel.theirs for player in players], kinds)
        for player, process in zip(players, spawned, strict=True):
            player.process = process
            boot = boot_for(player.ref, player.hidden, "play", self.game)
            player.channel.send(letter(boot, code_of(player.ref, host, player.hidden)))

    def hear(self) -> bool:
        """Wait until any bot says or prints something, but not for long: whether one did."""
        ready = self._poll.poll(QUICK * 1000)
        for descriptor, _ in ready:
            if not self._heard[descriptor]():
                self._poll.unregister(descriptor)
        return bool(ready)

    def attend(self) -> None:
        """Listen to all bots until one says or prints something, takes what was left for it, or its time is up."""
        until = inf
        for player in self.players:
            if player.pending and player.running and not player.channel.incoming:
                pending = player.pending[0]
                until = min(until, pending.until)
                pending.reading = pending.reading or read(player.visible)
        attend([player.channel for player in self.players if player.running], until - perf_counter())
        now = perf_counter()
        for player in self.players:
            player.end_if_late(now)

    def end(self, *players: Isolated) -> None:
        """End the processes that still run, and take in what they have printed."""
        running = [player for player in players if player.running]
        if not running:
            return
        for player, ended in zip(running, self.host.end([player.process for player in running]), strict=True):
            player.running, player.ended = False, ended
            player.channel.drain()

    def leave(self) -> None:
        """End everything when all players are closed."""
        if all(player.closed for player in self.players):
            try:
                self.end(*self.players)
            finally:
                for player in self.players:
                    player.channel.close()
