"""Plays pieces of work in this process, and owns what its matches have in common: the clock of bots, the
fork servers of isolated ones."""

from __future__ import annotations

import logging
from time import perf_counter

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServers
from arena.match.apart import UNLOCKED, play_isolated
from arena.match.playing import playing
from arena.match.pulse import Pulse
from arena.match.referee import MatchResult, Referee
from arena.match.spec import MatchSpec
from arena.match.work import Done, Printed, Work, done_of
from arena.players.inprocess import InProcess
from arena.players.watch import Deadline, Watch
from arena.sandbox.demand import resolve
from arena.sandbox.probe import Level

log = logging.getLogger(__name__)


def needs_processes(work: Work) -> bool:
    """Whether no bot of this match is played in the worker's own process."""
    return work.demand.level is not Level.NONE or any(ref.command for ref in work.bots)


def play_here(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    watch: Watch | None = None,
    pulse: Pulse | None = None,
    muted: tuple[int, ...] = (),
) -> MatchResult:
    """Play one match whose bots are trusted in this process."""
    watch = watch or Watch()
    with watch.ticking():
        return Referee(spec, [InProcess(ref, watch, _log) for ref in bots], pulse, muted).play()


def _log(text: str) -> None:
    """Log what broke a trusted bot."""
    log.warning("%s", text)


class Runner:
    """Plays one match after another. ``deadline`` holds the time by which the running bot must have answered, for the
    process that can kill this one if it does not; ``pulse`` the signs of life, for the same."""

    def __init__(self, deadline: Deadline | None = None, pulse: Pulse | None = None) -> None:
        self.watch, self.pulse = Watch(deadline), pulse or Pulse()
        self._servers = ForkServers()

    def play(self, work: Work, apart: bool = False) -> Done:
        """Play one match; ``apart`` gives trusted bots processes of their own too. Raises UserError where this machine
        does not meet the work's demand."""
        self.pulse.begin(work.spec.limits, len(work.bots))
        try:
            with playing(work.spec.id):
                return self._play(work, apart)
        finally:
            self.pulse.end()

    def _play(self, work: Work, apart: bool) -> Done:
        began = perf_counter()
        policy = resolve(work.demand)
        if not (apart or needs_processes(work)):
            result = play_here(work.spec, work.bots, self.watch, self.pulse, work.muted)
            return done_of(work, result, perf_counter() - began)
        printed: list[Printed] = []
        try:
            server = self._servers.under(policy or UNLOCKED)
            result = play_isolated(work.spec, work.bots, server, printed.append, self.pulse, work.muted)
        except BaseException:
            self.close()  # the fork server may be what failed: the next match has a new one
            raise
        return done_of(work, result, perf_counter() - began, tuple(printed))

    def close(self) -> None:
        """End the fork servers, if there are any."""
        self._servers.close()
