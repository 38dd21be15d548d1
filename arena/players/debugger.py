"""Python's debugger at the terminal, for bots in this process. Slow to import: it is imported when it is needed."""

from __future__ import annotations

import pdb
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType

AtTerminal = Callable[[], AbstractContextManager[None]]
"""A context manager; inside it, the standard streams are those of the terminal."""


class Debugger(pdb.Pdb):
    """A debugger that talks at the terminal, even while the standard streams are replaced. ``left`` is called when the
    user quits, by ``q``, Ctrl-D or Ctrl-C."""

    def __init__(self, at_terminal: AtTerminal, left: Callable[[], None]) -> None:
        self._at_terminal, self._left = at_terminal, left
        with at_terminal():
            super().__init__(stdout=None if sys.stdout.isatty() else sys.stderr, nosigint=True)

    def cmdloop(self, intro: str | None = None) -> None:
        """Run the dialog with the user at the terminal."""
        with self._at_terminal():
            try:
                super().cmdloop(intro)
            except KeyboardInterrupt:
                self.message("")
                self.set_quit()

    def set_quit(self) -> None:
        """Quit, at the user's request."""
        self._left()
        super().set_quit()

    def look_at(self, trace: TracebackType, home: str) -> None:
        """Examine the place where an exception was raised, in the innermost frame of a file whose path begins with
        ``home``."""
        while trace.tb_next is not None and not _is_at(trace, home):
            trace = trace.tb_next
        above, each = 0, trace
        while each.tb_next is not None:
            each = each.tb_next
            above = 0 if _is_at(each, home) else above + 1
        if above:
            self.cmdqueue.append(f"up {above}")
        self.reset()
        self.interaction(None, trace)


def _is_at(trace: TracebackType, home: str) -> bool:
    return bool(home) and trace.tb_frame.f_code.co_filename.startswith(home)
