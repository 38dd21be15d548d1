"""A bot in a process of its own, in any language, as the referee sees it: its messages are checked here."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from arena.bot import Finish, Start
from arena.finding.hooks import hooks_named
from arena.finding.reference import BotRef
from arena.games.contract import NO, YES, Hook, View
from arena.isolation.wire.control import OVER_MEMORY
from arena.isolation.worker.bot_pipe import UNREAD_LIMIT
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.printed_at import PrintedAsks, PrintedText
from arena.isolation.worker.process import BotProcess, OpenAsk
from arena.penalties import FaultKind
from arena.players.faults import ENDED_EVIDENCE, Fault
from arena.players.player import TimedAnswer, Usage
from arena.players.reply_checks import tidy_evidence
from arena.protocol.changes import Sender
from arena.protocol.messages import (
    LINE_LIMIT,
    NOTHING_SAID,
    PROTOCOL_VERSION,
    START_ID,
    Asked,
    Begin,
    Bye,
    Failed,
    Told,
    line_of,
)
from arena.protocol.reading import Garbled, is_consult, read_answer, read_consult, read_hello
from arena.sandbox.policy import Amounts

FLOOD_EVIDENCE = f"a line of more than {LINE_LIMIT} bytes, or {UNREAD_LIMIT} lines unasked; the process was ended"


def over_limit(which: int, amounts: Amounts) -> str:
    """The evidence against a bot whose process exceeded a limit: the limit, and the key that raises it."""
    what, key = (
        (f"{amounts.memory} MB of memory", "memory")
        if which == OVER_MEMORY
        else (f"{amounts.threads} threads", "threads")
    )
    return f"more than {what} (sandbox.{key} in the tournament file); the process was ended"


_BYE_LINE = line_of(Bye())


class IsolatedPlayer:
    """Implements :class:`arena.players.player.Player` over the pipe to a process, one of the ``processes`` of the
    match."""

    def __init__(self, ref: BotRef, processes: MatchProcesses, process: BotProcess) -> None:
        self.ref, self.process = ref, process
        self.hooks: frozenset[str] = frozenset()
        self._processes = processes
        self._pipe, self._clock = process.pipe, processes.transport.clock
        self._log = process.pipe.log
        self._printed = PrintedAsks(self._log)
        self._sent = self._received = 0
        self._asks = 0
        self._wants_finish = self._wants_legal = self._told_end = self._closed = False
        self._sender: Sender | None = None
        self._game = ""
        self._rules: object = None

    def start(self, start: Start) -> TimedAnswer:
        """Tell the process the start; the answer is empty, or a fault."""
        process, limit = self.process, start.limits.start
        process.seat = start.seat
        self._game, self._rules, process.ask_limit = start.game, start.rules, start.limits.ask
        first = process.open_ask(START_ID, None, limit)
        begin = {name: getattr(start, name) for name in Start.__struct_fields__}
        self._pipe.send(line_of(Begin(protocol=PROTOCOL_VERSION, options=self.ref.options, **begin)))
        line = self._line(first)
        answered = line if isinstance(line, TimedAnswer) else self._hello(line)
        if answered is None:
            process.asks.append(first)  # hello and the reply have one time together
            answered = self.take(limit)
        return answered

    def _hello(self, line: bytes) -> TimedAnswer | None:
        """Read the bot's first line. Returns None if it is a valid hello, else the fault."""
        try:
            hello = read_hello(line)
        except Garbled as problem:
            return _fault_answer(FaultKind.GARBLED, str(problem))
        if isinstance(hello, Failed):
            return _fault_answer(hello.kind, hello.evidence)
        self.hooks = hooks_named(hello.games, hello.hooks, self._game)
        self._wants_finish, self._wants_legal = "finish" in hello.hooks, hello.legal
        self._sender = Sender(self._game) if hello.views == "changes" else None
        return None

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Send an ask. Its time begins now, or when the bot has answered the one before."""
        self._asks = id = self._asks + 1
        if self._sender is not None:
            ask = Asked(id, hook.name, UNSET, self._sender.changes(view))
        else:
            ask = Asked(id, hook.name, view)
        if self._wants_legal:
            ask = msgspec.structs.replace(ask, legal=view.legal_moves(self._rules))
        line = line_of(ask)
        self._sent += len(line)
        self._pipe.send(line)
        self.process.open_ask(id, hook, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        """The answer to the oldest ask."""
        ask = self.process.asks[0]
        ask.until = ask.since + limit
        line = self._line(ask)
        answered = line if isinstance(line, TimedAnswer) else self._answer(line, ask)
        return self._with_calls(answered) if self.process.calls or self.process.desk_fault else answered

    def _with_calls(self, answered: TimedAnswer) -> TimedAnswer:
        """The answer with the calls of models that were made for it; the fault that the desk found comes before
        whatever the bot answered, unless its process is gone."""
        process = self.process
        calls, process.calls = tuple(process.calls), []
        fault, process.desk_fault = process.desk_fault, None
        if fault is not None and not answered.gone:
            return TimedAnswer(None, fault, answered.seconds, calls=calls)
        return answered._replace(calls=calls)

    def _line(self, ask: OpenAsk) -> bytes | TimedAnswer:
        """The bot's next line, with the time it took noted in ``ask``, the oldest; or the fault, if no line comes in
        time."""
        process, incoming = self.process, self._pipe.incoming
        if not incoming.lines or is_consult(incoming.lines[0][0]):
            self._processes.await_line(process)
        process.asks.popleft()
        if len(self._log) > self._printed.end:
            self._cut(ask, bool(process.asks))
        if not incoming.lines or incoming.flooded:
            ask.seconds = self._clock.now() - ask.since
            return self._gone(ask)
        line, came = incoming.lines.popleft()
        self._received += len(line)
        ask.seconds = seconds = came - ask.since
        simple = not process.asks and process.is_brief(seconds) and came <= ask.until
        return line if simple or process.is_in_time(ask, came) else self._gone(ask)

    def _answer(self, line: bytes, ask: OpenAsk) -> TimedAnswer:
        hook, seconds = ask.hook, ask.seconds
        if hook is not None and hook.idle is not None and line == NOTHING_SAID % ask.id:
            return TimedAnswer(None, None, seconds)
        try:
            if self.process.garbled_consult:
                self.process.garbled_consult = False
                read_consult(line, ask.id)
            reply = read_answer(line, ask.id, hook)
        except Garbled as problem:
            return _fault_answer(FaultKind.GARBLED, str(problem), seconds)
        if isinstance(reply, Failed):
            return _fault_answer(reply.kind, reply.evidence, seconds)
        if hook is None:
            return TimedAnswer(None, None, seconds)
        move = reply.move
        if type(move) is bool:
            move = YES if move else NO
            if type(move) not in hook.moves:
                return _fault_answer(FaultKind.GARBLED, f"{hook.name} is not answered by true or false", seconds)
        if move is None and hook.idle is None:
            expected = ", ".join(str(kind.__struct_config__.tag) for kind in hook.moves)
            return _fault_answer(FaultKind.GARBLED, f"{hook.name} is answered by {expected}; got null", seconds)
        return TimedAnswer(move, None, seconds, reply.say, reply.note)

    def _gone(self, ask: OpenAsk) -> TimedAnswer:
        """The fault of a bot that cannot be asked any more; its process is ended."""
        process = self.process
        self._processes.end([process])
        self._cut(ask, False)
        if process.late:
            fault = Fault(FaultKind.LATE, ENDED_EVIDENCE[FaultKind.LATE])
        elif self._pipe.incoming.flooded:
            fault = Fault(FaultKind.GARBLED, FLOOD_EVIDENCE)
        elif process.exit is not None and process.exit.over_limit:
            fault = Fault(FaultKind.REFUSED, over_limit(process.exit.over_limit, self._processes.transport.amounts))
        else:
            fault = Fault(FaultKind.DEAD, ENDED_EVIDENCE[FaultKind.DEAD])
        computed = ask.cpu_seconds if process.late else None
        return TimedAnswer(None, fault, ask.seconds, gone=True, computed=computed)

    def finish(self, finish: Finish) -> None:
        """Tell the end to a bot that has this hook; send goodbye to it, and to every program."""
        self._told_end = True
        if self.process.running and self._wants_finish:
            self._pipe.send(line_of(Told("finish", finish)))
        if self.process.running and (self._wants_finish or self.ref.command):
            self._pipe.send(_BYE_LINE)

    def close(self) -> None:
        """Wait until a bot that was told the end has finished with it, at most as long as an ask may take."""
        if self._closed or not (self._wants_finish and self._told_end and self.process.running):
            return
        self._closed = True
        incoming, clock = self._pipe.incoming, self._clock
        until = clock.now() + self.process.ask_limit
        while incoming.open and clock.now() < until:
            self._processes.transport.wait([self._pipe], until - clock.now())

    def _cut(self, ask: OpenAsk, more: bool) -> None:
        """Assign the output up to now to this ask, unless ``more`` asks are pending. A program writes no marks into its
        log."""
        hook = "start" if ask.hook is None else ask.hook.name
        self._printed.close_ask(ask.number, hook, more and not self.ref.command)

    @property
    def printed_texts(self) -> list[PrintedText]:
        """The output of the process, ask by ask, after it has ended."""
        self._printed.close_ask(None, "finish")
        return self._printed.parts

    @property
    def usage(self) -> Usage:
        """The resources used by the process, after it has ended."""
        exit = self.process.exit
        return Usage(exit.memory if exit else 0, self._sent, self._received, exit.cpu if exit else 0.0)


def _fault_answer(kind: FaultKind, evidence: str, seconds: float = 0.0) -> TimedAnswer:
    return TimedAnswer(None, Fault(kind, tidy_evidence(evidence)), seconds)
