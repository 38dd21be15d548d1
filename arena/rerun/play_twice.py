"""Plays the matches that check a bot, each of them twice, and measures the bot."""

from __future__ import annotations

from collections import Counter
from statistics import median

import msgspec

from arena.executors.executor import Executor, play_each
from arena.finding.exempt_bots import is_exempt
from arena.match.refereeing.cpu_player import SeatCpuTime
from arena.match.work import Work, WorkResult
from arena.penalties import SeatEnd
from arena.replay.fault_counts import count_faults
from arena.replay.frame import unpack_replay
from arena.replay.play_difference import first_difference
from arena.replay.read import read_replay_lines
from arena.rerun.other_interpreter import play_again
from arena.runs.job_count import up_to_cores
from arena.sandbox.probe import Level

CHECKED_ENTRANT = "checked"
"""The entrant name of the checked bot in these matches."""


class CheckedFault(msgspec.Struct):
    """Faults of one kind that the checked bot made, and where the first of them happened: the id of the ``match``, the
    bot's ``seat``, and the number of the ``ask`` (0: the start)."""

    kind: str
    rule: str
    hook: str
    evidence: str
    edition: str
    players: int
    seed: str
    count: int = 1
    match: str = ""
    seat: int = 0
    ask: int = 0


class TwicePlayed(msgspec.Struct):
    """Measurements of a bot over matches that were played twice.

    ``asks`` counts the asks by hook. Times are in seconds: ``start`` is the median time to start, ``slowest_start`` the
    longest; ``mean``, ``median`` and ``worst`` are per ask; ``longest`` is the most thinking time in one match. ``cpu``
    is the CPU time of all matches of the first play, including starts, for bots in processes of their own;
    ``cpu_mean``, ``cpu_median`` and ``cpu_worst`` are CPU times per ask (None: the system does not report them).
    ``memory`` is the peak memory of the bot's process, ``sent`` and ``received`` are mean sizes of a message, all in
    bytes (0: the bot had no process). ``repeats`` says whether the bot answered the same in both plays of every match;
    ``differs`` names the first match in which it did not. ``put_out`` names the matches in which it was struck out for
    its faults."""

    bot: str
    level: Level
    matches: int
    asks: dict[str, int]
    faults: list[CheckedFault]
    start: float
    mean: float
    median: float
    worst: float
    cpu: float
    memory: int
    sent: float
    received: float
    repeats: bool
    differs: str = ""
    put_out: list[str] = []
    cpu_mean: float | None = None
    cpu_median: float | None = None
    cpu_worst: float | None = None
    longest: float = 0.0
    slowest_start: float = 0.0


def play_twice(bot: str, level: Level, works: list[Work], executor: Executor) -> tuple[TwicePlayed, list[WorkResult]]:
    """Play ``works`` twice, the second time in another interpreter with another hash seed and in reverse order. The bot
    sits in each of them as :data:`CHECKED_ENTRANT`, and they must keep their replays. A bundled bot is isolated like
    any other, so that it is measured alike. In the second play language models answer as they did in the first. Returns
    the measurements, and the results of the first play."""
    works = [msgspec.structs.replace(_isolate_checked(work), timed=True) for work in works]
    done = play_each(executor, works)
    recorded = [answered_as_in(work, each) for work, each in zip(works, done, strict=True)]
    again = play_again(recorded, min(executor.jobs, up_to_cores(None)))
    asks: Counter[str] = Counter()
    seats = [seat for each in done for seat in each.timing.seats if seat.entrant == CHECKED_ENTRANT]
    for seat in seats:
        asks.update(seat.hooks)
    put = max(1, asks.total())
    pairs = list(zip(done, again, strict=True))
    differing = [one.record.id for one, two in pairs if _answers_differ(one, two)]
    out = [one.record.id for one, two in pairs if _is_out(one) or (two is not None and _is_out(two))]
    computed = [seat.computed for seat in seats if isinstance(seat.computed, SeatCpuTime)]
    played = TwicePlayed(
        bot=bot,
        level=level,
        matches=len(done) + len(again),
        asks=dict(asks),
        faults=_checked_faults(works, done),
        start=round(median(seat.start for seat in seats), 6),
        mean=round(sum(seat.total for seat in seats) / put, 6),
        median=round(median(seat.median for seat in seats), 6),
        worst=max(seat.worst for seat in seats),
        cpu=round(sum(seat.cpu for seat in seats), 6),
        memory=max(seat.memory for seat in seats),
        sent=round(sum(seat.sent for seat in seats) / put, 1),
        received=round(sum(seat.received for seat in seats) / put, 1),
        repeats=not differing,
        differs=differing[0] if differing else "",
        put_out=out,
        cpu_mean=round(sum(each.total for each in computed) / put, 6) if computed else None,
        cpu_median=round(median(each.median for each in computed), 6) if computed else None,
        cpu_worst=max((each.worst for each in computed), default=None),
        longest=max(seat.total for seat in seats),
        slowest_start=max(seat.start for seat in seats),
    )
    return played, done


def answered_as_in(work: Work, done: WorkResult) -> Work:
    """The same work, in which language models answer as they did when it was played (``done``)."""
    return work if done.cassette is None else msgspec.structs.replace(work, recorded=unpack_replay(done.cassette))


def _isolate_checked(work: Work) -> Work:
    """The same work, with all bots isolated if the checked one would be exempt."""
    seat = next(seat for seat, each in enumerate(work.spec.seats) if each.entrant == CHECKED_ENTRANT)
    if not is_exempt(work.bots[seat], work.demand) or work.demand.level is Level.NONE:
        return work
    return msgspec.structs.replace(work, demand=msgspec.structs.replace(work.demand, isolate_all=True))


def seat_of_checked(done: WorkResult) -> int:
    """The seat of the bot that is checked."""
    return next(seat for seat, each in enumerate(done.record.seats) if each.entrant == CHECKED_ENTRANT)


def _is_out(done: WorkResult) -> bool:
    return done.record.seats[seat_of_checked(done)].ended is not SeatEnd.PLAYED


def _answers_differ(one: WorkResult, two: WorkResult | None) -> bool:
    """Whether two plays of a match first differ at a decision of the checked bot. If another bot's decision differs
    first, nothing is known about the checked one. None: a model was asked something else."""
    if two is None:
        return True
    if one.record == two.record or one.replay is None or two.replay is None:
        return False
    return first_difference(one.replay, two.replay).seat in (None, seat_of_checked(one))


def _checked_faults(works: list[Work], done: list[WorkResult]) -> list[CheckedFault]:
    """The checked bot's faults, equal ones counted together."""
    found: dict[tuple[str, str, str], CheckedFault] = {}
    for work, each in zip(works, done, strict=True):
        seat = seat_of_checked(each)
        if not each.record.seats[seat].faults or each.replay is None:
            continue
        for fault in count_faults(read_replay_lines(each.replay)[1]):
            key = (fault.kind, fault.rule, fault.hook)
            if fault.seat != seat:
                continue
            if key in found:
                found[key].count += fault.count
            else:
                spec = work.spec
                found[key] = CheckedFault(
                    *key,
                    fault.evidence,
                    spec.edition,
                    len(spec.seats),
                    spec.seed,
                    fault.count,
                    match=spec.id,
                    seat=seat,
                    ask=fault.ask,
                )
    return list(found.values())
