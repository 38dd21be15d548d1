"""What runs in the process of one bot and match: lock down, and only then load the bot and answer for it.

Nothing of the bot is touched before the lock is shut. A Python bot is then played by the very player that plays it in
the referee's process, so that it is treated the same; a command takes the process over.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import msgspec

from arena.bot import Bot, Finish, Limits, Start
from arena.errors import BotError
from arena.games import load_game
from arena.games.contract import Hook, View
from arena.players.faults import FaultKind
from arena.players.hooks import games_of, hooks_of
from arena.players.host import Boot
from arena.players.inprocess import LOWERED, RECURSION_LIMIT, InProcess
from arena.players.loading import BotRef, make_bot
from arena.players.player import Answered
from arena.players.replies import NOTHING, broken, read_reply
from arena.players.watch import Watch
from arena.protocol.changes import Reader
from arena.protocol.messages import START, VERSION, Failed, Hello, Replied, Told, line_of
from arena.sandbox.lock import lock
from arena.sandbox.policy import Policy

INPUT, OUTPUT = 3, 4
ASK, TELL = b'{"type":"ask"', b'{"type":"tell"'


decode_boot = msgspec.json.Decoder(Boot).decode


def board(policy: Policy, host: int, descriptors: list[int]) -> NoReturn:
    """Become the bot that the first line on the input names. Never returns."""
    os.setsid()
    _arrange(descriptors)
    boot = decode_boot(_line(INPUT))
    folder = os.path.dirname(boot.bot.path) or "/"
    try:
        os.chdir(folder)
        lock(policy, host, boot.bot.path, boot.hidden, boot.bot.command[0] if boot.bot.command else "")
        os.environ.clear()
        if boot.bot.command:
            os.dup2(INPUT, 0)
            os.dup2(OUTPUT, 1)
            os.closerange(3, 64)
            os.execve(boot.bot.command[0], boot.bot.command, dict(policy.environment))
    except OSError as problem:
        told = Failed(START, "missing", f"{boot.bot.name} cannot be started: {problem.strerror or problem}")
        os.write(1 if boot.bot.command else OUTPUT, line_of(told))
        os._exit(1)
    sys.dont_write_bytecode = True
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        log = open(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        setattr(sys, name, log)
        setattr(sys, f"__{name}__", log)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if boot.load_only:
        _send(line_of(_load(boot.bot)))
    else:
        _serve(Actor(boot.bot), _lines(INPUT))
    os._exit(0)


def _arrange(descriptors: list[int]) -> None:
    """Input and output of the protocol on 3 and 4, nothing on 0, the log on 1 and 2; all others closed."""
    high = [os.dup2(descriptor, 100 + index) for index, descriptor in enumerate(descriptors)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, place in ((nothing, 0), (high[2], 1), (high[2], 2), (high[0], INPUT), (high[1], OUTPUT)):
        os.dup2(descriptor, place)
    os.closerange(OUTPUT + 1, 65_536)


def _line(descriptor: int) -> bytes:
    """One line, and not a byte more."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(descriptor, 1)
        if not byte:
            os._exit(0)
        line += byte
    return line


def _lines(descriptor: int) -> Iterator[bytes]:
    part = b""
    while data := os.read(descriptor, 65_536):
        *lines, part = (part + data).split(b"\n")
        yield from lines


class _Begin(msgspec.Struct, tag="start", tag_field="type"):
    game: str
    edition: str
    rules: msgspec.Raw
    players: int
    seat: int
    seed: str
    limits: Limits


_decode_begin = msgspec.json.Decoder(_Begin).decode


class Locked(InProcess):
    """The player inside: what the sandbox forbids is told apart from what the bot broke."""

    def ask(self, hook: Hook, view: View) -> Answered:
        """What the bot answers; the referee's end of the pipe has the clock."""
        try:
            answered = read_reply(hook, getattr(self.bot, hook.name)(view))
        except BaseException as problem:
            answered = self._fault(problem, 0.0)
        if sys.getrecursionlimit() < RECURSION_LIMIT:
            sys.setrecursionlimit(RECURSION_LIMIT)
            return Answered(None, LOWERED, 0.0)
        return answered

    def _fault(self, problem: BaseException, seconds: float) -> Answered:
        answered = super()._fault(problem, seconds)
        if type(problem) is PermissionError and answered.fault is not None:
            return broken(problem, seconds, self.ref.path, FaultKind.REFUSED)
        return answered


class Actor:
    """A bot in this process, spoken to in lines."""

    def __init__(self, ref: BotRef) -> None:
        self.player = Locked(ref, Watch())

    def begin(self, line: bytes) -> bytes:
        """Load the bot and tell it the start: hello, and the reply to it."""
        begin, player = _decode_begin(line), self.player
        game = load_game(begin.game)
        self._hooks, self._reader = game.hooks, Reader(begin.game)
        if "numpy" in sys.modules:  # imported before the fork: its global generator would be the same in every process
            sys.modules["numpy"].random.seed(int.from_bytes(begin.seed.encode()) % 2**32)
        answered = player.start(_start(begin, game.rules_type))
        hooks = sorted(player.hooks)
        if getattr(type(player.bot), "finish", Bot.finish) is not Bot.finish:
            hooks.append("finish")
        return line_of(Hello(VERSION, player.ref.name, tuple(hooks), "changes")) + _answer(START, answered)

    def answer(self, line: bytes) -> bytes:
        """Reply to an ask."""
        id, name, view = self._reader.read(line)
        return _answer(id, self.player.ask(self._hooks[name], view))

    def finish(self, line: bytes) -> None:
        """Be told the end."""
        self.player.finish(msgspec.convert(msgspec.json.decode(line, type=Told).view, Finish))


def _load(ref: BotRef) -> Hello | Failed:
    """Load a bot, only to see whether it can be."""
    try:
        cls = type(make_bot(ref))
        hooks = sorted({hook for game in games_of(cls) for hook in hooks_of(cls, game)})
    except BotError as problem:
        return Failed(START, "missing", str(problem))
    except BaseException as problem:
        fault = broken(problem, 0.0, ref.path).fault
        return Failed(START, "missing", f"bot {ref.name} cannot be loaded: {fault.evidence if fault else ''}")
    return Hello(VERSION, ref.name, tuple(hooks))


def _serve(actor: Actor, lines: Iterator[bytes]) -> None:
    """Answer for the bot until it is told to end, or the lines do."""
    _send(actor.begin(next(lines)))
    for line in lines:
        if line.startswith(ASK):
            _send(actor.answer(line))
        elif line.startswith(TELL):
            actor.finish(line)
        else:
            return


def _start(begin: _Begin, rules_type: Any) -> Start:
    rules = msgspec.json.decode(begin.rules, type=rules_type)
    fields = {name: getattr(begin, name) for name in Start.__struct_fields__}
    return Start(**{**fields, "rules": rules})


def _answer(id: int, answered: Answered) -> bytes:
    fault = answered.fault
    if answered is NOTHING:
        return b'{"type":"reply","id":%d}\n' % id
    if fault is None:
        return line_of(Replied(id, answered.move, answered.say, answered.note))
    return line_of(Failed(id, fault.kind.value, fault.evidence))  # type: ignore[arg-type]


def _send(data: bytes) -> None:
    sent = os.write(OUTPUT, data)
    while sent < len(data):
        sent += os.write(OUTPUT, data[sent:])
