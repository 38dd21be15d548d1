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
from arena.match.following.branching import Branch, referee_of
from arena.match.following.noting_player import NotingPlayer
from arena.match.following.twin_match import Twin, TwinAskCounts, play_twin
from arena.match.match_spec import MatchSpec
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.cpu_player import CpuTimedPlayer
from arena.match.refereeing.referee import MatchResult, Referee
from arena.match.work import Listener, SeatOutput
from arena.players.phase_order import OneAtATimePlayer
from arena.players.player import Player, Usage
from arena.sandbox.policy import Policy

UNLOCKED_POLICY = Policy()
"""For bots that are trusted: they need processes, but no lock."""


def play_isolated(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    server: ForkServer,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
    muted: tuple[int, ...] = (),
    branch: Branch | None = None,
) -> MatchResult:
    """The result of a match, played with every bot in a process of its own that the fork server forks."""
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
    """The same, with the CPU time of each answer."""
    with _Hall(spec, bots, server, printed) as hall:
        players, transport = hall.make(list(enumerate(bots))), hall.processes.transport
        clocks = [partial(transport.computed, process.pid) for process in hall.processes.processes]
        timed = [CpuTimedPlayer(player, clock, apart=True) for player, clock in zip(players, clocks, strict=True)]
        result = Referee(spec, timed, pulse).play()
    result.usage, result.computed = hall.usage, [each.computed for each in timed]
    return result


def play_isolated_beside(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    others: Mapping[int, Player],
    server: ForkServer,
    printed: Listener,
) -> MatchResult:
    """The same, but the seats of ``others`` are played by these, whatever stands for them among the ``bots``. They may
    take as long as they want: a bot's time runs only while the referee waits for that bot alone."""
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
    """The same, with notes of all that was asked and answered."""
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
    """The same for the twin of a match (:func:`arena.match.following.twin_match.play_twin`)."""
    with _Hall(twin.spec, twin.bots, server, printed) as hall:
        result, told = play_twin(twin, first, seats, hall.make, pulse)
    result.usage = hall.usage
    return result, told


class _Hall:
    """The processes of one match. After it, ``usage`` tells what those of each seat used."""

    def __init__(self, spec: MatchSpec, bots: Sequence[BotRef], server: ForkServer, printed: Listener) -> None:
        server.warm_up(spec.game, spec.rules, len(bots))
        self.bots, self.printed = bots, printed
        self.processes = MatchProcesses(ForkServerTransport(server, spec.game), [])
        self.made: list[tuple[int, IsolatedPlayer]] = []
        self.players: dict[int, IsolatedPlayer] = {}

    def __enter__(self) -> Self:
        return self

    def make(self, wanted: Sequence[tuple[int, BotRef]]) -> list[Player]:
        """Players for bots in these seats."""
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
            if parts := tuple(part._replace(text=known(part.text)) for part in player.printed):
                self.printed(SeatOutput(seat, parts, player.process.pipe.log_lost))

    @property
    def usage(self) -> list[Usage]:
        """By seat."""
        every = range(len(self.bots))
        return [self.players[seat].usage if seat in self.players else Usage(0, 0, 0) for seat in every]
