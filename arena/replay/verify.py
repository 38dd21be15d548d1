"""Verification: play the recorded decisions again without bots and compare every line, byte by byte."""

from __future__ import annotations

import re

import msgspec

from arena.errors import IllegalMove, Mismatch, ReplayError
from arena.games import load_game
from arena.games.chance import SCHEME, Chance
from arena.games.contract import Ask, Event, Move, State
from arena.players.faults import Fault, FaultKind
from arena.replay.conduct import MAY_END, Conduct, conduct_of
from arena.replay.lines import FORMAT, Answered, Faulted, Header, Recorder, Result, encode, move_decoder
from arena.replay.read import UNREADABLE, game_of, read_header, read_line, rules_of, split

SHOWN = 300
RESULT = b'{"event":"result"'


def verify(content: bytes) -> Header:
    """Check a whole replay; its header when everything is right.

    Raises Mismatch, naming the first line that differs, what was expected and what stands there; ReplayError
    where the file is no finished replay at all.
    """
    return Verifier(content).run()


class Verifier:
    """Writes the replay again from its seed and its decisions, and compares while it goes."""

    def __init__(self, content: bytes) -> None:
        self.lines = split(content)
        self.at = 0
        self.again = Recorder()
        self.events: list[Event] = []
        self.asks = 0

    def run(self) -> Header:
        """See :func:`verify`."""
        header = self.header = self.read_header()
        if not self.lines[-1].startswith(RESULT) and b'"sha256":"' not in self.lines[-1]:
            raise ReplayError(f"line {len(self.lines) + 1}: cut off: the result is missing")
        state = self.set_up(header)
        self.conduct: Conduct = conduct_of(header)
        self.expect(header)
        self.expect_events()
        self.start_faults()
        while state.asks:
            self.phase(state)
            self.expect_events()
        outcome = state.outcome
        assert outcome is not None
        results = self.conduct.results([seat.entrant for seat in header.seats], outcome)
        result = Result(results, outcome.termination, self.asks, self.again.sha256, self.conduct.void)
        self.expect(result)
        if self.at < len(self.lines):
            raise self.differs("the end of the file", self.lines[self.at])
        return header

    def read_header(self) -> Header:
        """The first line; a damaged one of this format is a mismatch, anything else is no replay."""
        try:
            return read_header(self.lines[0])
        except ReplayError as problem:
            if self.lines[0].startswith(b'{"event":"match"') and f'"{FORMAT}"'.encode() in self.lines[0]:
                raise self.differs(f"a header ({problem})", self.lines[0]) from None
            raise

    def set_up(self, header: Header) -> State:
        """The match as the header starts it."""
        if header.chance != SCHEME:
            raise ReplayError(f"line 1: the chance scheme is {header.chance!r}; this arena knows {SCHEME}")
        game = game_of(header)
        try:
            rules = rules_of(header)
            conduct_of(header)
            state = game.start(rules, len(header.seats), Chance(header.seed), self.events)
        except (ReplayError, ValueError) as problem:
            raise self.differs(f"a header that holds together ({problem})", self.lines[0]) from None
        name = str(header.rules.get("name", ""))
        if not re.fullmatch(re.escape(name) + r"([+-].*)?", header.edition):
            raise self.differs(f"an edition that its rules have, {name!r}", self.lines[0])
        return state

    def expect(self, line: Event) -> None:
        """The next line of the file must be this one."""
        expected = encode(line)[:-1]
        if self.at >= len(self.lines):
            raise self.differs(_shown(expected), None)
        if self.lines[self.at] != expected:
            raise self.differs(_shown(expected), self.lines[self.at])
        self.again.write(line)
        self.at += 1

    def expect_events(self) -> None:
        """Everything that happened must stand next in the file."""
        for event in self.events:
            self.expect(event)
        self.events.clear()

    def differs(self, expected: str, found: bytes | None) -> Mismatch:
        """The mismatch at the current line."""
        there = "the file ends" if found is None else f"found    {_shown(found)}"
        return Mismatch(f"line {self.at + 1}:\n  expected {expected}\n  {there}")

    def peek(self, ask: int) -> Answered | Faulted | None:
        """The next line where it is a decision about ``ask``."""
        if self.at >= len(self.lines):
            return None
        raw = self.lines[self.at]
        if not raw.startswith((b'{"event":"answer"', b'{"event":"fault"')):
            return None
        try:
            line = read_line(self.header.game, raw, self.at + 1)
        except ReplayError as problem:
            raise self.differs(f"a line that can be read ({problem})", raw) from None
        return line if isinstance(line, Answered | Faulted) and line.ask == ask else None

    def start_faults(self) -> None:
        """Faults at the start, by seat."""
        for seat in range(len(self.header.seats)):
            line = self.peek(0)
            if isinstance(line, Faulted) and line.seat == seat:
                self.expect(self.conduct.fault(0, seat, "start", self.fault_of(line), False, None))

    def fault_of(self, line: Faulted) -> Fault:
        """The fault a line tells of; its kind must be one of the list."""
        try:
            kind = FaultKind(line.kind)
        except ValueError:
            raise self.differs(f"a fault of kind {', '.join(FaultKind)}", self.lines[self.at]) from None
        return Fault(kind, line.evidence, line.rule, line.reply)

    def phase(self, state: State) -> None:
        """Decide all asks of a phase as the file says; what it does not mention did nothing."""
        for index, ask in enumerate(state.asks):
            self.asks += 1
            line = self.peek(self.asks)
            if isinstance(line, Faulted):
                move = self.faulted(state, index, ask, line)
            else:
                move = self.answered(state, index, ask, line)
            try:
                state.apply(index, move, self.events)
            except IllegalMove as refused:
                self.at -= line is not None
                raise self.differs(f"a legal move ({refused})", self.lines[self.at]) from None

    def answered(self, state: State, index: int, ask: Ask, line: Answered | None) -> Move:
        """The move of an answer line, or of silence."""
        hook = load_game(self.header.game).hooks[ask.hook]
        default, idle = state.default(index), hook.idle
        if line is None:
            if default == idle:
                return default
            if self.conduct.out[ask.seat]:
                self.expect(self.answer_line(ask, default))
            found = self.lines[self.at] if self.at < len(self.lines) else None
            raise self.differs(f"ask {self.asks}: seat {ask.seat} answers {ask.hook}", found)
        try:
            move: Move = move_decoder(self.header.game, ask.hook).decode(line.move)
        except UNREADABLE as problem:
            raise self.differs(f"an answer to {ask.hook} ({problem})", self.lines[self.at]) from None
        if self.conduct.out[ask.seat]:
            move = default
        if move == idle and not line.say and not line.note:
            raise self.differs(f"no line: to do nothing at ask {self.asks} is not written", self.lines[self.at])
        self.expect(self.answer_line(ask, move, line.say, line.note))
        return move

    def answer_line(self, ask: Ask, move: Move, say: str = "", note: str = "") -> Answered:
        return Answered(self.asks, ask.seat, ask.hook, msgspec.Raw(msgspec.json.encode(move)), say, note)

    def faulted(self, state: State, index: int, ask: Ask, line: Faulted) -> Move:
        """The default that a fault line has played; an illegal reply must be refused again."""
        fault, default = self.fault_of(line), state.default(index)
        if self.conduct.out[ask.seat]:
            raise self.differs(f"no fault: seat {ask.seat} is out and not asked", self.lines[self.at])
        if fault.kind is FaultKind.ILLEGAL:
            fault = self.judged(state, index, ask, line)
        final = line.out and fault.kind in MAY_END
        self.expect(self.conduct.fault(self.asks, ask.seat, ask.hook, fault, final, default))
        return default

    def judged(self, state: State, index: int, ask: Ask, line: Faulted) -> Fault:
        """The fault of an illegal reply as the rules see it now; their wording may have changed, the rule may not."""
        try:
            written = b"null" if line.reply is msgspec.UNSET else line.reply
            reply: Move = move_decoder(self.header.game, ask.hook).decode(written)
        except UNREADABLE as problem:
            raise self.differs(f"a reply to {ask.hook} ({problem})", self.lines[self.at]) from None
        refused = state.refusal(index, reply)
        if refused is None:
            raise self.differs("a reply that the rules refuse; this one is legal", self.lines[self.at])
        return Fault(FaultKind.ILLEGAL, line.evidence, refused.rule, msgspec.Raw(msgspec.json.encode(reply)))


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace")
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
