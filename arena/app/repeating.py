"""Whether bots repeat themselves: whether they answer the same when they are asked the same again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.app.plan import Plan
from arena.executors.executor import Executor, play_each
from arena.match.work import Twin, Work
from arena.tournament.schedule import Fixture


def unrepeatable(plan: Plan, executor: Executor, fixtures: Sequence[Fixture]) -> str:
    """Play each of these matches, ask every bot in it again what it was asked, and say which does not answer the same;
    empty where all do, or made faults so that it cannot be told. Nothing of it is kept."""
    works = [_again(plan.work(fixture), seat) for fixture in fixtures for seat in range(len(fixture.entrants))]
    for done, work in zip(play_each(executor, works), works, strict=True):
        told, twin = done.told, work.twin
        assert told is not None
        assert twin is not None
        name = twin.spec.seats[twin.seat].entrant
        if told.otherwise is not None:
            which = f"its ask {told.otherwise + 1} of {told.asks}"
            return f"{name} does not repeat itself: asked the same again, it answered {which} otherwise"
    return ""


def _again(work: Work, seat: int) -> Work:
    """The match with itself as its twin."""
    spec = msgspec.structs.replace(work.spec, id=f"{work.spec.id}/again{seat}")
    twin = Twin(spec=spec, bots=work.bots, seat=seat)
    return msgspec.structs.replace(work, spec=spec, twin=twin, replays="none")
