"""A process that ends with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> bool:
    """Have the system end this process when the thread that forked it is gone; at once, if ``parent`` is gone
    already. Whether the system can."""
    if sys.platform != "linux":
        return False
    done: bool = ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0
    if os.getppid() != parent:
        os._exit(1)
    return done
