"""One match as a piece of work: a small picklable record that any process can play by itself."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from arena.match.apart import BOT_LOGS, UNLOCKED, BotLogs, Printed, log_printed, play_isolated
from arena.match.referee import Crumbs, MatchResult, Referee
from arena.match.spec import MatchSpec
from arena.players.inprocess import InProcess
from arena.players.loading import BotRef
from arena.players.player import Usage
from arena.players.watch import Watch
from arena.sandbox.policy import Policy
from arena.tournament.records import MatchRecord, SeatRecord

log = logging.getLogger(__name__)


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker needs: the match, the bots by seat, and where the replay goes (``folder`` "" keeps none;
    ``replays`` is ``all``, ``faults`` or ``none``); under which ``policy`` bots have processes of their own (None:
    they are trusted in this one), and the files that bots must not see, but for each its own."""

    spec: MatchSpec
    bots: tuple[BotRef, ...]
    folder: str = ""
    replays: str = "all"
    policy: Policy | None = None
    hidden: tuple[str, ...] = ()


class SeatTiming(msgspec.Struct, frozen=True):
    """Thinking of one seat, in seconds: the ``start``, asks put to its bot, their sum, median and slowest; asks by
    hook; of an isolated bot also the most ``memory`` its process held, and what was ``sent`` to it and ``received``,
    in bytes."""

    entrant: str
    asks: int
    total: float
    worst: float
    hooks: dict[str, int]
    start: float = 0.0
    median: float = 0.0
    memory: int = 0
    sent: int = 0
    received: int = 0


class Timing(msgspec.Struct, frozen=True):
    """A line of ``timings.jsonl``: the match's wall time in seconds, and each seat's, by the referee's ``clock``."""

    id: str
    seconds: float
    seats: tuple[SeatTiming, ...]
    clock: str = "referee"


class Done(msgspec.Struct, frozen=True):
    """A finished piece of work."""

    record: MatchRecord
    timing: Timing


def replay_path(match_id: str) -> str:
    """Where a match's replay lies below the run's folder."""
    return f"replays/{match_id}.jsonl"


def play(
    spec: MatchSpec,
    bots: tuple[BotRef, ...],
    crumbs: Crumbs | None = None,
    policy: Policy | None = None,
    hidden: tuple[str, ...] = (),
    printed: Printed = log_printed,
) -> MatchResult:
    """Play one match: its referee in this process, its bots too where there is no ``policy`` for them."""
    if policy is None and not any(ref.command for ref in bots):
        watch = Watch()
        with watch.ticking():
            return Referee(spec, [InProcess(ref, watch, log_broken) for ref in bots], crumbs).play()
    return play_isolated(spec, bots, policy or UNLOCKED, hidden, printed)


def log_broken(name: str, problem: BaseException) -> None:
    """Into the log of this process."""
    log.warning("%s broke", name, exc_info=problem)


def play_work(work: Work, crumbs: Crumbs | None = None) -> Done:
    """Play one match and keep its replay where that is wanted."""
    began = perf_counter()
    logs = BotLogs(Path(work.folder) / BOT_LOGS) if work.folder else log_printed
    result = play(work.spec, work.bots, crumbs, work.policy, work.hidden, logs)
    faulty = any(seat.faults for seat in result.seats)
    kept = bool(work.folder) and (work.replays == "all" or (work.replays == "faults" and faulty))
    path = replay_path(work.spec.id) if kept else ""
    if kept:
        write_whole(Path(work.folder) / path, result.replay)
    return Done(record_of(work.spec, result, path), timing_of(work.spec, result, perf_counter() - began))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all; what is no regular file (a device) is written to."""
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            device.write(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def record_of(spec: MatchSpec, result: MatchResult, replay: str) -> MatchRecord:
    """The match's line in ``matches.jsonl``."""
    return MatchRecord(
        id=spec.id,
        game=spec.game,
        edition=spec.edition,
        block=spec.block,
        seed=spec.seed,
        termination=result.termination,
        asks=result.asks,
        seats=tuple(SeatRecord(s.entrant, s.money, s.rank, s.ended, s.faults) for s in result.seats),
        void=result.void,
        replay=replay,
        sha256=result.sha256,
    )


def timing_of(spec: MatchSpec, result: MatchResult, seconds: float) -> Timing:
    """The match's line in ``timings.jsonl``."""
    usage = result.usage or [Usage(0, 0, 0)] * len(spec.seats)
    seats = []
    for seat, time, hooks, used in zip(spec.seats, result.times, result.hooks, usage, strict=True):
        middle = median(time.each) if time.each else 0.0
        total, worst, start, middle = (round(each, 6) for each in (time.total, time.worst, time.start, middle))
        seats.append(SeatTiming(seat.entrant, time.asks, total, worst, hooks, start, middle, *used))
    return Timing(spec.id, round(seconds, 6), tuple(seats))
