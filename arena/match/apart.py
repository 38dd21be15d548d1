"""A match whose bots have processes of their own."""

from __future__ import annotations

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.player import IsolatedPlayer
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.pulse import Pulse
from arena.match.referee import MatchResult, Referee
from arena.match.spec import MatchSpec
from arena.match.work import Listener, Printed
from arena.sandbox.policy import Policy

UNLOCKED = Policy()
"""For bots that are trusted: they need processes, but no lock."""


def play_isolated(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    server: ForkServer,
    printed: Listener,
    pulse: Pulse | None = None,
    muted: tuple[int, ...] = (),
) -> MatchResult:
    """The result of a match, played with every bot in a process of its own that the fork server forks."""
    server.warm_up(spec.game, spec.rules, len(bots))
    processes = MatchProcesses(ForkServerTransport(server, spec.game), bots)
    players = [IsolatedPlayer(ref, processes, each) for ref, each in zip(bots, processes.processes, strict=True)]
    try:
        result = Referee(spec, players, pulse, muted).play()
    finally:
        processes.close()
        for seat, each in enumerate(processes.processes):
            if each.pipe.log:
                printed(Printed(seat, bots[seat].as_its_author_knows(bytes(each.pipe.log)), each.pipe.log_lost))
    result.usage = [player.usage for player in players]
    return result
