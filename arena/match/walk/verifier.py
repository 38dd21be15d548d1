"""Compares the lines of a replay byte by byte with those that follow from the rules, and reads the decisions in
them.

What is written is compared many lines together, because that is several times as fast as line by line: at the latest
before anything else about the file is found wrong, so the first line that differs is always the one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from arena.errors import Mismatch, ReplayError
from arena.foreign_files import DECODE_ERRORS
from arena.games.chance import CHANCE_SCHEME
from arena.games.contract import Ask, Event, Move
from arena.games.field_types import trust_move
from arena.match.refereeing.minutes import Minutes
from arena.penalties import FaultKind, FaultPolicy
from arena.players.consult_desk import CallDigest
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.players.reply_checks import EMPTY_ANSWER
from arena.replay import lines
from arena.replay.formats import FORMATS, encode_lines, upgrade_line
from arena.replay.header_form import out_of_form
from arena.replay.lines import Faulted, Header, decision_decoder, move_decoder
from arena.replay.read import game_of, read_header, rules_of, split_replay

EXCERPT_LETTERS = 300
RESULT_BEGINNING = b'{"event":"result"'
DECISION_BEGINNINGS = (b'{"event":"answer"', b'{"event":"fault"')
CALL_BEGINNING = b'{"event":"call"'
BY_HASH_ALONE = ("answer.say", "answer.note", "fault.evidence", "fault.reply")
"""Fields of lines below the header on which nothing else in the match depends: they can be changed by computing the
hash anew. For an illegal ``reply`` it is checked that the rule named by the fault refuses it."""


class Verifier:
    """Reads the decisions of a match from its replay. It also takes the lines of the match as its writer
    (:class:`arena.match.refereeing.minutes.LineWriter`); each must be the next line of the file."""

    def __init__(self, content: bytes) -> None:
        """Read the first line, which determines how the others are read. Raises Mismatch where it is damaged, and
        ReplayError for a file that is no finished replay."""
        self.content, self.lines = content, split_replay(content)
        self.at = 0
        self.faults = 0
        self.struck_out = False
        self.by_hash_alone = dict.fromkeys(BY_HASH_ALONE, False)
        self.rules: Any = None
        self._written: list[Event] = []  # not yet compared
        self._read = 0  # up to which line decisions have been read
        self._decision: lines.Answered | Faulted | None = None
        self._calls: list[lines.ModelCall] = []
        self.header = self.read_header()
        if not self.lines[-1].startswith(RESULT_BEGINNING) and b'"sha256":"' not in self.lines[-1]:
            raise ReplayError(f"line {len(self.lines) + 1}: cut off: the result is missing")
        self.game = game_of(self.header)
        self._decode: Callable[[bytes], lines.Answered | Faulted] = decision_decoder().decode
        self._moves = {name: move_decoder(self.header.game, name).decode for name in self.game.hooks}
        self._idle = {name: hook.idle for name, hook in self.game.hooks.items()}

    def never_used(self) -> list[str]:
        """The fields of the header that this match never used, though others depend on them; of ``rules`` those it
        never reached."""
        found = []
        if self.game.rules_version > 1:
            found.append("rules_version")  # the rules are played as they are now
        if not self.faults:
            found.append("fault_policy")
        if not self.struck_out:
            found.append("strikes")
        return [*found, "rules"]

    def read_header(self) -> Header:
        """The first line. Raises Mismatch for a damaged one of a known format, ReplayError for anything else."""
        first = self.lines[0]
        try:
            return read_header(first)
        except ReplayError as problem:
            if first.startswith(b'{"event":"match"') and any(f'"{known}"'.encode() in first for known in FORMATS):
                raise self.mismatch_here(f"a header ({problem})", first) from None
            raise

    def set_up(self) -> Minutes:
        """Set up the match as the header says."""
        header, known = self.header, self.game.rules_version
        if header.chance != CHANCE_SCHEME:
            raise ReplayError(f"line 1: the chance scheme is {header.chance!r}; this arena knows {CHANCE_SCHEME}")
        if not 1 <= header.rules_version <= known:
            there = f"rules version {header.rules_version} of {header.game}"
            raise ReplayError(f"line 1: written under {there}; this arena knows up to {known}")
        try:
            self.rules = rules = rules_of(header)
            minutes = Minutes(header, rules, self)
        except (ReplayError, ValueError) as problem:
            raise self.mismatch_here(f"a header that holds together ({problem})", self.lines[0]) from None
        if wrong := out_of_form(header, rules):
            raise self.mismatch_here(f"a header in the form of arena docs replay ({wrong})", self.lines[0])
        name = str(header.rules.get("name", ""))
        if not re.fullmatch(re.escape(name) + r"([+-].*)?", header.edition):
            raise self.mismatch_here(f"an edition that its rules have, {name!r}", self.lines[0])
        return minutes

    def end(self) -> None:
        """Raise Mismatch where lines are left after the last of the match."""
        self.compare()
        if self.at < len(self.lines):
            raise self.mismatch_here("the end of the file", self.lines[self.at])

    def start(self, seat: int) -> TimedAnswer:
        """The answer of a seat's bot to the start, as the file says."""
        line = self.decision(0)
        return self.failure(line) if isinstance(line, Faulted) and line.seat == seat else EMPTY_ANSWER

    def write(self, line: Event) -> None:
        """Take the next line of the match, to be compared with that of the file: only the wording of a refusal may
        differ."""
        if type(line) is Faulted:
            line = self.with_words_of_file(line) if line.kind is FaultKind.ILLEGAL else line
            self.remember_fault(line)
        elif type(line) is lines.Answered and (line.say or line.note):
            self.by_hash_alone["answer.say"] |= bool(line.say)
            self.by_hash_alone["answer.note"] |= bool(line.note)
        self._written.append(line)
        self.at += 1

    def compare(self) -> None:
        """Compare what was written with the lines of the file. Raises Mismatch at the first that differs."""
        written, end = self._written, self.at
        if not written:
            return
        self._written, start = [], end - len(written)
        expected = encode_lines(written, self.header.format)
        found = self.lines[start:end]
        if len(found) == len(written) and b"%b\n" % b"\n".join(found) == expected:
            return
        for self.at, line in enumerate(expected.split(b"\n")[:-1], start):
            there = self.lines[self.at] if self.at < len(self.lines) else None
            if line != there:
                raise self.mismatch_here(_line_excerpt(line), there)

    def remember_fault(self, line: Faulted) -> None:
        """Note which penalties the match used, and which parts of the fault only the hash protects."""
        self.faults += 1
        self.by_hash_alone["fault.evidence"] = True
        self.by_hash_alone["fault.reply"] |= line.kind is FaultKind.ILLEGAL
        by_count = line.out and not (line.gone or line.kind.ends_match or line.ask == 0)
        self.struck_out = self.struck_out or (by_count and self.header.fault_policy is FaultPolicy.SUBSTITUTE)

    @property
    def sha256(self) -> str:
        """The hash of all lines so far, in hexadecimal: they equal those of the file."""
        self.compare()
        left = self.lines[self.at :]
        return sha256(memoryview(self.content)[: len(self.content) - sum(map(len, left)) - len(left)]).hexdigest()

    def with_words_of_file(self, line: Faulted) -> Faulted:
        """The fault with the evidence in the file's own line, if that is a fault too."""
        there = self.decision(line.ask)
        return replace(line, evidence=there.evidence) if isinstance(there, Faulted) else line

    def decision(self, ask: int) -> lines.Answered | Faulted | None:
        """The next line if it is a decision about ``ask``, else None."""
        line = self._decision if self._read > self.at else self.read_decision()
        return line if line is not None and line.ask == ask else None

    def read_decision(self) -> lines.Answered | Faulted | None:
        """The next line, behind those of calls of models, if it is a decision, else None; kept for later asks, about
        which the file may say nothing."""
        raw = self.lines[self.at] if self.at < len(self.lines) else b""
        self._calls = self.read_calls() if raw.startswith(CALL_BEGINNING) else []
        there = self.at + len(self._calls)
        self._decision, self._read = None, there + 1
        if self._calls:
            raw = self.lines[there] if there < len(self.lines) else b""
        if raw.startswith(DECISION_BEGINNINGS):
            try:
                self._decision = upgrade_line(self._decode(raw), self.header)
            except DECODE_ERRORS as problem:
                expected = f"a line that can be read (line {self.at + 1}: {problem})"
                raise self.mismatch_here(expected, raw) from None
        return self._decision

    def read_calls(self) -> list[lines.ModelCall]:
        """The next lines, as far as they are those of calls of models."""
        decode, found = lines.call_decoder().decode, []
        for at in range(self.at, len(self.lines)):
            if not self.lines[at].startswith(CALL_BEGINNING):
                break
            try:
                found.append(decode(self.lines[at]))
            except DECODE_ERRORS as problem:
                raise self.mismatch_here(
                    f"a line that can be read (line {at + 1}: {problem})", self.lines[at]
                ) from None
        return found

    def answer(self, ask: Ask, number: int) -> TimedAnswer:
        """A seat's answer to the match's ask ``number``, as the file says; where the file has no line for it, the seat
        did nothing."""
        line = self._decision if self._read > self.at else self.read_decision()
        if self._calls:
            calls = tuple(CallDigest(*astuple(each)[2:]) for each in self._calls if each.ask == number)
            return self.plain_answer(ask, number, line)._replace(calls=calls)
        return self.plain_answer(ask, number, line)

    def plain_answer(self, ask: Ask, number: int, line: lines.Answered | Faulted | None) -> TimedAnswer:
        """The answer to the match's ask ``number`` that ``line``, the next decision in the file, gives, without calls
        of models."""
        if line is None or line.ask != number:
            if self._idle[ask.hook] is not None:
                return EMPTY_ANSWER
            found = self.lines[self.at] if self.at < len(self.lines) else None
            raise self.mismatch_here(f"ask {number}: seat {ask.seat} answers {ask.hook}", found)
        if isinstance(line, lines.Answered):
            return TimedAnswer(self.move(ask, line.move), None, 0.0, line.say, line.note)
        if line.kind is FaultKind.ILLEGAL and not line.gone:
            return TimedAnswer(self.move(ask, line.reply), None, 0.0)
        return self.failure(line)

    def move(self, ask: Ask, written: msgspec.Raw | msgspec.UnsetType) -> Move:
        """Decode a move in the current line, which must answer the ask's hook."""
        text = b"null" if written is msgspec.UNSET else written
        try:
            found: Move = self._moves[ask.hook](text)
        except DECODE_ERRORS as problem:
            raise self.mismatch_here(f"an answer to {ask.hook} ({problem})", self.lines[self.at]) from None
        trust_move(found)
        return found

    def failure(self, line: Faulted) -> TimedAnswer:
        """The fault in a line; its ``gone`` must fit its kind."""
        kind, gone = line.kind, line.gone
        if not kind.always_gone <= gone <= kind.may_be_gone:
            expected = f"a fault of kind {kind} {'without' if gone else 'with'} gone"
            raise self.mismatch_here(expected, self.lines[self.at])
        return TimedAnswer(None, Fault(kind, line.evidence), 0.0, gone=gone)

    def mismatch_here(self, expected: str, found: bytes | None) -> Mismatch:
        """The mismatch at the current line, unless there is one in a line before it."""
        self.compare()
        there = "the file ends" if found is None else f"found    {_line_excerpt(found)}"
        return Mismatch(f"line {self.at + 1}:\n  expected {expected}\n  {there}")

    def changes_since(self) -> str:
        """A line that says how the rules have changed since the replay was written; empty where they have not."""
        version = self.header.rules_version
        since = [each for each in self.game.rules_versions if each.version > version]
        if not since:
            return ""
        changes = "; ".join(f"version {each.version} changed {each.rule}: {each.changed}" for each in since)
        return f"\n  written under rules version {version} of {self.game.name}; {changes}"


def _line_excerpt(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace")
    return text if len(text) <= EXCERPT_LETTERS else f"{text[:EXCERPT_LETTERS]}… ({len(text)} characters)"
