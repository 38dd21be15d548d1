"""From a fresh child of the fork server to one bot's process: read the request, close the lock, then load the bot.

No file of the bot is loaded before the sandbox is applied. A bot that is a command replaces the program of the process.
"""

from __future__ import annotations

import os
import warnings
from typing import NamedTuple, NoReturn

from arena.errors import BotError
from arena.finding.hooks import games_of, hooks_of
from arena.finding.loading import adopt, compiled, make_bot
from arena.finding.reference import BotRef
from arena.isolation.bot.session import INPUT, OUTPUT, BotSession, read_lines, send
from arena.isolation.wire.requests import BotRequest, encode_code, read_request
from arena.players.debugging import refuse_breakpoints
from arena.players.reply_checks import broken
from arena.protocol.messages import START, VERSION, Failed, Hello, line_of
from arena.sandbox.enclosure import show
from arena.sandbox.lock import lock
from arena.sandbox.policy import Policy

RULESET, OUTSIDE = 5, 6
"""The descriptors of the Landlock ruleset, until the lock is closed, and of what lies outside of the fork server's
root, until the bot's files have been attached to it."""


class ForkServerPeer(NamedTuple):
    """The fork server as its children see it: its pid, and the descriptor ``outside``, -1 where it has no root of its
    own."""

    server: int
    outside: int


def become_bot(policy: Policy, above: ForkServerPeer, descriptors: list[int], ruleset: int) -> NoReturn:
    """Do what the request on the input pipe asks for, as a child of a fork server. ``descriptors`` are the input, the
    output and the log. Never returns."""
    os.setsid()
    _arrange(descriptors, ruleset, above.outside)
    try:
        request, code = read_request(INPUT)
    except EOFError:
        os._exit(0)
    bot = request.bot
    own, program = bot.path if bot.bundled else bot.folder, next(iter(request.command), "")
    try:
        if above.outside >= 0:
            for path in filter(None, (own, program)):
                show(OUTSIDE, path)
            os.close(OUTSIDE)
        os.chdir(os.path.dirname(bot.path) or bot.folder or "/")
        lock(policy, above.server, RULESET, own, program)
    except OSError as problem:
        _cannot_start(bot, problem)
    if request.command:
        _run_program(request, policy)
    refuse_breakpoints()
    if request.task == "play":
        if code:
            adopt(bot, code)
        BotSession(bot, request.game).serve(read_lines(INPUT))
    elif request.task == "compile":
        warnings.simplefilter("ignore")  # the bot's log has them when it is loaded
        send(encode_code(compiled(bot)))
    else:
        send(line_of(_load(bot)))
    os._exit(0)


def _run_program(request: BotRequest, policy: Policy) -> NoReturn:
    """Become the bot's program, with the pipes as its standard input and output."""
    os.dup2(INPUT, 0)
    os.dup2(OUTPUT, 1)
    os.closerange(INPUT, 64)
    try:
        os.execve(request.command[0], request.command, dict(policy.environment))
    except OSError as problem:
        _cannot_start(request.bot, problem, 1)


def _load(ref: BotRef) -> Hello | Failed:
    """The hello of a bot that can be loaded, or why it cannot."""
    try:
        cls = type(make_bot(ref))
        games = games_of(cls)
        hooks = sorted({hook for game in games for hook in hooks_of(cls, game)})
    except BotError as problem:
        return Failed(START, "missing", str(problem))
    except BaseException as problem:
        fault = broken(problem, 0.0, ref.path).fault
        return Failed(START, "missing", f"bot {ref.name} cannot be loaded: {fault.evidence if fault else ''}")
    return Hello(VERSION, ref.name, games, tuple(hooks))


def _cannot_start(bot: BotRef, problem: OSError, output: int = OUTPUT) -> NoReturn:
    told = Failed(START, "missing", f"{bot.name} cannot be started: {problem.strerror or problem}")
    os.write(output, line_of(told))
    os._exit(1)


def _arrange(descriptors: list[int], ruleset: int, outside: int) -> None:
    """Put each descriptor at its place, the log on 1 and 2, and close all others. Descriptor 0 reads nothing: each
    process opens it for itself, because descriptors that were opened once share flags, by which processes could signal
    to each other."""
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    received, sent, log = descriptors
    for descriptor, place in ((log, 1), (log, 2), (received, INPUT), (sent, OUTPUT)):
        os.dup2(descriptor, place)
    for descriptor, place in ((ruleset, RULESET), (outside, OUTSIDE)):
        if descriptor >= 0:
            os.dup2(descriptor, place)
        else:
            os.close(place)
    os.closerange(OUTSIDE + 1, 65_536)
