"""Turns a fresh child of the fork server into one bot's process: reads the request, applies the lock, then loads the
bot.

No file of the bot is loaded before the sandbox is applied. A bot that is a command replaces the program of the process.
"""

from __future__ import annotations

import os
import warnings
from typing import NamedTuple, NoReturn

from arena.errors import BotError
from arena.finding.hooks import games_of_class, hooks_of
from arena.finding.loading import adopt_code, compile_bot, make_bot
from arena.finding.reference import BotRef
from arena.isolation.bot.session import INPUT_DESCRIPTOR, OUTPUT_DESCRIPTOR, BotSession, incoming_lines, send_all
from arena.isolation.wire.requests import BotRequest, encode_code, read_request
from arena.penalties import FaultKind
from arena.players.debugging import refuse_breakpoints
from arena.players.reply_checks import exception_fault
from arena.protocol.messages import PROTOCOL_VERSION, START_ID, Failed, Hello, line_of
from arena.sandbox.enclosure import mount_from_outside
from arena.sandbox.lock import lock_process
from arena.sandbox.policy import SandboxPolicy

RULESET_DESCRIPTOR, OUTSIDE_DESCRIPTOR = 5, 6
"""The descriptors of the Landlock ruleset, until the lock is applied, and of the root outside the fork server's own,
until the bot's files have been attached to that."""


class ForkServerPeer(NamedTuple):
    """The fork server as its children see it: its pid, and ``outside``, the descriptor of the root outside its own, -1
    where it has no root of its own."""

    server: int
    outside: int


def become_bot(policy: SandboxPolicy, above: ForkServerPeer, descriptors: list[int], ruleset: int) -> NoReturn:
    """Carry out the request on the input pipe, as a child of a fork server. ``descriptors`` are the input, the output
    and the log. Never returns."""
    os.setsid()
    _arrange_descriptors(descriptors, ruleset, above.outside)
    try:
        request, code = read_request(INPUT_DESCRIPTOR)
    except EOFError:
        os._exit(0)
    bot = request.bot
    own, program = bot.path if bot.bundled else bot.folder, next(iter(request.command), "")
    try:
        if above.outside >= 0:
            for path in filter(None, (own, program)):
                mount_from_outside(OUTSIDE_DESCRIPTOR, path)
            os.close(OUTSIDE_DESCRIPTOR)
        os.chdir(os.path.dirname(bot.path) or bot.folder or "/")
        lock_process(policy, above.server, RULESET_DESCRIPTOR, own, program)
    except OSError as problem:
        _cannot_start(bot, problem)
    if request.command:
        _run_program(request, policy)
    refuse_breakpoints()
    if request.task == "play":
        if code:
            adopt_code(bot, code)
        BotSession(bot, request.game).serve(incoming_lines(INPUT_DESCRIPTOR))
    elif request.task == "compile":
        warnings.simplefilter("ignore")  # the bot's log has them when it is loaded
        send_all(encode_code(compile_bot(bot)))
    else:
        send_all(line_of(_load_bot(bot)))
    os._exit(0)


def _run_program(request: BotRequest, policy: SandboxPolicy) -> NoReturn:
    """Replace this process by the bot's program, with the pipes as its standard input and output."""
    os.dup2(INPUT_DESCRIPTOR, 0)
    os.dup2(OUTPUT_DESCRIPTOR, 1)
    os.closerange(INPUT_DESCRIPTOR, 64)
    try:
        os.execve(request.command[0], request.command, dict(policy.environment))
    except OSError as problem:
        _cannot_start(request.bot, problem, 1)


def _load_bot(ref: BotRef) -> Hello | Failed:
    """The hello of a bot that can be loaded, or the reason why it cannot."""
    try:
        cls = type(make_bot(ref))
        games = games_of_class(cls)
        hooks = sorted({hook for game in games for hook in hooks_of(cls, game)})
    except BotError as problem:
        return Failed(START_ID, FaultKind.MISSING, str(problem))
    except BaseException as problem:
        fault = exception_fault(problem, 0.0, ref.path).fault
        return Failed(
            START_ID, FaultKind.MISSING, f"bot {ref.name} cannot be loaded: {fault.evidence if fault else ''}"
        )
    return Hello(PROTOCOL_VERSION, ref.name, games, tuple(hooks))


def _cannot_start(bot: BotRef, problem: OSError, output: int = OUTPUT_DESCRIPTOR) -> NoReturn:
    told = Failed(START_ID, FaultKind.MISSING, f"{bot.name} cannot be started: {problem.strerror or problem}")
    os.write(output, line_of(told))
    os._exit(1)


def _arrange_descriptors(descriptors: list[int], ruleset: int, outside: int) -> None:
    """Move each descriptor to its place, the log to 1 and 2, and close all others. Descriptor 0 reads nothing: each
    process opens it itself, because processes that share an open file share its flags, through which they could signal
    to each other."""
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    received, sent, log = descriptors
    for descriptor, place in ((log, 1), (log, 2), (received, INPUT_DESCRIPTOR), (sent, OUTPUT_DESCRIPTOR)):
        os.dup2(descriptor, place)
    for descriptor, place in ((ruleset, RULESET_DESCRIPTOR), (outside, OUTSIDE_DESCRIPTOR)):
        if descriptor >= 0:
            os.dup2(descriptor, place)
        else:
            os.close(place)
    os.closerange(OUTSIDE_DESCRIPTOR + 1, 65_536)
