"""A match whose bots have processes of their own, and what becomes of what they print."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from arena.match.referee import MatchResult, Referee
from arena.match.spec import MatchSpec
from arena.players.company import Company
from arena.players.host import host_of_this_process
from arena.players.isolated import Isolated
from arena.players.loading import BotRef
from arena.sandbox.policy import Policy

log = logging.getLogger(__name__)

Printed = Callable[[MatchSpec, int, bytes, int], None]
"""Is told what the bot at a seat has printed in a match, and how many bytes more were thrown away."""
BOT_LOGS = "logs/bots"
"""Where bots' logs lie below the run's folder."""
BOT_LOG_LIMIT = 16 << 20
"""Bytes after which an entrant's log takes no more, however many matches there are."""
UNLOCKED = Policy()
"""For programs that are trusted: they need processes, but no lock."""


def play_isolated(
    spec: MatchSpec, bots: tuple[BotRef, ...], policy: Policy, hidden: tuple[str, ...], printed: Printed
) -> MatchResult:
    """Play one match, every bot in a process of its own that the host of this process forks."""
    host = host_of_this_process(policy)
    host.rehearse(spec.game, spec.rules, len(bots))
    company = Company(host, spec.game)
    players = [Isolated(ref, company, hidden) for ref in bots]
    try:
        company.spawn()
        result = Referee(spec, players).play()
        result.usage = [player.usage for player in players]
        return result
    finally:
        for player in players:
            player.close()
        for seat, player in enumerate(players):
            if player.channel.log:
                printed(spec, seat, bytes(player.channel.log), player.channel.log_lost)


def log_printed(spec: MatchSpec, seat: int, text: bytes, lost: int) -> None:
    """Into the log of this process, line by line."""
    for line in text.decode("utf-8", "backslashreplace").splitlines():
        log.info("%s printed: %s", spec.seats[seat].entrant, line[:500])
    if lost:
        log.info("%s printed %s bytes more", spec.seats[seat].entrant, lost)


class BotLogs:
    """Into a file for each entrant, below ``folder``, up to :data:`BOT_LOG_LIMIT`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, spec: MatchSpec, seat: int, text: bytes, lost: int) -> None:
        """Add what was printed, in one write, so that matches do not mix."""
        self.folder.mkdir(parents=True, exist_ok=True)
        more = f"\n[{lost} bytes more]".encode() if lost else b""
        name = spec.seats[seat].entrant
        file = os.open(self.folder / f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            if os.fstat(file).st_size > BOT_LOG_LIMIT:
                return
            head = f"== {name} printed in {spec.id}, seat {seat}:\n".encode()
            os.write(file, head + text.rstrip(b"\n") + more + b"\n")
        finally:
            os.close(file)
