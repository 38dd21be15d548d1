"""Have a process killed when its parent ends."""

from __future__ import annotations

import os
import signal

from arena.sandbox.calls import prctl
from arena.system.platform_support import on_linux

PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> bool:
    """Have the kernel kill this process when the thread that forked it ends; exit at once if ``parent`` has already
    ended. Returns whether the system supports this. Raises OSError."""
    if not on_linux():
        return False
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    return True
