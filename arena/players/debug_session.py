"""A debugging session: bots play in this process, their output is shown in place, and at chosen moments a debugger
opens at the terminal. From then on no time limit applies, because a person thinks longer than any bot may.

As usual, the environment variable PYTHONBREAKPOINT names another debugger than Python's own, such as
``ipdb.set_trace``; with 0, ``breakpoint()`` does nothing.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

from arena.errors import UserError
from arena.games.contract import View
from arena.players.breakpoint_player import TerminalStream
from arena.players.watch import Watch

if TYPE_CHECKING:
    from arena.players.debugger import Debugger

LIMITS_OFF = "arena: time limits are off from here on"


def check_terminal() -> None:
    """Raise UserError where there is no terminal to debug at."""
    if not (sys.stdin.isatty() and (sys.stdout.isatty() or sys.stderr.isatty())):
        raise UserError("--pdb needs a terminal for standard input and output")


class DebugSession:
    """Inside ``with``, bots' output goes through ``printed``, and ``breakpoint()`` works. ``left`` says that the user
    has quit the debugger for good."""

    def __init__(self) -> None:
        self.watch = Watch()
        self.left = False
        self._named = os.environ.get("PYTHONBREAKPOINT", "")
        self._streams = sys.stdin, sys.stdout, sys.stderr
        self._hook = sys.breakpointhook
        self.printed = TerminalStream(sys.stderr)

    def __enter__(self) -> Self:
        self._streams, self._hook = (sys.stdin, sys.stdout, sys.stderr), sys.breakpointhook
        self.printed = TerminalStream(sys.stderr)
        sys.stdout = sys.stderr = self.printed
        sys.breakpointhook = self._breakpoint
        if self._names_another:
            self.watch.suspended = True  # nobody tells when the other one opens
            sys.breakpointhook = sys.__breakpointhook__
        return self

    def __exit__(self, *raised: object) -> None:
        sys.stdin, sys.stdout, sys.stderr = self._streams
        sys.breakpointhook = self._hook

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Inside this context, bots' output is not shown, and ``breakpoint()`` does nothing. The stream object is the
        same as outside, because a bot's logger may keep a reference to it."""
        hook, sys.breakpointhook = sys.breakpointhook, lambda *arguments, **more: None
        self.printed.silent = True
        try:
            yield
        finally:
            self.printed.silent = False
            sys.breakpointhook = hook

    @property
    def _names_another(self) -> bool:
        return self._named not in ("", "0")

    def stop_in(self, method: Callable[[View], Any], view: View, told: str) -> Any:
        """Call the method with the view and return its answer; the debugger opens at the method's first line. ``told``
        describes the ask."""
        self._open(told)
        if self._names_another:
            self._say("arena: step into the bot's method with: s")
            breakpoint()
            return method(view)
        return self._debugger().runcall(method, view)

    def look_at(self, problem: BaseException, home: str, told: str) -> None:
        """Open the debugger where an exception was raised in the bot's file, or in another file below ``home``."""
        if self.left or problem.__traceback__ is None:
            return
        self._open(told)
        if self._names_another and (other := self._others_post_mortem()) is not None:
            with self.at_terminal():
                other(problem.__traceback__)
            return
        self._debugger().look_at(problem.__traceback__, home)

    def _others_post_mortem(self) -> Callable[[Any], Any] | None:
        """The function by which another debugger, such as ``ipdb`` or ``pudb``, examines exceptions; None if it has
        none."""
        with suppress(ImportError):
            found = getattr(importlib.import_module(self._named.rpartition(".")[0]), "post_mortem", None)
            return found if callable(found) else None
        return None

    def _breakpoint(self, *arguments: Any, **more: Any) -> Any:
        if self._named == "0":
            return None
        self._open("")
        return self._debugger().set_trace(sys._getframe(1))

    def _open(self, told: str) -> None:
        """Print where the debugger opens."""
        if not self.watch.suspended:
            self.watch.suspend()
            self._say(LIMITS_OFF)
        if told:
            self._say(told)

    def _say(self, text: str) -> None:
        self.printed.end_line()
        print(text, file=self._streams[2], flush=True)

    def _debugger(self) -> Debugger:
        from arena.players.debugger import Debugger

        return Debugger(self.at_terminal, self._leave)

    def _leave(self) -> None:
        self.left = True

    @contextmanager
    def at_terminal(self) -> Iterator[None]:
        """Inside this context, the standard streams are the terminal's."""
        before = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = self._streams
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
