"""How long a process has waited for a core, which is not charged to its bot.

Bots of one match may share a core, and are asked at once. The kernel counts how long the first thread of a process was
ready to run but did not (``run_delay``). A process whose threads keep each other waiting gains nothing, because what it
has computed counts in any case.

The kernel adds a wait to its count only when it is over. So a process that has waited longest, and waits still, seems
not to have waited at all: :func:`is_starved` recognises it.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import NamedTuple

from arena.clock import Clock


class Reading(NamedTuple):
    """A process at one moment, in seconds: the time, how long it has waited for a core, how long it has computed (CPU
    time); and whether it could compute now, whether or not it has a core."""

    time: float
    waited: float
    computed: float
    runnable: bool


def read(pid: int, clock: Clock) -> Reading | None:
    """A reading of a running process, or None where the system does not tell."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{pid}/stat", "rb") as file:
                runnable = file.read().rpartition(b")")[2].split()[0] == b"R"
            with open(f"/proc/{pid}/schedstat", "rb") as file:
                waited = int(file.read().split()[1]) / 1e9
            computed = time.clock_gettime(~pid << 3 | 2)  # CPUCLOCK_SCHED of that process
            return Reading(clock.now(), waited, computed, runnable)
    return None


def excused(before: Reading | None, now: Reading | None) -> float:
    """Seconds between two readings that the process is not to be charged for."""
    if before is None or now is None:
        return 0.0
    idle = now.time - before.time - (now.computed - before.computed)
    return max(0.0, min(now.waited - before.waited, idle))


def is_starved(before: Reading | None, now: Reading | None) -> bool:
    """Whether the process could compute, but has had no core at all between two readings."""
    return before is not None and now is not None and now.runnable and now.computed <= before.computed
