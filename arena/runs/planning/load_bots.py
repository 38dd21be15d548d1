"""Finds the bot that a user named, and checks whether it can be loaded: in a separate process, unless it is a bundled
one."""

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

from arena.config.botspec import BotSpec
from arena.errors import BotError, UserError
from arena.finding.depot import BotCopies
from arena.finding.exempt_bots import bundled_copy, is_exempt
from arena.finding.files import Trust
from arena.finding.hooks import games_of_class, hooks_named, hooks_of
from arena.finding.loading import make_bot
from arena.finding.programs import refer_command
from arena.finding.reference import BotRef, find_file, refer_file, refer_module
from arena.games import built_in_games
from arena.isolation.worker.fork_server import ForkServer
from arena.isolation.worker.load_and_compile import check_load
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.players.reply_checks import exception_fault
from arena.protocol.messages import Hello
from arena.runs.planning.isolation_level import Isolation
from arena.system.platform_support import can_fork

LOAD_LIMIT = 10.0
"""The maximum time in seconds that a bot may take to load when a run is prepared."""


def refer_to_bot(
    spec: BotSpec,
    options: dict[str, Any] | None = None,
    files: Sequence[str] = (),
    others: Sequence[str] = (),
    trust: Trust = Trust.OWN,
) -> BotRef:
    """The bot that a specification names, with additional ``files`` and without the files of ``others``; ``trust`` says
    whether the files that its own files name are included. Raises BotError where there is no such bot."""
    given = {**spec.options, **(options or {})}
    if spec.kind == "file":
        return refer_file(spec.target, spec.cls, given, files, others, trust)
    if spec.kind == "command":
        return refer_command(spec.words, given, files, others, trust)
    if files:
        raise BotError(f"bot {spec.text} is installed: 'files' are for bots in a file or folder, and for commands")
    if spec.kind == "module":
        return refer_module(spec.target, spec.cls or "", given)
    return msgspec.structs.replace(find_file(spec.target), options=given)


Plays = dict[str, frozenset[str]]
"""The games that a bot plays, each with the hooks that the bot has; for a game from outside arena, all hooks that a bot
program names."""


def try_loading(refs: Sequence[BotRef], isolation: Isolation) -> list[BotError | Plays]:
    """For each bot the games it plays, or the reason why it cannot be loaded. Of all code of bots, only that of bundled
    ones runs in this process."""
    return [BotError(found) if isinstance(found, str) else found for found in _look_at(refs, isolation)]


def check_loading(refs: Sequence[BotRef], isolation: Isolation) -> None:
    """Raise BotError for the first bot that cannot be loaded."""
    for found in try_loading(refs, isolation):
        if isinstance(found, BotError):
            raise found


def check_plays(refs: Sequence[BotRef], game: str, isolation: Isolation) -> None:
    """Raise BotError for the first bot that cannot be loaded, or that declares which games it plays, but not this
    one."""
    for ref, found in zip(refs, try_loading(refs, isolation), strict=True):
        if isinstance(found, BotError):
            raise found
        if found and game not in found:
            raise other_game(ref, found, game)


def other_game(ref: BotRef, plays: Plays, game: str) -> BotError:
    """The error for a bot that plays other games than this one."""
    return BotError(f"bot {ref.name} does not play the game {game}; it plays {', '.join(sorted(plays))}")


def load_here(refs: Sequence[BotRef]) -> None:
    """Load trusted bots in this process. Raises BotError for the first that cannot be loaded."""
    for ref in refs:
        if ref.command:
            raise BotError(f"bot {ref.name} is a program and needs a process of its own; play it with: arena match")
        try:
            with contextlib.redirect_stdout(sys.stderr):
                make_bot(ref)
        except BotError:
            raise
        except Exception as problem:
            raise BotError(_load_problem(ref, problem)) from problem


def plays_here(ref: BotRef) -> Plays:
    """The games that a trusted bot plays; loads the bot in this process. Raises BotError where it cannot be loaded."""
    load_here([ref])
    cls = type(make_bot(ref))
    return {game: hooks_of(cls, game) for game in games_of_class(cls)}


def _load_problem(ref: BotRef, problem: BaseException) -> str:
    fault = exception_fault(problem, 0.0, ref.path).fault
    return f"bot {ref.name} cannot be loaded: {fault.evidence if fault else ''}"


def plays_of(ref: BotRef, isolation: Isolation) -> Plays:
    """The games the bot plays; its code does not run in this process, unless it is a bundled one. Raises BotError if it
    cannot be loaded."""
    (found,) = _look_at([ref], isolation)
    if isinstance(found, str):
        raise BotError(found)
    return found


def _look_at(refs: Sequence[BotRef], isolation: Isolation) -> list[str | Plays]:
    """For each bot the games it plays, or the reason why it cannot be loaded; bundled ones are loaded here."""
    apart = [ref for ref in refs if not is_exempt(ref, isolation.demand)]
    found: list[str | Plays] = []
    if isolation.policy is None and not any(ref.command for ref in apart):
        found = [_inspect_bot(ref) for ref in apart]
    elif apart:
        with contextlib.closing(ForkServer(isolation.policy or UNLOCKED_POLICY)) as server, BotCopies() as depot:
            found = [_look_apart(ref, server, depot) for ref in apart]
    looked = iter(found)
    return [_load_games(bundled_copy(ref)) if is_exempt(ref, isolation.demand) else next(looked) for ref in refs]


def _look_apart(ref: BotRef, server: ForkServer, depot: BotCopies) -> str | Plays:
    """The games the bot plays, or the reason why it cannot be loaded, as its own locked process reports."""
    try:
        told = check_load(depot.place(ref), server, LOAD_LIMIT)
    except UserError as problem:
        return str(problem)
    return told if isinstance(told, str) else _hello_plays(told)


def _hello_plays(hello: Hello) -> Plays:
    """The games in a bot's hello. It imports nothing: the hooks of a game from outside arena are not known here."""
    named = hello.games, hello.hooks
    return {
        game: hooks_named(*named, game) if game in built_in_games() else frozenset(hello.hooks) for game in hello.games
    }


def _inspect_bot(ref: BotRef) -> str | Plays:
    """The games the bot plays, or the reason why it cannot be loaded, determined by a separate process, which is killed
    afterwards with everything it started; by this one where processes cannot be forked."""
    if not can_fork():
        return _load_games(ref)
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
        found: str | Plays = here.recv()
        return found
    except (EOFError, OSError):
        return f"bot {ref.name} ended its process while it was loaded"
    finally:
        here.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        process.kill()
        process.join()
        process.close()


def _load_games(ref: BotRef) -> str | Plays:
    try:
        with contextlib.redirect_stdout(sys.stderr):
            cls = type(make_bot(ref))
        return {game: hooks_of(cls, game) for game in games_of_class(cls)}
    except BotError as problem:
        return str(problem)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        return _load_problem(ref, problem)


def _try_loading(ref: BotRef, there: Connection) -> None:
    os.setpgid(0, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    there.send(_load_games(ref))
    there.close()
    os._exit(0)  # nothing that the bot left behind may keep it running
