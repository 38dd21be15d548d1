"""``breakpoint()`` in a bot: it opens a debugger at the terminal in ``arena match --trust``, elsewhere raises an error
that says so."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from arena.players.watch import Watch

DEBUGGER_REFUSAL = "breakpoint() works in: arena match --trust"


def refuse_breakpoints() -> None:
    """Make ``breakpoint()`` raise RuntimeError in this process, which has no terminal for debugging."""
    sys.breakpointhook = _refuse_debugger


def _refuse_debugger(*arguments: Any, **more: Any) -> NoReturn:
    raise RuntimeError(DEBUGGER_REFUSAL)


def allow_breakpoints(watch: Watch, group: int) -> None:
    """Make ``breakpoint()`` open a debugger at the terminal that this process was started from.

    From the first breakpoint on no time limit applies in the match, because a person thinks longer than any bot may.
    The process joins the process ``group`` in the foreground, else the terminal would stop it for reading. As usual,
    the environment variable PYTHONBREAKPOINT names another debugger, or with 0 none.
    """

    def debug(*arguments: Any, **more: Any) -> Any:
        named = os.environ.get("PYTHONBREAKPOINT", "")
        if named == "0":
            return None
        if not watch.suspended:
            watch.suspend()
            os.setpgid(0, group)
            sys.stdin = open(0, closefd=False)  # noqa: SIM115 - multiprocessing has given it away
            print("arena: breakpoint: time limits are off for the rest of the match", file=sys.stderr)
        if named:
            return sys.__breakpointhook__(*arguments, **more)
        import pdb  # rarely needed, and slow to import

        return pdb.Pdb(stdout=sys.stderr, nosigint=True).set_trace(sys._getframe(1))

    sys.breakpointhook = debug
