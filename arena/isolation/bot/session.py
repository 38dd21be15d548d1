"""The match of a Python bot in its own process: reads lines, calls the bot's hooks, writes lines.

The same player class plays the bot in the referee's process, so that both treat it alike.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec

from arena.bot import Bot, Consult, Consulted, ConsultFailed, Finish, Limits, Start
from arena.finding.reference import BotRef
from arena.games import import_game
from arena.isolation.bot.sandboxed_player import SandboxedPlayer
from arena.isolation.bot.streams import end_ask
from arena.players.consult_desk import checked_consult
from arena.players.player import TimedAnswer
from arena.players.reply_checks import EMPTY_ANSWER
from arena.players.watch import Watch
from arena.protocol.changes import Reader
from arena.protocol.messages import (
    NOTHING_SAID,
    PROTOCOL_VERSION,
    START_ID,
    ConsultAnswered,
    ConsultAsked,
    Failed,
    Hello,
    Replied,
    Told,
    line_of,
)

INPUT_DESCRIPTOR, OUTPUT_DESCRIPTOR = 3, 4
"""The descriptors from which lines are read and to which they are written; the log is on 1 and 2. The fork server keeps
them free."""
READ_SIZE = 2048
"""How many bytes are read at once. For a much larger buffer the allocator would tidy up, and write to memory that is
still shared with the fork server."""
ASK_BEGINNING, TELL_BEGINNING, CONSULTED_BEGINNING = b'{"type":"ask"', b'{"type":"tell"', b'{"type":"consulted"'

rules_by_json: dict[bytes, Any] = {}
"""Rules that the fork server has already made from their JSON. Each forked process has its own copy."""


def incoming_lines(descriptor: int) -> Iterator[bytes]:
    """The lines read from the descriptor, until the other end is closed."""
    part = b""
    while data := os.read(descriptor, READ_SIZE):
        data, part = part + data, b""
        if data.find(b"\n") == len(data) - 1:
            yield data
        else:
            *lines, part = data.split(b"\n")
            yield from lines


def send_all(data: bytes) -> None:
    """Write all of ``data`` to the output pipe."""
    sent = os.write(OUTPUT_DESCRIPTOR, data)
    while sent < len(data):
        sent += os.write(OUTPUT_DESCRIPTOR, data[sent:])


class _Begin(msgspec.Struct, tag="start", tag_field="type"):
    game: str
    edition: str
    rules: msgspec.Raw
    players: int
    seat: int
    seed: str
    limits: Limits


_decode_begin = msgspec.json.Decoder(_Begin).decode
_decode_consulted = msgspec.json.Decoder(ConsultAnswered).decode


class BotSession:
    """A bot in this process, which exchanges lines with the worker."""

    def __init__(self, ref: BotRef, game: str) -> None:
        self._game = import_game(game)
        self.player = SandboxedPlayer(ref, Watch())
        self._hooks, self._read = self._game.hooks, Reader(game).read
        self._lines: Iterator[bytes] = iter(())
        self._asked = START_ID
        self._ahead: deque[bytes] = deque()  # came while a model was consulted

    def serve(self, lines: Iterator[bytes]) -> None:
        """Answer the lines, of which the first is the start, until they end or say goodbye."""
        self._lines = lines
        first = next(lines, b"")
        if first:
            began = self.begin(first)
            end_ask()
            send_all(began)
        while line := self._ahead.popleft() if self._ahead else next(lines, b""):
            if line.startswith(ASK_BEGINNING):
                answer = self.answer(line)
                end_ask()
                send_all(answer)
            elif line.startswith(TELL_BEGINNING):
                self.finish(line)
            else:
                return

    def begin(self, line: bytes) -> bytes:
        """Load the bot and tell it the start. Returns the lines of its hello and of its reply."""
        begin, player = _decode_begin(line), self.player
        player.consult_host = self.consult
        if "numpy" in sys.modules:  # imported before the fork: its global generator would be the same in every process
            sys.modules["numpy"].random.seed(int.from_bytes(begin.seed.encode()) % 2**32)
        answered = player.start(_match_start(begin, self._game.rules_type))
        hooks = sorted(player.hooks)
        if getattr(type(player.bot), "finish", Bot.finish) is not Bot.finish:
            hooks.append("finish")
        games = (begin.game,) if player.hooks else ()
        return line_of(Hello(PROTOCOL_VERSION, player.ref.name, games, tuple(hooks), "changes")) + _reply_line(
            START_ID, answered
        )

    def answer(self, line: bytes) -> bytes:
        """The reply to an ask, as a line."""
        id, name, view = self._read(line)
        self._asked = id
        answered = self.player.ask(self._hooks[name], view)
        if answered is EMPTY_ANSWER:
            return NOTHING_SAID % id
        return _reply_line(id, answered)

    def consult(self, consult: Consult) -> Consulted:
        """Send the bot's question to a model, and wait for the answer; asks that come before it are kept. Raises
        ConsultFailed where it ends the ask."""
        if self._asked == START_ID:
            raise RuntimeError("a model can be consulted at an ask only, not at the start")
        checked = checked_consult(consult)
        given = {name: getattr(checked, name) for name in Consult.__struct_fields__}
        send_all(line_of(ConsultAsked(id=self._asked, **given)))
        while not (line := next(self._lines, b"")).startswith(CONSULTED_BEGINNING):
            if not line:
                os._exit(0)  # the match is over
            self._ahead.append(line)
        answered = _decode_consulted(line)
        if answered.failed:
            raise ConsultFailed(answered.consulted.evidence)
        return answered.consulted

    def finish(self, line: bytes) -> None:
        """Tell the bot the end."""
        self._asked = START_ID
        self.player.finish(msgspec.convert(msgspec.json.decode(line, type=Told).view, Finish))


def _match_start(begin: _Begin, rules_type: Any) -> Start:
    given = bytes(begin.rules)
    rules = rules_by_json.get(given) or msgspec.json.decode(given, type=rules_type)
    return Start(begin.game, begin.edition, rules, begin.players, begin.seat, begin.seed, begin.limits)


def _reply_line(id: int, answered: TimedAnswer) -> bytes:
    fault = answered.fault
    if fault is None:
        return line_of(Replied(id, answered.move, answered.say, answered.note))
    return line_of(Failed(id, fault.kind, fault.evidence))
