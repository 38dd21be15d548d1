"""How long a process has waited for a core, which is not charged to its bot.

Bots share cores with each other and with all else that the machine has to do. The kernel counts how long a thread was
ready to run but did not (``run_delay``). A process whose threads keep each other waiting gains nothing, because what it
has computed counts in any case; nor does one that sleeps, because a sleeper is not ready to run.

The kernel adds a wait to its count only when it is over. So a process that has waited longest, and waits still, seems
not to have waited at all: :func:`had_no_core` recognises it.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import NamedTuple

from arena.clock import Clock
from arena.system.platform_support import on_linux

BRIEF_SECONDS = 0.02
"""The duration in seconds of an answer up to which its waiting for a core is not examined, because that would cost
more."""
LEAST_EXCUSE = 0.001
"""The waiting time in seconds below which a bot's time is not extended."""
STARVED_LIMIT = 60.0
"""How many seconds beyond its time a process that gets no core at all is left running."""


class ProcessTimes(NamedTuple):
    """A reading of a process, in seconds: the time, how long it has waited for a core, how long it has computed (CPU
    time); and whether it could compute now, whether or not it has a core."""

    time: float
    waited: float
    computed: float
    runnable: bool


def read_times(pid: int, clock: Clock) -> ProcessTimes | None:
    """A reading of a running process, taken from its first thread; None where the system does not tell."""
    if on_linux():
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{pid}/stat", "rb") as file:
                runnable = file.read().rpartition(b")")[2].split()[0] == b"R"
            with open(f"/proc/{pid}/schedstat", "rb") as file:
                waited = int(file.read().split()[1]) / 1e9
            computed = cpu_time(pid)
            return None if computed is None else ProcessTimes(clock.now(), waited, computed, runnable)
    return None


def cpu_time(pid: int) -> float | None:
    """The CPU time of a running process so far, in seconds, all its threads together; None where the system does not
    tell. Raises OSError where there is no such process. It is quick."""
    if not on_linux() or pid <= 0:
        return None
    return time.clock_gettime(~pid << 3 | 2)  # CPUCLOCK_SCHED of that process


def read_own(clock: Clock) -> ProcessTimes | None:
    """A reading of this process, taken from its calling thread; None where the system does not tell. It is quick and
    uses little stack, because it is taken wherever the bot's code happens to be."""
    if on_linux():
        try:
            now = clock.now()  # before the rest: a wait in between is excused rather than charged
            file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            try:
                waited = int(os.read(file, 100).split()[1]) / 1e9
            finally:
                os.close(file)
            return ProcessTimes(now, waited, time.process_time(), True)
        except (OSError, ValueError, IndexError, RecursionError):
            pass
    return None


def excused_seconds(before: ProcessTimes | None, now: ProcessTimes | None) -> float:
    """The seconds between two readings that are not charged to the process."""
    if before is None or now is None:
        return 0.0
    idle = now.time - before.time - (now.computed - before.computed)
    return max(0.0, min(now.waited - before.waited, idle))


def had_no_core(before: ProcessTimes | None, now: ProcessTimes | None) -> bool:
    """Whether the process could compute, but had no core at all between two readings."""
    return before is not None and now is not None and now.runnable and now.computed <= before.computed


def had_little(before: ProcessTimes | None, now: ProcessTimes | None) -> bool:
    """Whether the process could compute, but had a core for less than half of the time between two readings."""
    if before is None or now is None:
        return False
    return now.runnable and now.computed - before.computed < (now.time - before.time) / 2
