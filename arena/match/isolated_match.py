"""A match whose bots have processes of their own, except those that are exempt from isolation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, Self

from arena.finding.exempt_bots import is_exempt
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer, ForkServers
from arena.isolation.worker.isolated_player import IsolatedPlayer
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.exempt_player import ExemptPlayer
from arena.match.following.branch import Branch
from arena.match.following.branching import referee_of
from arena.match.following.noting_player import NotingPlayer
from arena.match.following.twin import Twin, TwinAskCounts
from arena.match.following.twin_match import play_twin
from arena.match.match_spec import MatchSpec
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.cpu_player import CpuTimedPlayer
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.match.work import Listener, SeatOutput
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.phase_order import OneAtATimePlayer
from arena.players.player import Player, Usage
from arena.players.watch import Watch
from arena.sandbox.demand import Demand, resolve_demand
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import Level
from arena.system.platform_support import can_fork

UNLOCKED_POLICY = SandboxPolicy()
"""The policy for trusted bots that need processes of their own, but no sandbox."""
ISOLATE_ALL = Demand(isolate_all=True)
"""The demand under which no bot is exempt from isolation."""


class BotHost(NamedTuple):
    """Where a match's bots are played: the ``server`` forks their processes (None: all of them run in this process);
    those that are exempt from isolation under the ``demand`` run in this process, under the ``watch``. They consult
    models at the ``desk``."""

    server: ForkServer | None
    demand: Demand = ISOLATE_ALL
    watch: Watch | None = None
    desk: ConsultDesk = NO_MODELS


def bot_host(
    bots: Iterable[BotRef],
    servers: ForkServers,
    demand: Demand,
    watch: Watch | None = None,
    desk: ConsultDesk = NO_MODELS,
) -> BotHost:
    """Where these bots are played: a fork server is started only if one of them is not exempt; where there is none,
    trusted bots in Python need none. Raises UserError where this machine does not meet the demand of such a bot."""
    here = demand.level is Level.NONE and not can_fork()
    if all(is_exempt(bot, demand) or (here and not bot.command) for bot in bots):
        return BotHost(None, demand, watch, desk)
    return BotHost(servers.server_for(resolve_demand(demand) or UNLOCKED_POLICY), demand, watch, desk)


def play_isolated(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    host: BotHost,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
    muted: tuple[int, ...] = (),
    branch: Branch | None = None,
) -> MatchResult:
    """Play a match with every bot in a process of its own, unless it is exempt. Returns its result."""
    with _Hall(spec, bots, host, printed) as hall:
        result = referee_of(spec, hall.make(list(enumerate(bots))), pulse, muted, branch).play()
    result.usage = hall.usage
    return result


def play_isolated_timed(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    host: BotHost,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
) -> MatchResult:
    """Like :func:`play_isolated`, with the CPU time of each answer."""
    with _Hall(spec, bots, host, printed) as hall:
        timed = [hall.time_player(player) for player in hall.make(list(enumerate(bots)))]
        result = Referee(spec, timed, pulse).play()
    result.usage, result.computed = hall.usage, [each.cpu_time for each in timed]
    return result


def play_isolated_beside(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    others: Mapping[int, Player],
    host: BotHost,
    printed: Listener,
) -> MatchResult:
    """Like :func:`play_isolated`, but the seats in ``others`` are played by these players; the ``bots`` of these seats
    are ignored. These players may take as long as they want: a bot's time runs only while the referee waits for that
    bot alone."""
    with _Hall(spec, bots, host, printed) as hall:
        made = iter(hall.make([(seat, bot) for seat, bot in enumerate(bots) if seat not in others]))
        seats = [others[seat] if seat in others else OneAtATimePlayer(next(made)) for seat in range(len(bots))]
        result = Referee(spec, seats).play()
    result.usage = hall.usage
    return result


def play_isolated_noting(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    host: BotHost,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
) -> tuple[MatchResult, list[NotingPlayer]]:
    """Like :func:`play_isolated`, with notes of all asks and answers."""
    with _Hall(spec, bots, host, printed) as hall:
        noting = [NotingPlayer(player) for player in hall.make(list(enumerate(bots)))]
        result = Referee(spec, noting, pulse).play()
    result.usage = hall.usage
    return result, noting


def play_twin_isolated(
    twin: Twin,
    first: MatchResult,
    seats: Sequence[NotingPlayer],
    host: BotHost,
    printed: Listener,
    pulse: LifeSignDeadline | None = None,
) -> tuple[MatchResult, TwinAskCounts]:
    """Play the twin of a match like :func:`arena.match.following.twin_match.play_twin`, with bots in processes of their
    own."""
    with _Hall(twin.spec, twin.bots, host, printed) as hall:
        result, told = play_twin(twin, first, seats, hall.make, pulse)
    result.usage = hall.usage
    return result, told


class _Hall:
    """The players of one match: isolated ones, and those that are exempt. After the match, ``usage`` has the resources
    used by each seat's processes."""

    def __init__(self, spec: MatchSpec, bots: Sequence[BotRef], host: BotHost, printed: Listener) -> None:
        self.bots, self.host, self.printed = bots, host, printed
        self.watch = host.watch or Watch()
        self.made: list[tuple[int, IsolatedPlayer | ExemptPlayer]] = []
        self._open = ExitStack()
        self._processes: MatchProcesses | None = None
        if host.server is not None:
            host.server.warm_up(spec.game, spec.rules, len(bots))
            self._processes = MatchProcesses(ForkServerTransport(host.server, spec.game), [], host.desk)
            self._open.callback(self._processes.close)

    def __enter__(self) -> Self:
        if self.host.server is None or any(is_exempt(bot, self.host.demand) for bot in self.bots):
            self._open.enter_context(self.watch.watch_deadlines())
        return self

    def make(self, wanted: Sequence[tuple[int, BotRef]]) -> list[Player]:
        """Create players for bots in these seats."""
        apart = [(seat, bot) for seat, bot in wanted if not is_exempt(bot, self.host.demand)]
        found: dict[int, IsolatedPlayer | ExemptPlayer] = {}
        if self._processes is not None:
            processes = self._processes
            added = processes.add([bot for _, bot in apart])
            found = {seat: IsolatedPlayer(bot, processes, each) for (seat, bot), each in zip(apart, added, strict=True)}
        for seat, bot in wanted:
            if seat not in found:
                assert self._processes is None or is_exempt(bot, self.host.demand), "a fork server is there for others"
                found[seat] = exempt = ExemptPlayer(bot, self.watch)
                exempt.desk = self.host.desk
        made = [(seat, found[seat]) for seat, _ in wanted]
        self.made += made
        return [player for _, player in made]

    def time_player(self, player: Player) -> CpuTimedPlayer:
        """The player with the CPU time of each answer measured: that of its process, if it has one."""
        if not isinstance(player, IsolatedPlayer):
            return CpuTimedPlayer(player)
        assert self._processes is not None, "it has made this player"
        return CpuTimedPlayer(player, partial(self._processes.transport.cpu_seconds, player.process.pid), apart=True)

    def __exit__(self, *raised: object) -> None:
        self._open.close()
        for seat, player in self.made:
            known = self.bots[seat].as_its_author_knows
            lost = player.process.pipe.log_lost if isinstance(player, IsolatedPlayer) else 0
            if parts := tuple(part._replace(text=known(part.text)) for part in player.printed_texts):
                self.printed(SeatOutput(seat, parts, lost))

    @property
    def usage(self) -> list[Usage]:
        """The resources used by processes, by seat."""
        last = dict(self.made)
        players = [last.get(seat) for seat in range(len(self.bots))]
        return [each.usage if isinstance(each, IsolatedPlayer) else Usage(0, 0, 0) for each in players]
