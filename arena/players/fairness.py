"""How long a process has waited for a core: time that is not its own fault, and is not charged to its bot.

Bots of one match may share a core, and are asked at once. The system knows how long the first thread of a process
was ready to run but did not; a process whose threads keep each other waiting gains nothing, because what it has
computed counts in any case.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import NamedTuple


class Reading(NamedTuple):
    """Of one process at one time, in seconds: the clock, what it has waited for a core, what it has computed."""

    clock: float
    waited: float
    computed: float


def read(process: int) -> Reading | None:
    """A reading of a running process, or None where the system does not tell."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/schedstat", "rb") as file:
            waited = int(file.read().split()[1]) / 1e9
            computed = time.clock_gettime(~process << 3 | 2)  # CPUCLOCK_SCHED of that process
            return Reading(time.perf_counter(), waited, computed)
    return None


def excused(before: Reading | None, process: int) -> float:
    """Seconds since a reading ``before`` that the process is not to be charged for."""
    if before is None or (now := read(process)) is None:
        return 0.0
    idle = now.clock - before.clock - (now.computed - before.computed)
    return max(0.0, min(now.waited - before.waited, idle))
