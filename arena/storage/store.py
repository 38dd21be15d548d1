"""Where a run is stored: one interface, with a fake that holds the run in memory.

For each match the store keeps its record, its timing, its replay and the bots' output. Only the store writes; it gets
matches by value. The interface has no paths: :class:`arena.storage.run_folder.FolderStore` implements it with a folder,
and a database could too.

To add one, implement :class:`Store`, and add it to the list in ``tests/storage/test_stores.py``. A replay must be
completely written before its record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, Self

import msgspec

from arena.errors import UserError
from arena.match.work import SeatOutput, Timing, WorkResult
from arena.replay.frame import unpack_replay
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.run_progress import RunProgress
from arena.tournament.bits import Bits
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.roster import Roster
from arena.tournament.standings.standings import Standings


class RunRemains(msgspec.Struct):
    """What a resumed run has already: the complete ``matches``, by their places in the schedule, and ``notes``, a line
    each, on what was found damaged and dropped."""

    matches: Bits = msgspec.field(default_factory=Bits)
    notes: list[str] = []


class Store(Protocol):
    """Stores one run. Methods that write are called only inside ``with store:``."""

    def __enter__(self) -> Self:
        """Open the store for writing."""

    def __exit__(self, *raised: object) -> None:
        """Close the store."""

    def begin(self, facts: Facts) -> None:
        """Store the facts of a new run. Raises UserError where one has already begun."""

    def go_on(self, facts: Facts) -> None:
        """Store the facts of a resumed run. The command that began it stays; so do the digests of code, unless it began
        without any."""

    def facts(self) -> Facts:
        """The facts with which the run began. Raises UserError where none has begun."""

    def recover(self, roster: Roster) -> RunRemains:
        """Drop incomplete data: matches without their replays, timings that cannot be read. Returns the rest, of which
        every record must belong to a match of the ``roster``. Raises UserError where one does not, occurs twice, or
        contradicts its replay."""

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """Drop the finished matches for which ``which`` is true, so that they are played again; return how many there
        were. Call :meth:`recover` afterwards."""

    def add(self, done: WorkResult) -> None:
        """Store a finished match: its replay is completely written before its record."""

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches in stored order."""

    def timings(self) -> Iterator[Timing]:
        """The timings of the finished matches, nearly in the order of their records; some may be missing."""

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match; None if it was not kept."""

    def cassette(self, id: str) -> bytes | None:
        """The calls of models of a finished match, as a cassette; None where its bots could consult none."""

    def replay_frame(self, id: str) -> bytes | None:
        """The replay of a match as a compressed frame (:func:`arena.replay.frame.pack_replay`); None also where it is
        incomplete."""

    def tell(self, far: RunProgress) -> None:
        """Store the run's progress, for observers. It may be lost."""

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Store how the run ended, with the number of finished matches, and the first block that each suspended entrant
        does not play."""

    def remember(self, told: Mapping[str, Any]) -> None:
        """Store further plain data about the run, under keys that are not those of :class:`Facts`."""

    def manifest_data(self) -> Mapping[str, Any]:
        """The data stored with :meth:`remember`, possibly with other keys."""

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Store the standings of a run that is complete. From now on its records are in the order of the ``roster``."""


class MemoryStore:
    """Implements :class:`Store` in memory, without files. With ``records_only`` it keeps only the records of
    matches."""

    def __init__(self, records_only: bool = False) -> None:
        self.records_only = records_only
        self.began: Facts | None = None
        self.state = RunState.RUNNING
        self.far: RunProgress | None = None
        self.kept: dict[str, MatchRecord] = {}
        self.timed: dict[str, Timing] = {}
        self.frames: dict[str, bytes] = {}
        self.cassettes: dict[str, bytes] = {}
        self.printed: dict[str, tuple[SeatOutput, ...]] = {}
        self.standings: tuple[Standings, ...] = ()
        self.suspended: dict[str, int] = {}
        self.told: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        return None

    def begin(self, facts: Facts) -> None:
        """Store the facts."""
        if self.began is not None:
            raise UserError("a run has begun here already")
        self.began, self.state = facts, RunState.RUNNING

    def go_on(self, facts: Facts) -> None:
        """Store the facts, except for the command."""
        before = self.facts()
        code = facts.code if before.code else {}
        self.began, self.state = msgspec.structs.replace(facts, command=before.command, code=code), RunState.RUNNING

    def facts(self) -> Facts:
        """The facts with which the run began."""
        if self.began is None:
            raise UserError("no run has begun")
        return self.began

    def recover(self, roster: Roster) -> RunRemains:
        """All matches: in memory none is incomplete."""
        kept = RunRemains()
        for record in self.kept.values():
            number, problem = roster.number(record.id), roster.problem(record)
            if number is None or problem:
                raise UserError(f"{record.id} {problem}")
            kept.matches.add(number)
        return kept

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """Drop the matches for which ``which`` is true."""
        ids = [id for id, record in self.kept.items() if which(record)]
        for id in ids:
            for held in (self.kept, self.timed, self.frames, self.printed, self.cassettes):
                held.pop(id, None)
        return len(ids)

    def add(self, done: WorkResult) -> None:
        """Store a finished match."""
        id = done.record.id
        self.kept[id] = done.record
        if self.records_only:
            return
        self.timed[id], self.printed[id] = done.timing, done.printed
        if done.packed is not None:
            self.frames[id] = done.packed
        if done.cassette is not None:
            self.cassettes[id] = done.cassette

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches in stored order."""
        return iter(list(self.kept.values()))

    def timings(self) -> Iterator[Timing]:
        """The timings of the finished matches."""
        return iter(list(self.timed.values()))

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match; None if it was not kept."""
        return unpack_replay(self.frames[id]) if id in self.frames else None

    def cassette(self, id: str) -> bytes | None:
        """The calls of models of a finished match."""
        return unpack_replay(self.cassettes[id]) if id in self.cassettes else None

    def replay_frame(self, id: str) -> bytes | None:
        """The replay of a match as a compressed frame."""
        return self.frames.get(id)

    def tell(self, far: RunProgress) -> None:
        """Store the run's progress."""
        self.far = far

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Store how the run ended."""
        self.state, self.suspended = state, dict(suspended)

    def remember(self, told: Mapping[str, Any]) -> None:
        """Store further data about the run."""
        self.told.update(told)

    def manifest_data(self) -> Mapping[str, Any]:
        """The data stored with :meth:`remember`."""
        return self.told

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Store the standings."""
        self.kept = dict(sorted(self.kept.items(), key=lambda each: roster.number(each[0]) or 0))
        self.standings = tuple(standings)
