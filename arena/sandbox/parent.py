"""A process that ends with its parent."""

from __future__ import annotations

import os
import signal
import sys

from arena.sandbox.calls import prctl

PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> bool:
    """Have the system end this process when the thread that forked it is gone; at once, if ``parent`` is gone
    already. Whether the system can. Raises OSError."""
    if sys.platform != "linux":
        return False
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    return True
