"""A command at a terminal of its own, spoken to as a person does."""

from __future__ import annotations

import os
import pty
import select
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.conftest import environment_of, warm_start


class AtTerminal:
    """What is ``shown`` at a terminal, where ``arena`` runs."""

    def __init__(self, descriptor: int, pid: int) -> None:
        self.descriptor, self.pid = descriptor, pid
        self.shown = ""
        self._seen = 0
        self._code: int | None = None

    def until(self, wanted: str, seconds: float = 30) -> str:
        """What is shown from the last time to ``wanted``."""
        end = time.monotonic() + seconds
        while wanted not in self.shown[self._seen :]:
            assert self._ready(end - time.monotonic()), self.shown
            assert self._read(), f"it has ended:\n{self.shown}"
        before, self._seen = self._seen, self.shown.index(wanted, self._seen) + len(wanted)
        return self.shown[before : self._seen]

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self.descriptor, f"{text}\n".encode())

    def press(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.descriptor, keys)

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C, until it ends: one that comes just before a line is read is only seen with the next key."""
        for _ in range(30):
            self.press(b"\x03")
            if select.select([self.descriptor], [], [], 1.0)[0]:
                break
        return self.end()

    def end(self) -> tuple[int, str]:
        """Its exit code, and what is shown from the last time on."""
        while self._ready(30) and self._read():
            pass
        return self.wait(), self.shown[self._seen :]

    def wait(self) -> int:
        """Its exit code."""
        if self._code is None:
            self._code = warm_start().wait()
            assert self._code is not None
        return self._code

    def close(self) -> None:
        """Close the terminal; a command that has not ended is ended."""
        os.close(self.descriptor)
        if self._code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.wait()

    def _ready(self, seconds: float) -> bool:
        """Wait until there is something to be read; a command that says nothing for so long is ended."""
        if select.select([self.descriptor], [], [], max(0.0, seconds))[0]:
            return True
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return False

    def _read(self) -> bool:
        try:
            data = os.read(self.descriptor, 4096)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


@contextmanager
def at_terminal(folder: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Iterator[AtTerminal]:
    """The command ``arena`` with these arguments, in this folder, with ``more`` in its environment, forked from a
    process that has imported arena."""
    descriptor, theirs = pty.openpty()
    environment = {**environment_of(), "TERM": "dumb", "HOME": str(folder), **(more or {})}
    pid = warm_start().start(folder, arguments, environment, [theirs] * 3)
    os.close(theirs)
    with closing(AtTerminal(descriptor, pid)) as terminal:
        yield terminal
