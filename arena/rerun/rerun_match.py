"""Plays recorded matches again, and compares each with what is recorded, byte by byte."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple, Protocol

import msgspec

from arena.errors import ArenaError, ReplayError
from arena.executors.executor import Executor, UnplayedMatch, play_all
from arena.foreign_files import DECODE_ERRORS
from arena.match.work import Work, WorkResult
from arena.replay.play_difference import first_difference
from arena.rerun.sample import has_faults_of_time
from arena.storage.audit_file import AuditDifference, AuditOutcome
from arena.storage.record_check import result_difference, result_in
from arena.storage.run_facts.settings import differences_line, setting_differences
from arena.tournament.records.match_record import MatchRecord


class ComparedMatches(Protocol):
    """The stored matches, with which matches played again are compared."""

    @property
    def record_name(self) -> str:
        """What messages call the stored record of a match."""

    def replay(self, id: str) -> bytes | None:
        """The replay of a match, or None if it was not kept. Raises ReplayError for a damaged replay."""


class RecordedPlay(NamedTuple):
    """A recorded match to be played again: its ``record``, the ``host`` that played it, and its ``work`` for an
    executor."""

    record: MatchRecord
    host: str
    work: Work


class ComparedPlay(NamedTuple):
    """A match that was played again: its result (``done``), None if a bot asked a language model something of which the
    match has no recording; and the ``difference`` from the record, None if the match is identical."""

    match: RecordedPlay
    done: WorkResult | None
    difference: AuditDifference | None


def play_and_compare(
    matches: Iterable[RecordedPlay], kept: ComparedMatches, executor: Executor
) -> Generator[ComparedPlay]:
    """Play these matches again, and compare each one, once finished, with its ``kept`` record and replay. A match in
    which models cannot answer as recorded is one that differs. Raises ArenaError where a match could not be played for
    another reason."""
    waiting: dict[str, RecordedPlay] = {}

    def works() -> Iterator[Work]:
        for match in matches:
            waiting[match.record.id] = match
            yield msgspec.structs.replace(match.work, replays="all")

    for done in play_all(executor, works()):
        if not isinstance(done, UnplayedMatch):
            match = waiting.pop(done.record.id)
            yield ComparedPlay(match, done, compare_rerun(match.record, match.host, done, kept))
        elif done.suspended:
            yield ComparedPlay(
                match := waiting.pop(done.id), None, differing_match(match.record, match.host, f"it was {done.reason}")
            )
        else:
            raise ArenaError(f"match {done.id} could not be played: {done.reason}")


def differing_match(record: MatchRecord, host: str, problem: str = "") -> AuditDifference:
    """The audit's entry for a match that differs from the one played on this ``host``; ``problem`` says what is wrong
    with its files, empty if nothing is."""
    return AuditDifference(record.id, host, AuditOutcome.OTHERWISE, asks=record.asks, problem=problem)


def compare_rerun(record: MatchRecord, host: str, done: WorkResult, kept: ComparedMatches) -> AuditDifference | None:
    """Compare a match played again here (``done``) with its ``record`` and its ``kept`` replay. Returns the difference;
    None if both are identical, or if the records are and no replay was kept. ``host`` is the machine that played the
    record.

    One match cannot show why it differs: its outcome is ``otherwise``, unless a bot was late here."""
    found = differing_match(record, host)
    try:
        then, now = kept.replay(record.id), done.replay
    except ReplayError as problem:
        found.problem = f"its replay cannot be read: {problem}"
        return found
    here = msgspec.structs.replace(done.record, replay=record.replay)
    if here == record and (then == now or not record.replay):
        return None
    found.problem = "its replay is missing" if record.replay and then is None else ""
    if then is not None and now is not None:
        found.problem = _find_disagreement(record, here, then, now, kept.record_name)
    if found.problem:
        return found
    if has_faults_of_time(done.record):
        found.came = AuditOutcome.LATE
    elif then is not None and now is not None:
        _say_where(found, record, then, now)
    return found


def _find_disagreement(record: MatchRecord, here: MatchRecord, then: bytes, now: bytes, line: str) -> str:
    """Describes how the stored files contradict each other or belong to another match; empty if only the play
    differs."""
    result, begins, expected = result_in(then), then.partition(b"\n")[0], now.partition(b"\n")[0]
    if begins != expected:
        try:
            told = setting_differences(msgspec.json.decode(begins), msgspec.json.decode(expected))
        except (*DECODE_ERRORS, TypeError):
            return "its replay cannot be read"
        return f"its replay is of another match, or of other bots: {differences_line(told, 'there', 'expected')}"
    if result is None:
        return "its replay is cut off"
    if other := result_difference(record, result):
        return f"{line} contradicts its replay: {other}"
    if then == now:
        told = setting_differences(msgspec.to_builtins(record), msgspec.to_builtins(here))
        return f"{line} is of another match: {differences_line(told, 'there', 'expected')}"
    return ""


def _say_where(found: AuditDifference, record: MatchRecord, then: bytes, now: bytes) -> None:
    """Write the first decision that differs between two replays into ``found``."""
    try:
        found.difference = first_difference(then, now)
    except ReplayError as problem:
        found.problem = f"its replay cannot be read: {problem}"
        return
    if (seat := found.difference.seat) is not None:
        found.ask, found.entrant = found.difference.ask, record.seats[seat].entrant
    else:
        found.problem = "its replay has the same decisions, but is another file; see: arena verify"
