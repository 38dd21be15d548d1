"""One match as a piece of work: what goes to a worker and what comes back, by value."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from functools import cache
from statistics import median
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from arena.consultation.call_record import Cassette, RecordedCall, encode_cassette
from arena.consultation.model_spec import MatchModels
from arena.consultation.spending import ModelUse, use_by_model
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef
from arena.isolation.worker.printed_at import PrintedText
from arena.match.following.branch import Branch, BranchReport, BranchResult
from arena.match.following.twin import Twin, TwinAskCounts
from arena.match.match_counts import MatchCounts
from arena.match.match_spec import MatchSpec
from arena.match.refereeing.cpu_player import SeatCpuTime
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.seat_time import LateAsk
from arena.players.player import Usage
from arena.replay.frame import pack_replay, unpack_replay
from arena.replay.lines import Result
from arena.sandbox.demand import Demand
from arena.tournament.records.match_record import MatchRecord, SeatRecord

HOST_VARIABLE = "ARENA_HOST"
"""The environment variable that names this machine, where the system's own name would not last, as in a container."""
Replays = Literal["all", "faults", "none"]
"""Which replays are kept: all, those of matches with faults, or none."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker needs: the match, the bots by seat, which ``replays`` to return, how bots are isolated, and the
    ``muted`` seats: the others do not hear what these say, though the replay contains it. The ``twin``, if any, is
    played afterwards, and only as far as it differs (:mod:`arena.match.following.twin_match`). A ``branch`` is played
    from where it leaves the record. ``timed`` is for a match without any of these three: the CPU time of each answer is
    measured. ``models`` are those that its bots may consult, ``recorded`` the calls of them that are known, as a
    cassette (:mod:`arena.consultation.call_record`): only an executor for models makes others."""

    spec: MatchSpec
    bots: tuple[BotRef, ...]
    replays: Replays = "all"
    demand: Demand = Demand()
    muted: tuple[int, ...] = ()
    twin: Twin | None = None
    branch: Branch | None = None
    timed: bool = False
    models: MatchModels | None = None
    recorded: bytes = b""


def bots_of(work: Work) -> tuple[BotRef, ...]:
    """All bots in a piece of work."""
    return work.bots if work.twin is None else (*work.bots, *work.twin.bots)


def replace_bots(work: Work, change: Callable[[BotRef], BotRef]) -> Work:
    """The same work with ``change`` applied to each of its bots."""
    bots, twin = tuple(map(change, work.bots)), work.twin
    if twin is not None:
        twin = msgspec.structs.replace(twin, bots=tuple(map(change, twin.bots)))
    return msgspec.structs.replace(work, bots=bots, twin=twin)


def place_work(work: Work, depot: BotCopies) -> Work:
    """The same work with its bots replaced by copies that can be loaded on this machine. Raises UserError."""
    return replace_bots(work, depot.place)


class SeatTiming(msgspec.Struct, frozen=True):
    """The thinking time of one seat, in seconds: the ``start``, the number of asks put to its bot, their sum, median
    and slowest; asks by hook; the ``late`` ones; for an isolated bot also the peak ``memory`` of its process, the bytes
    ``sent`` to it and ``received``, and the CPU time that it used (``cpu``), including its start. ``computed`` is the
    CPU time of its answers, where the work was timed; ``models`` is what the bot used of each model, by name, where it
    could consult any."""

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
    cpu: float = 0.0
    late: tuple[LateAsk, ...] = ()
    computed: SeatCpuTime | UnsetType = UNSET
    models: dict[str, ModelUse] | UnsetType = UNSET


class Timing(msgspec.Struct, frozen=True):
    """A line of ``timings.jsonl``: the match's wall time in seconds, and each seat's, by the referee's ``clock``, which
    is :data:`NO_CLOCK` where the measurement was lost. ``host`` is the machine that played it (:func:`this_host`),
    empty in older runs."""

    id: str
    seconds: float
    seats: tuple[SeatTiming, ...]
    clock: str = "referee"
    host: str = ""


@cache
def this_host() -> str:
    """The name of this machine: what :data:`HOST_VARIABLE` says, else what the system says."""
    return os.environ.get(HOST_VARIABLE) or platform.node() or "localhost"


NO_CLOCK = "none"


