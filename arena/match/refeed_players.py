"""Bots that are asked again what a seat of a recorded match was asked: in this process, or in one of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.isolation.worker.isolated_player import IsolatedPlayer
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.refeeding_loop import SeatRefeed, refeed_seat
from arena.players.inprocess import InProcessPlayer
from arena.players.watch import Watch
from arena.replay.read import read_header, rules_of, split_replay


def refeed_here(
    replay: bytes, seat: int, bot: BotRef, first_only: bool = False, watch: Watch | None = None
) -> SeatRefeed:
    """:func:`arena.match.refeeding_loop.refeed_seat` with a bot that is trusted in this process."""
    watch = watch or Watch()
    with watch.ticking():
        return refeed_seat(replay, seat, InProcessPlayer(bot, watch), first_only)


def refeed_isolated(replay: bytes, seat: int, bot: BotRef, server: ForkServer, first_only: bool = False) -> SeatRefeed:
    """The same with a bot of any language in a process of its own, which the fork server forks."""
    with player_apart(replay, bot, server) as player:
        return refeed_seat(replay, seat, player, first_only)


@contextmanager
def player_apart(replay: bytes, bot: BotRef, server: ForkServer) -> Iterator[IsolatedPlayer]:
    """A bot in a process of its own, which ends with this context, for the match of a replay. Raises ReplayError."""
    header = read_header(split_replay(replay)[0])
    server.warm_up(header.game, rules_of(header), len(header.seats))
    processes = MatchProcesses(ForkServerTransport(server, header.game), [bot])
    try:
        yield IsolatedPlayer(bot, processes, processes.processes[0])
    finally:
        processes.close()
