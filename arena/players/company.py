"""The isolated players of one match: spawned together, listened to together, ended together."""

from __future__ import annotations

import select
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from arena.games.contract import Hook
from arena.players.channel import attend
from arena.players.fairness import Reading, read
from arena.players.host import Host

if TYPE_CHECKING:
    from arena.players.isolated import Isolated

QUICK = 0.02
"""Seconds that bots are waited for without a look at the clock. Less would be dearer: the system would have to set
a timer of its own for each wait."""


class Pending(msgspec.Struct, gc=False):
    """An ask under way: its id, its hook (None: the start), when its clock began and must stop, and how the process
    stood when it was seen to take long."""

    id: int
    hook: Hook | None
    since: float
    until: float
    reading: Reading | None = None


class Company:
    """The isolated players of one match, with the host of their processes."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.players: list[Isolated] = []
        self._poll = select.poll()
        self._heard: dict[int, Callable[[], bool]] = {}

    def spawn(self) -> None:
        """Have a process forked for every player, which waits to be told its bot. Raises ArenaError."""
        programs = [bool(player.ref.command) for player in self.players]
        processes = self.host.spawn([player.channel.theirs for player in self.players], programs)
        for player, process in zip(self.players, processes, strict=True):
            player.process, player.running = process, True
            player.channel.hand_over()
            self._heard |= player.channel.watch(self._poll)

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
