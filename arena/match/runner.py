"""Plays pieces of work in this process, and owns what its matches share: the clock of bots, the fork servers of
isolated ones."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import closing
from time import perf_counter

import msgspec

from arena.errors import MatchSuspended
from arena.finding.exempt_bots import is_exempt
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServers
from arena.match.desk_of_work import RECORDED_ALONE, ModelAccess, WorkDesk
from arena.match.following.branch import Branch
from arena.match.following.branching import referee_of
from arena.match.following.noting_player import NotingPlayer
from arena.match.following.twin import Twin, TwinAskCounts
from arena.match.following.twin_match import play_twin
from arena.match.isolated_match import (
    bot_host,
    play_isolated,
    play_isolated_noting,
    play_isolated_timed,
    play_twin_isolated,
)
from arena.match.match_spec import MatchSpec
from arena.match.playing import name_played_match
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.cpu_player import CpuTimedPlayer
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.match.work import SeatOutput, Work, WorkResult, bots_of, done_of
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.inprocess import InProcessPlayer
from arena.players.player import Player
from arena.players.watch import Deadline, Watch
from arena.sandbox.demand import Demand, resolve_demand
from arena.sandbox.probe import Level
from arena.system.platform_support import can_fork

log = logging.getLogger(__name__)


def needs_processes(work: Work) -> bool:
    """Whether every bot of this match has a process of its own."""
    return _has_isolated(work) and not any(is_exempt(ref, work.demand) for ref in bots_of(work))


def _has_isolated(work: Work) -> bool:
    """Whether some bot of this match may need a process of its own: always unless bots are trusted, and even then at a
    table with a program. Exempt bots are played in this process all the same."""
    return work.demand.level is not Level.NONE or any(ref.command for ref in bots_of(work))


def play_here(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    watch: Watch | None = None,
    pulse: LifeSignDeadline | None = None,
    muted: tuple[int, ...] = (),
    branch: Branch | None = None,
    desk: ConsultDesk = NO_MODELS,
) -> MatchResult:
    """Play one match with trusted bots in this process."""
    watch = watch or Watch()
    players = [InProcessPlayer(ref, watch, _log_warning) for ref in bots]
    for player in players:
        player.desk = desk
    with watch.watch_deadlines():
        return referee_of(spec, players, pulse, muted, branch).play()


def play_timed_here(
    spec: MatchSpec, bots: tuple[BotRef, ...], watch: Watch | None = None, pulse: LifeSignDeadline | None = None
) -> MatchResult:
    """Like :func:`play_here`, with the CPU time of each answer."""
    watch = watch or Watch()
    timed = [CpuTimedPlayer(InProcessPlayer(ref, watch, _log_warning)) for ref in bots]
    with watch.watch_deadlines():
        result = Referee(spec, timed, pulse).play()
    result.computed = [each.cpu_time for each in timed]
    return result


def play_pair_here(
    work: Work, twin: Twin, watch: Watch | None = None, pulse: LifeSignDeadline | None = None
) -> tuple[MatchResult, float, MatchResult, TwinAskCounts]:
    """Play a match and its twin with trusted bots in this process. Returns the result of the match, its duration in
    seconds, the result of the twin, and its counts."""
    watch, began = watch or Watch(), perf_counter()

    def make(wanted: Sequence[tuple[int, BotRef]]) -> list[Player]:
        return [InProcessPlayer(bot, watch, _log_warning) for _, bot in wanted]

    with watch.watch_deadlines():
        seats = [NotingPlayer(player) for player in make(list(enumerate(work.bots)))]
        first = Referee(work.spec, seats, pulse).play()
        seconds = perf_counter() - began
        return first, seconds, *play_twin(twin, first, seats, make, pulse)


def _log_warning(text: str) -> None:
    """Log the error of a trusted bot as a warning."""
    log.warning("%s", text)


class Runner:
    """Plays one match after another. ``deadline`` holds the time by which the running bot must answer, and ``pulse``
    the signs of life; another process reads both, and can kill this one when they are overdue. ``access`` says how
    models are reached. ``servers`` are fork servers that it shares with others and does not close."""

    def __init__(
        self,
        deadline: Deadline | None = None,
        pulse: LifeSignDeadline | None = None,
        access: ModelAccess = RECORDED_ALONE,
        servers: ForkServers | None = None,
    ) -> None:
        self.watch, self.pulse, self.access = Watch(deadline), pulse or LifeSignDeadline(), access
        self._servers = servers or ForkServers()
        self._shares = servers is not None

    def play(self, work: Work, apart: bool = False) -> WorkResult:
        """Play one match; ``apart`` gives trusted bots processes of their own too. Raises UserError where this machine
        does not meet the work's demand."""
        self.pulse.begin(work.spec.limits, len(work.bots))
        try:
            with name_played_match(work.spec.id):
                return self._play(work, apart)
        finally:
            self.pulse.end()

    def _play(self, work: Work, apart: bool) -> WorkResult:
        began = perf_counter()
        if can_fork() or not all(is_exempt(ref, work.demand) for ref in bots_of(work)):
            resolve_demand(work.demand)  # raises where this machine does not meet it
        here = not (apart or _has_isolated(work))
        demand = msgspec.structs.replace(work.demand, isolate_all=work.demand.isolate_all or apart)
        if work.twin is not None:
            return self._play_pair(work, work.twin, None if here else demand)
        with closing(WorkDesk(work, self.access)) as counter:
            desk = counter.desk or NO_MODELS
            if here:
                if work.timed:
                    result = play_timed_here(work.spec, work.bots, self.watch, self.pulse)
                else:
                    result = play_here(work.spec, work.bots, self.watch, self.pulse, work.muted, work.branch, desk)
                return done_of(work, result, perf_counter() - began, calls=counter.calls)
            printed: list[SeatOutput] = []
            try:
                host = bot_host(bots_of(work), self._servers, demand, self.watch, desk)
                if work.timed:
                    result = play_isolated_timed(work.spec, work.bots, host, printed.append, self.pulse)
                else:
                    more = (printed.append, self.pulse, work.muted, work.branch)
                    result = play_isolated(work.spec, work.bots, host, *more)
            except MatchSuspended:
                raise
            except BaseException:
                self._servers.replace()  # the fork server may be what failed: the next match has a new one
                raise
            return done_of(work, result, perf_counter() - began, tuple(printed), counter.calls)

    def _play_pair(self, work: Work, twin: Twin, demand: Demand | None) -> WorkResult:
        """Play a match and its twin, with bots isolated as the ``demand`` says; None: trusted ones, in this process."""
        began = perf_counter()
        printed: tuple[list[SeatOutput], list[SeatOutput]] = ([], [])
        if demand is None:
            first, seconds, second, told = play_pair_here(work, twin, self.watch, self.pulse)
        else:
            try:
                host = bot_host(bots_of(work), self._servers, demand, self.watch)
                first, seats = play_isolated_noting(work.spec, work.bots, host, printed[0].append, self.pulse)
                seconds = perf_counter() - began
                second, told = play_twin_isolated(twin, first, seats, host, printed[1].append, self.pulse)
            except BaseException:
                self._servers.replace()
                raise
        own = msgspec.structs.replace(work, spec=twin.spec, bots=twin.bots, twin=None)
        other = done_of(own, second, perf_counter() - began - seconds, tuple(printed[1]))
        done = done_of(work, first, seconds, tuple(printed[0]))
        return msgspec.structs.replace(done, twin=other, told=told)

    def close(self) -> None:
        """End the fork servers, if any, unless others use them."""
        if not self._shares:
            self._servers.close()