def unmeasured_timing(id: str) -> Timing:
    """The timing of a match whose measurement was lost."""
    return Timing(id, 0.0, (), NO_CLOCK)


class SeatOutput(msgspec.Struct, frozen=True):
    """The output of the bot at ``seat`` in a match, by ask, without the ``lost`` bytes that exceeded the limit."""

    seat: int
    parts: tuple[PrintedText, ...]
    lost: int = 0

    @property
    def text(self) -> bytes:
        """The whole output."""
        return b"".join(part.text for part in self.parts)


Listener = Callable[[SeatOutput], None]
"""Receives the output of a bot that has a process of its own."""


class WorkResult(msgspec.Struct, frozen=True):
    """A finished piece of work: its record and timing, its replay ``packed`` (:func:`arena.replay.frame.pack_replay`)
    where it is to be kept, and what isolated bots ``printed``. The record's own ``replay`` is the store's name for it,
    empty until it is stored. ``twin`` is the result of the work's twin, and ``told`` says how much of it was played;
    ``branched`` is the report on following the record, where the work is a branch; ``cassette`` are the match's calls
    of models, packed like a replay, where its bots could consult any."""

    record: MatchRecord
    timing: Timing
    packed: bytes | None = None
    printed: tuple[SeatOutput, ...] = ()
    twin: WorkResult | None = None
    told: TwinAskCounts | None = None
    branched: BranchReport | None = None
    cassette: bytes | None = None

    @property
    def replay(self) -> bytes | None:
        """The replay, decompressed at each call; None where it is not to be kept."""
        return None if self.packed is None else unpack_replay(self.packed)


def done_of(
    work: Work,
    result: MatchResult,
    seconds: float,
    printed: tuple[SeatOutput, ...] = (),
    calls: Sequence[RecordedCall] | None = None,
) -> WorkResult:
    """The result that a worker returns for a match that took ``seconds``; ``calls`` are those of models (None: its bots
    could consult none)."""
    record = record_of(work.spec, result)
    timing = _timing_of(work.spec, result, seconds, calls)
    packed = pack_replay(result.replay) if keeps_replay(work.replays, record) else None
    branched = result.told if isinstance(result, BranchResult) else None
    cassette = None
    if calls is not None:
        entrants = tuple(seat.entrant for seat in work.spec.seats)
        kept = [call for call in calls if not call.suspended]
        cassette = pack_replay(encode_cassette(Cassette(work.spec.id, entrants, kept)))
    return WorkResult(record, timing, packed, printed, branched=branched, cassette=cassette)


def keeps_replay(replays: Replays, record: MatchRecord) -> bool:
    """Whether the replay of this match is kept."""
    return replays == "all" or (replays == "faults" and any(seat.faults for seat in record.seats))


def record_of(spec: MatchSpec, result: MatchResult | Result, counts: MatchCounts = UNSET) -> MatchRecord:
    """The match's line in ``matches.jsonl``, from the referee's result, or from the last line of its replay and its
    ``counts``."""
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
        sha256=result.sha256,
        counts=result.counts if isinstance(result, MatchResult) else counts,
    )


def _timing_of(
    spec: MatchSpec, result: MatchResult, seconds: float, calls: Sequence[RecordedCall] | None = None
) -> Timing:
    """The match's line in ``timings.jsonl``."""
    usage = result.usage or [Usage(0, 0, 0)] * len(spec.seats)
    computed = result.computed or [None] * len(spec.seats)
    seats = []
    every = zip(spec.seats, result.times, result.hooks, usage, computed, strict=True)
    for number, (seat, time, hooks, used, cpu) in enumerate(every):
        middle = median(time.each) if time.each else 0.0
        total, worst, start, middle = (round(each, 6) for each in (time.total, time.worst, time.start, middle))
        used = used._replace(cpu=round(used.cpu, 6))
        late, known = tuple(time.late), UNSET if cpu is None else cpu
        models: dict[str, ModelUse] | UnsetType = UNSET
        if calls is not None:
            models = use_by_model(call for call in calls if call.seat == number)
        seats.append(
            SeatTiming(seat.entrant, time.asks, total, worst, hooks, start, middle, *used, late, known, models)
        )
    return Timing(spec.id, round(seconds, 6), tuple(seats), host=this_host())
