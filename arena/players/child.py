"""What runs in the process of one bot and match: lock down, and only then load the bot and answer for it.

Nothing of the bot is touched before the lock is shut. A Python bot is then played by the very player that plays it in
the referee's process, so that it is treated the same; a command takes the process over.
"""

from __future__ import annotations

import fcntl
import os
import socket
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
from arena.players.boot import Boot, parcel, read_letter
from arena.players.faults import FaultKind
from arena.players.hooks import games_of, hooks_of
from arena.players.immortal import share
from arena.players.inprocess import LOWERED, RECURSION_LIMIT, InProcess
from arena.players.loading import BotRef, adopt, compiled, make_bot
from arena.players.player import Answered
from arena.players.replies import NOTHING, broken, read_reply
from arena.players.watch import Watch
from arena.players.zygote import fork_all
from arena.protocol.changes import Reader
from arena.protocol.messages import NOTHING_SAID, START, VERSION, Failed, Hello, Replied, Told, line_of
from arena.sandbox.lock import enclose, lock
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, Policy

INPUT, OUTPUT, RULES = 3, 4, 5
"""Where the protocol comes in and goes out, and the ruleset of the lock; the log is on 1 and 2. The host keeps these
descriptors free."""
READ = 2048
"""Bytes read at once. For a much larger buffer the allocator would tidy up, and touch memory that is still shared."""
ASK, TELL = b'{"type":"ask"', b'{"type":"tell"'


def board(policy: Policy, host: int, descriptors: list[int], rules: int) -> NoReturn:
    """Become the bot that the letter on the input names. Never returns."""
    os.setsid()
    _arrange(descriptors, rules)
    try:
        boot, code = read_letter(INPUT)
    except EOFError:
        os._exit(0)
    bot = boot.bot
    try:
        os.chdir(os.path.dirname(bot.path) or "/")
        enclose(policy, RULES, bot.path, boot.hidden, bot.command[0] if bot.command else "")
    except OSError as problem:
        if boot.errand == "fork":
            os._exit(1)
        _cannot_start(bot, problem)
    if boot.errand in ("play", "fork") and not bot.command:
        _play(boot, code, policy, host)
    _close_lock(bot, policy, host)
    if bot.command:
        os.dup2(INPUT, 0)
        os.dup2(OUTPUT, 1)
        os.closerange(INPUT, 64)
        try:
            os.execve(bot.command[0], bot.command, dict(policy.environment))
        except OSError as problem:
            _cannot_start(bot, problem, 1)
    elif boot.errand == "compile":
        warnings.simplefilter("ignore")  # the bot's log has them when it is loaded
        _send(parcel(compiled(bot)))
    else:
        _send(line_of(_load(bot)))
    os._exit(0)


def _play(boot: Boot, code: bytes, policy: Policy, host: int) -> NoReturn:
    """Play a bot in Python, in this process or, if it is a zygote, in all that it forks."""
    bot = boot.bot
    if Layer.PARENT in policy.layers:
        die_with(host)
    if code:
        adopt(bot, code)
    actor = Actor(bot, boot.game)
    if boot.errand == "fork":
        requests = socket.socket(fileno=fcntl.fcntl(INPUT, fcntl.F_DUPFD, RULES))
        share()
        fork_all(requests)
        _nothing_on_input()
    lines = _lines(INPUT)
    first = next(lines, b"")
    _close_lock(bot, policy, host)
    if first:
        _serve(actor, first, lines)
    os._exit(0)


def _close_lock(bot: BotRef, policy: Policy, host: int) -> None:
    try:
        lock(policy, host, bool(bot.command))
    except OSError as problem:
        _cannot_start(bot, problem)


def _cannot_start(bot: BotRef, problem: OSError, output: int = OUTPUT) -> NoReturn:
    told = Failed(START, "missing", f"{bot.name} cannot be started: {problem.strerror or problem}")
    os.write(output, line_of(told))
    os._exit(1)


def _nothing_on_input() -> None:
    """Opened by each for itself: what is opened once has flags in common, by which processes could tell each other."""
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)


def _arrange(descriptors: list[int], rules: int) -> None:
    """Each descriptor at its place, the log on 1 and 2, and all others closed."""
    _nothing_on_input()
    received, sent, log = descriptors
    for descriptor, place in ((log, 1), (log, 2), (received, INPUT), (sent, OUTPUT)):
        os.dup2(descriptor, place)
    if rules >= 0:
        os.dup2(rules, RULES)
    os.closerange(RULES + (rules >= 0), 65_536)


def _lines(descriptor: int) -> Iterator[bytes]:
    part = b""
    while data := os.read(descriptor, READ):
        data, part = part + data, b""
        if data.find(b"\n") == len(data) - 1:
            yield data
        else:
            *lines, part = data.split(b"\n")
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

    def __init__(self, ref: BotRef, game: str) -> None:
        self.player, self._game = Locked(ref, Watch()), load_game(game)
        self._hooks, self._read = self._game.hooks, Reader(game).read

    def begin(self, line: bytes) -> bytes:
        """Load the bot and tell it the start: hello, and the reply to it."""
        begin, player = _decode_begin(line), self.player
        if "numpy" in sys.modules:  # imported before the fork: its global generator would be the same in every process
            sys.modules["numpy"].random.seed(int.from_bytes(begin.seed.encode()) % 2**32)
        answered = player.start(_start(begin, self._game.rules_type))
        hooks = sorted(player.hooks)
        if getattr(type(player.bot), "finish", Bot.finish) is not Bot.finish:
            hooks.append("finish")
        return line_of(Hello(VERSION, player.ref.name, tuple(hooks), "changes")) + _answer(START, answered)

    def answer(self, line: bytes) -> bytes:
        """Reply to an ask."""
        id, name, view = self._read(line)
        answered = self.player.ask(self._hooks[name], view)
        if answered is NOTHING:
            return NOTHING_SAID % id
        return _answer(id, answered)

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


def _serve(actor: Actor, first: bytes, lines: Iterator[bytes]) -> None:
    """Answer for the bot until it is told to end, or the lines do."""
    _send(actor.begin(first))
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
    if fault is None:
        return line_of(Replied(id, answered.move, answered.say, answered.note))
    return line_of(Failed(id, fault.kind.value, fault.evidence))  # type: ignore[arg-type]


def _send(data: bytes) -> None:
    sent = os.write(OUTPUT, data)
    while sent < len(data):
        sent += os.write(OUTPUT, data[sent:])
