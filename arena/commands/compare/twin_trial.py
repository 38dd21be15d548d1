"""Whether bots repeat themselves: whether they answer the same when they are re-asked."""

from __future__ import annotations

import msgspec

from arena.executors.executor import Executor, Look, play_each
from arena.match.following.twin import Twin
from arena.runs.planning.plan import Plan
from arena.tournament.records.fixture import Fixture


def unrepeatable_bots(plan: Plan, executor: Executor, fixture: Fixture, seat: int, look: Look) -> str:
    """Play this match, put its asks again to every bot but the one in ``seat``, and say which bot answers otherwise.
    Empty if none does, or if a fault of a bot makes the test impossible. Keeps no match."""
    work = plan.work(fixture)
    twin = Twin(spec=work.spec, bots=work.bots, seat=seat, again=True)
    (done,) = play_each(executor, [msgspec.structs.replace(work, twin=twin, replays="none")], look)
    told = done.told
    if told is None or told.otherwise is None or not told.unlike:
        return ""
    which = f"its ask {told.otherwise + 1} of {told.asks}"
    return f"{told.unlike} does not repeat itself: re-asked, it answered {which} differently"
