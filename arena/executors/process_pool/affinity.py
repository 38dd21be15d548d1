"""Pins workers to cores. Talking to a bot on another core takes several times as long."""

from __future__ import annotations

import os
from contextlib import suppress

from arena.system.platform_support import allowed_cores, on_linux


def keep_to_core(index: int, jobs: int) -> None:
    """Pin this process, and all that it starts, to a core: worker ``index`` to the core of this number, if there is a
    worker for each core; else leave the choice to the system."""
    cores = sorted(allowed_cores() or ())
    if jobs >= len(cores) > 1:
        os.sched_setaffinity(0, {cores[index % len(cores)]})


def work_in_batches() -> None:
    """Keep the kernel from preempting the process that has just woken this one or its bots, because that process may
    have more to send."""
    if on_linux():
        with suppress(OSError):  # a container may not allow it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
