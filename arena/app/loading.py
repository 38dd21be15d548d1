"""From what a user calls a bot to the bot itself, and whether it can be loaded: asked in a process of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from arena.app.isolation import Isolation, files_of
from arena.config.botspec import BotSpec
from arena.errors import BotError
from arena.match.apart import UNLOCKED
from arena.players.commands import refer_command
from arena.players.host import Host
from arena.players.isolated import try_isolated
from arena.players.loading import BotRef, find_file, make_bot, refer_file, refer_module
from arena.players.replies import broken

LOAD_LIMIT = 10.0
"""Seconds that a bot may take to load when a run is prepared."""


def refer(spec: BotSpec, options: dict[str, Any] | None = None) -> BotRef:
    """The bot a specification means. Raises BotError where there is none."""
    given = {**spec.options, **(options or {})}
    if spec.kind == "file":
        return refer_file(spec.target, spec.cls, given)
    if spec.kind == "command":
        return refer_command(spec.words, given)
    if spec.kind == "module":
        return refer_module(spec.target, spec.cls or "", given)
    return msgspec.structs.replace(find_file(spec.target), options=given)


def try_loading(refs: Sequence[BotRef], isolation: Isolation) -> list[BotError | None]:
    """For each bot, why it cannot be loaded, or None. Nothing of it happens in this process."""
    if isolation.policy is None and not any(ref.command for ref in refs):
        problems = [_problem(ref) for ref in refs]
    else:
        host, hidden = Host(isolation.policy or UNLOCKED), files_of(refs)
        with contextlib.closing(host):
            problems = [try_isolated(ref, host, hidden, LOAD_LIMIT) for ref in refs]
    return [None if why is None else BotError(why) for why in problems]


def check_loading(refs: Sequence[BotRef], isolation: Isolation) -> None:
    """Raise BotError for the first bot that cannot be loaded."""
    for problem in try_loading(refs, isolation):
        if problem is not None:
            raise problem


def _problem(ref: BotRef) -> str | None:
    """Why the bot cannot be loaded, as a process of its own finds, which is ended afterwards with all it started."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_try_loading, args=(ref, there), daemon=True)
    process.start()
    pid = process.pid
    assert pid is not None
    there.close()
    try:
        if not here.poll(LOAD_LIMIT):
            return f"bot {ref.name} did not load within {LOAD_LIMIT:g} s"
        why: str | None = here.recv()
        return why
    except (EOFError, OSError):
        return f"bot {ref.name} ended its process while it was loaded"
    finally:
        here.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        process.kill()
        process.join()
        process.close()


def _try_loading(ref: BotRef, there: Connection) -> None:
    os.setpgid(0, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        make_bot(ref)
        why = None
    except BotError as problem:
        why = str(problem)
    except BaseException as problem:
        fault = broken(problem, 0.0, ref.path).fault
        why = f"bot {ref.name} cannot be loaded: {fault.evidence if fault else ''}"
    there.send(why)
    there.close()
    os._exit(0)  # nothing that the bot left behind may keep it
