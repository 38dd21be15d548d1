"""What runs in the process of one bot and match: lock down, and only then load the bot and answer for it.

Nothing of the bot is touched before the lock is shut. A Python bot is then played by the very player that plays it in
the referee's process, so that it is treated the same; a command takes the process over.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from errno import EROFS
from typing import Any, NoReturn

import msgspec

from arena.bot import Bot, Finish, Limits, Start
from arena.errors import BotError
from arena.games import load_game
from arena.games.contract import Hook, View
from arena.players.boot import parcel, read_letter
from arena.players.faults import FaultKind
from arena.players.hooks import games_of, hooks_of
from arena.players.inprocess import LOWERED, RECURSION_LIMIT, InProcess
from arena.players.loading import BotRef, adopt, compiled, make_bot
from arena.players.player import Answered
from arena.players.replies import NOTHING, broken, read_reply
from arena.players.watch import Watch
from arena.protocol.changes import Reader
from arena.protocol.messages import START, VERSION, Failed, Hello, Replied, Told, line_of
from arena.sandbox.lock import lock
from arena.sandbox.policy import Policy

INPUT, OUTPUT, RULES = 3, 4, 5
"""Where the protocol comes in and goes out, and the ruleset of the lock. The host keeps these descriptors free."""
ASK, TELL = b'{"type":"ask"', b'{"type":"tell"'


def board(policy: Policy, host: int, descriptors: list[int], rules: int) -> NoReturn:
    """Become the bot that the letter on the input names. Never returns."""
    os.setsid()
    _arrange(descriptors, rules)
    try:
        boot, code = read_letter(INPUT)
    except EOFError:
        os._exit(0)
    bot, output = boot.bot, OUTPUT
    try:
        os.chdir(os.path.dirname(bot.path) or "/")
        lock(policy, host, RULES, bot.path, boot.hidden, bot.command[0] if bot.command else "")
        if bot.command:
            os.dup2(INPUT, 0)
            os.dup2(OUTPUT, 1)
            output = 1
            os.closerange(INPUT, 64)
            os.execve(bot.command[0], bot.command, dict(policy.environment))
    except OSError as problem:
        told = Failed(START, "missing", f"{bot.name} cannot be started: {problem.strerror or problem}")
        os.write(output, line_of(told))
        os._exit(1)
    if boot.errand == "compile":
        warnings.simplefilter("ignore")  # the bot's log has them when it is loaded
        _send(parcel(compiled(bot)))
    elif boot.errand == "load":
        _send(line_of(_load(bot)))
    else:
        if code:
            adopt(bot, code)
        _serve(Actor(bot), _lines(INPUT))
    os._exit(0)


def _arrange(descriptors: list[int], rules: int) -> None:
    """Each descriptor at its place, the log on 1 and 2, and all others closed; on 0 the host has nothing."""
    received, sent, log = descriptors
    for descriptor, place in ((log, 1), (log, 2), (received, INPUT), (sent, OUTPUT)):
        os.dup2(descriptor, place)
    if rules >= 0:
        os.dup2(rules, RULES)
    os.closerange(RULES + (rules >= 0), 65_536)


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
rehearsed: dict[bytes, Any] = {}
"""Rules by their JSON, as the host has made them for its children: each has a copy of its own by the fork."""


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
        refused = type(problem) is PermissionError or (type(problem) is OSError and problem.errno == EROFS)
        if refused and answered.fault is not None:
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
    given = bytes(begin.rules)
    rules = rehearsed.get(given) or msgspec.json.decode(given, type=rules_type)
    return Start(begin.game, begin.edition, rules, begin.players, begin.seat, begin.seed, begin.limits)


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
