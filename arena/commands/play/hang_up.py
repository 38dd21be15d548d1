"""A terminal that is closed while somebody plays there: the seat is left, and what was played is kept."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from arena.human.answer import TerminalClosed
from arena.human.terminals.screen import TypedLines


class HangUpLines:
    """Implements :class:`arena.human.terminals.screen.TypedLines` over others: raises HungUp where a line is awaited
    and the terminal is closed, or was closed before. What is printed from then on is thrown away."""

    def __init__(self, lines: TypedLines) -> None:
        self.lines = lines
        self.gone = self._reading = False

    @property
    def is_terminal(self) -> bool:
        """Whether a person sits there."""
        return self.lines.is_terminal

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """The next line. Raises HungUp, and as the others do."""
        self._reading = True
        try:
            if self.gone:
                raise TerminalClosed
            return self.lines.read(prompt, words)
        except (EOFError, OSError) as problem:
            if isinstance(problem, OSError) and problem.errno == errno.EIO:  # noticed before the signal comes
                self.gone = throw_away_output()
            if self.gone:
                raise TerminalClosed from None
            raise
        finally:
            self._reading = False

    def hang_up(self, number: int, frame: FrameType | None) -> None:
        """The signal: nothing is raised but where a line is awaited, so that a match is not torn apart."""
        self.gone = True
        throw_away_output()
        if self._reading:
            raise TerminalClosed


def throw_away_output() -> bool:
    """From now on, what would be printed on a terminal goes nowhere, nor output into a pipe: a closed one refuses
    it. Whether there was one."""
    nowhere, found = os.open(os.devnull, os.O_WRONLY), False
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # one that is no file of the system cannot be closed either
            what = os.fstat(stream.fileno())
            unread = stream is sys.stdout and stat.S_ISFIFO(what.st_mode)
            if os.major(what.st_rdev) or unread:  # a closed terminal is none to isatty any more
                os.dup2(nowhere, stream.fileno())
                found = True
    os.close(nowhere)
    return found


@contextmanager
def hear_hang_up(lines: HangUpLines) -> Iterator[None]:
    """Inside this context ``lines`` hear of the closed terminal (SIGHUP), unless that is ignored, as ``nohup`` does."""
    before = signal.getsignal(signal.SIGHUP)
    if before is signal.SIG_IGN or before is None:
        yield
        return
    try:
        signal.signal(signal.SIGHUP, lines.hang_up)
    except ValueError:  # only the main thread can
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
