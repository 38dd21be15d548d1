"""Where a run is kept: one interface, with the shipped fake that keeps it in memory.

What is kept of a match is its record, its timing, its replay and what its bots printed. Only the store writes; it gets
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
    """What a run that goes on has already: the ``matches`` that are kept whole, by their places in the schedule, and
    ``notes``, a line each, on what was found broken and dropped."""

    matches: Bits = msgspec.field(default_factory=Bits)
    notes: list[str] = []


class Store(Protocol):
    """Keeps one run. It is written to only inside of ``with store:``."""

    def __enter__(self) -> Self:
        """Open it for writing."""

    def __exit__(self, *raised: object) -> None:
        """Close it again."""

    def begin(self, facts: Facts) -> None:
        """Keep the facts of a run that begins. Raises UserError where one has begun already."""

    def go_on(self, facts: Facts) -> None:
        """Keep the facts of a run that goes on, but for the command that began it, and the digests of code where it
        began without."""

    def facts(self) -> Facts:
        """What the run began with. Raises UserError where none has begun."""

    def recover(self, roster: Roster) -> RunRemains:
        """Drop what is kept by halves: matches without their replays, measurements that nobody can read. The rest, of
        which every record must be that of a match of the ``roster``. Raises UserError where one is not, is kept twice,
        or says otherwise than its replay."""

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """Drop the finished matches of which this is true, so that they are played again; how many there were. To be
        followed by :meth:`recover`."""

    def add(self, done: WorkResult) -> None:
        """Keep a finished match: its replay is there as a whole before its record is."""

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""

    def timings(self) -> Iterator[Timing]:
        """What was measured of the finished matches, nearly in the order of their records; some may be missing."""

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""

    def packed(self, id: str) -> bytes | None:
        """The same as a frame (:func:`arena.replay.frame.pack_replay`); None also where it is not whole."""

    def tell(self, far: RunProgress) -> None:
        """Keep how far the run is, for whoever watches it. It may be lost."""

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Keep how the run ended, with so many matches, and the first block that each suspended entrant does not
        play."""

    def remember(self, told: Mapping[str, Any]) -> None:
        """Keep, as plain data, what else there is to be said of the run: under keys that are not those of
        :class:`Facts`."""

    def remembered(self) -> Mapping[str, Any]:
        """What there is to be remembered, among other things."""

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Keep the standings of a run that ended complete. Its records are in the order of the ``roster`` from now
        on."""


class MemoryStore:
    """Implements :class:`Store` without touching a file. With ``records_only`` it keeps nothing else of a match."""

    def __init__(self, records_only: bool = False) -> None:
        self.records_only = records_only
        self.began: Facts | None = None
        self.state = RunState.RUNNING
        self.far: RunProgress | None = None
        self.kept: dict[str, MatchRecord] = {}
        self.timed: dict[str, Timing] = {}
        self.frames: dict[str, bytes] = {}
        self.printed: dict[str, tuple[SeatOutput, ...]] = {}
        self.standings: tuple[Standings, ...] = ()
        self.suspended: dict[str, int] = {}
        self.told: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        return None

    def begin(self, facts: Facts) -> None:
        """Keep the facts."""
        if self.began is not None:
            raise UserError("a run has begun here already")
        self.began, self.state = facts, RunState.RUNNING

    def go_on(self, facts: Facts) -> None:
        """Keep the facts, but for the command."""
        before = self.facts()
        code = facts.code if before.code else {}
        self.began, self.state = msgspec.structs.replace(facts, command=before.command, code=code), RunState.RUNNING

    def facts(self) -> Facts:
        """What the run began with."""
        if self.began is None:
            raise UserError("no run has begun")
        return self.began

    def recover(self, roster: Roster) -> RunRemains:
        """All matches: none is kept by halves."""
        kept = RunRemains()
        for record in self.kept.values():
            number, problem = roster.number(record.id), roster.problem(record)
            if number is None or problem:
                raise UserError(f"{record.id} {problem}")
            kept.matches.add(number)
        return kept

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """Drop these matches."""
        ids = [id for id, record in self.kept.items() if which(record)]
        for id in ids:
            for held in (self.kept, self.timed, self.frames, self.printed):
                held.pop(id, None)
        return len(ids)

    def add(self, done: WorkResult) -> None:
        """Keep a finished match."""
        id = done.record.id
        self.kept[id] = done.record
        if self.records_only:
            return
        self.timed[id], self.printed[id] = done.timing, done.printed
        if done.packed is not None:
            self.frames[id] = done.packed

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""
        return iter(list(self.kept.values()))

    def timings(self) -> Iterator[Timing]:
        """What was measured of them."""
        return iter(list(self.timed.values()))

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""
        return unpack_replay(self.frames[id]) if id in self.frames else None

    def packed(self, id: str) -> bytes | None:
        """The same as a frame."""
        return self.frames.get(id)

    def tell(self, far: RunProgress) -> None:
        """Keep how far it is."""
        self.far = far

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Keep how the run ended."""
        self.state, self.suspended = state, dict(suspended)

    def remember(self, told: Mapping[str, Any]) -> None:
        """Keep what is told."""
        self.told.update(told)

    def remembered(self) -> Mapping[str, Any]:
        """What was told."""
        return self.told

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Keep the standings."""
        self.kept = dict(sorted(self.kept.items(), key=lambda each: roster.number(each[0]) or 0))
        self.standings = tuple(standings)
