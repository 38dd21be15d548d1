"""A match whose bots have processes of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Self

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.isolation.worker.isolated_player import IsolatedPlayer
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.following.branch import Branch
from arena.match.following.branching import referee_of
from arena.match.following.noting_player import NotingPlayer
from arena.match.following.twin import Twin, TwinAskCounts
from arena.match.following.twin_match import play_twin
from arena.match.match_spec import MatchSpec
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.cpu_player import CpuTimedPlayer
from arena.match.refereeing.referee import MatchResult, Referee
from arena.match.work import Listener, SeatOutput
from arena.players.phase_order import OneAtATimePlayer
from arena.players.player import Player, Usage
from arena.sandbox.policy import Policy

UNLOCKED_POLICY = Policy()
"""The policy for trusted bots that need processes of their own, but no sandbox."""


def play_isolated(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    server: ForkServer,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
    muted: tuple[int, ...] = (),
    branch: Branch | None = None,
) -> MatchResult:
    """Play a match with every bot in a process of its own, forked by the fork server. Returns its result."""
    with _Hall(spec, bots, server, printed) as hall:
        result = referee_of(spec, hall.make(list(enumerate(bots))), pulse, muted, branch).play()
    result.usage = hall.usage
    return result


def play_isolated_timed(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    server: ForkServer,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
) -> MatchResult:
    """Like :func:`play_isolated`, with the CPU time of each answer."""
    with _Hall(spec, bots, server, printed) as hall:
        players, transport = hall.make(list(enumerate(bots))), hall.processes.transport
        clocks = [partial(transport.cpu_seconds, process.pid) for process in hall.processes.processes]
        timed = [CpuTimedPlayer(player, clock, apart=True) for player, clock in zip(players, clocks, strict=True)]
        result = Referee(spec, timed, pulse).play()
    result.usage, result.computed = hall.usage, [each.cpu_time for each in timed]
    return result


def play_isolated_beside(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    others: Mapping[int, Player],
    server: ForkServer,
    printed: Listener,
) -> MatchResult:
    """Like :func:`play_isolated`, but the seats in ``others`` are played by these players; the ``bots`` of these seats
    are ignored. These players may take as long as they want: a bot's time runs only while the referee waits for that
    bot alone."""
    with _Hall(spec, bots, server, printed) as hall:
        made = iter(hall.make([(seat, bot) for seat, bot in enumerate(bots) if seat not in others]))
        seats = [others[seat] if seat in others else OneAtATimePlayer(next(made)) for seat in range(len(bots))]
        result = Referee(spec, seats).play()
    result.usage = hall.usage
    return result


def play_isolated_noting(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    server: ForkServer,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
) -> tuple[MatchResult, list[NotingPlayer]]:
    """Like :func:`play_isolated`, with notes of all asks and answers."""
    with _Hall(spec, bots, server, printed) as hall:
        noting = [NotingPlayer(player) for player in hall.make(list(enumerate(bots)))]
        result = Referee(spec, noting, pulse).play()
    result.usage = hall.usage
    return result, noting


def play_twin_isolated(
    twin: Twin,
    first: MatchResult,
    seats: Sequence[NotingPlayer],
    server: ForkServer,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
) -> tuple[MatchResult, TwinAskCounts]:
    """Play the twin of a match like :func:`arena.match.following.twin_match.play_twin`, with bots in processes of their
    own."""
    with _Hall(twin.spec, twin.bots, server, printed) as hall:
        result, told = play_twin(twin, first, seats, hall.make, pulse)
    result.usage = hall.usage
    return result, told


class _Hall:
    """The bot processes of one match. After the match, ``usage`` has the resources used by each seat's processes."""

    def __init__(self, spec: MatchSpec, bots: Sequence[BotRef], server: ForkServer, printed: Listener) -> None:
        server.warm_up(spec.game, spec.rules, len(bots))
        self.bots, self.printed = bots, printed
        self.processes = MatchProcesses(ForkServerTransport(server, spec.game), [])
        self.made: list[tuple[int, IsolatedPlayer]] = []
        self.players: dict[int, IsolatedPlayer] = {}

    def __enter__(self) -> Self:
        return self

    def make(self, wanted: Sequence[tuple[int, BotRef]]) -> list[Player]:
        """Create players for bots in these seats."""
        added = self.processes.add([bot for _, bot in wanted])
        made = [
            (seat, IsolatedPlayer(bot, self.processes, each)) for (seat, bot), each in zip(wanted, added, strict=True)
        ]
        self.made += made
        self.players.update(made)
        return [player for _, player in made]

    def __exit__(self, *raised: object) -> None:
        self.processes.close()
        for seat, player in self.made:
            known = self.bots[seat].as_its_author_knows
            if parts := tuple(part._replace(text=known(part.text)) for part in player.printed_texts):
                self.printed(SeatOutput(seat, parts, player.process.pipe.log_lost))

    @property
    def usage(self) -> list[Usage]:
        """The resources used, by seat."""
        every = range(len(self.bots))
        return [self.players[seat].usage if seat in self.players else Usage(0, 0, 0) for seat in every]
