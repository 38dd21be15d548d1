"""Handles a terminal that is closed during a match: the human leaves the seat, and the match played so far is kept."""

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
    """Implements :class:`arena.human.terminals.screen.TypedLines` on top of other ``lines``: raises TerminalClosed
    while it waits for a line if the terminal is closed. Output after that is thrown away."""

    def __init__(self, lines: TypedLines) -> None:
        self.lines = lines
        self.gone = self._reading = False

    @property
    def is_terminal(self) -> bool:
        """Whether input comes from a terminal."""
        return self.lines.is_terminal

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """Read the next line. Raises TerminalClosed, and the errors of the other lines."""
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
        """Handle the signal SIGHUP: it raises an exception only while a line is read, so that it does not interrupt a
        match."""
        self.gone = True
        throw_away_output()
        if self._reading:
            raise TerminalClosed


def throw_away_output() -> bool:
    """From now on, throw away output to a terminal, and standard output into a pipe, since a closed one raises errors.
    Returns whether there was one."""
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
    """Context manager: inside it, SIGHUP (the terminal was closed) is passed to ``lines``, unless the signal is
    ignored, as under ``nohup``."""
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
