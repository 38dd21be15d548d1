"""Observes from outside a worker that does not answer: its state, what it waits for in the kernel, the processes it has
started, and, if it can still run Python, its stack.

This is logged before the worker is ended, because afterwards it cannot be found out.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from arena.system.platform_support import on_linux

ASK_FOR_STACK = signal.SIGUSR1
"""The signal that makes a worker write its stack, from C code, whatever it is doing; a stopped process does so when it
continues."""
FRAMES = 12
"""How many frames of a stack are shown, from the innermost."""
LISTED_PROCESSES = 5
"""How many of its child processes are listed."""
_FRAME_LINE = re.compile(r'  File "(?P<file>[^"]*)", line (?P<line>\d+) in (?P<function>.*)')


def tell_stack_when_asked(room: IO[bytes]) -> None:
    """In a worker: write the stack of its main thread into ``room`` at the signal :data:`ASK_FOR_STACK`."""
    faulthandler.register(ASK_FOR_STACK, file=room, all_threads=False)


def ask_for_stack(pid: int, room: IO[bytes]) -> None:
    """Ask a worker for its stack; :func:`stack_in` has it a moment later, if the worker can run."""
    room.seek(0)
    room.truncate()
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, ASK_FOR_STACK)


def stack_in(room: IO[bytes]) -> str:
    """The stack that a worker has written into ``room``, the innermost function first; empty if it has written none."""
    room.seek(0)
    text = room.read(1 << 16).decode("utf-8", "replace")
    frames = [
        f"{each['function']} ({os.path.basename(each['file'])}:{each['line']})" for each in _FRAME_LINE.finditer(text)
    ]
    return " < ".join(frames[:FRAMES])


def seen_of(pid: int) -> str:
    """The system's view of a process: ``state T (stopped), in do_signal_stop``, and of those of its descendants that
    neither run nor sleep. Empty where the system gives none."""
    if not on_linux():
        return ""
    told, below = [_process_state(pid)], list(_children(pid))
    for process in below:
        below += _children(process)
        if (state := _process_state(process)) and not state.startswith(("state R", "state S")):
            told.append(f"below it process {process} ({_process_name(process)}) is in {state}")
    return "; ".join(filter(None, told[: 1 + LISTED_PROCESSES]))


def _process_state(pid: int) -> str:
    state = wchan = ""
    with suppress(OSError):
        state = Path(f"/proc/{pid}/status").read_text().partition("\nState:")[2].partition("\n")[0]
    with suppress(OSError):
        wchan = Path(f"/proc/{pid}/wchan").read_text()
    place = f", in {wchan}" if wchan not in ("", "0") else ""
    return f"state {' '.join(state.split())}{place}" if state else ""


def _process_name(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return "gone"


def _children(pid: int) -> Iterator[int]:
    with suppress(OSError):
        yield from map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
