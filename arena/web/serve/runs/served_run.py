"""A served run: its state, its standings, its matches. It is followed while it is played, and never written to."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import msgspec

from arena.errors import ArenaError, ReplayError
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.runs.run_status import RunStanding, RunStatus, WatchedRun
from arena.storage.layout import MANIFEST_FILE, MATCHES_FILE
from arena.storage.packs.replay_packs import KeptReplays
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.tournament.measures.measures import Measure
from arena.tournament.records.fault_count import FaultCounter
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import StandingsFold
from arena.tournament.standings.standings_text import standings_data
from arena.web.serve.runs.tail import Tail

STANDINGS_FILE = "standings.json"
MATCH_ID = re.compile(r"[^/\s\x00-\x1f]{1,200}/b[0-9]{4,12}/[0-9]+(?:-[0-9]+)+", re.ASCII)
"""The form of match ids. Other text never becomes part of a path."""
LARGEST_STANDINGS = 256 << 20
"""The largest standings file that is read, in bytes: it grows with the square of the number of entrants."""
LOOKED_AT = 1.0
"""Seconds for which the last status of a run is reused."""
REFRESH_FACTOR = 20
"""Provisional standings are computed again only after this multiple of the time that the computation takes."""
READ_CAP = 0.99
"""The share that is reported while all matches are read but not yet added up for the first time."""
Table = dict[str, dict[str, Any]]
"""Standings as :func:`arena.tournament.standings.standings_text.standings_data` gives them."""


class TailCounts:
    """The counts of a tail, in the form that :class:`arena.runs.run_status.WatchedRun` needs."""

    def __init__(self) -> None:
        self.count, self.faults = 0, FaultCounter()

    def catch_up(self) -> None:
        """Do nothing: the owner of the tail reads on."""


class ServedRun:
    """The run in ``folder``, which is called ``name`` in addresses."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.wanted, self.problem = 0.0, ""
        self._lock = Lock()
        self._tail: Tail | None = None
        self._next: Tail | None = None
        self._counted = TailCounts()
        self._watched: tuple[object, WatchedRun] | None = None
        self._status: tuple[float, RunStatus] | None = None
        self._table: tuple[object, Table] | None = None
        self._so_far: tuple[object, Table] | None = None
        self._made, self._took = 0.0, 0.0
        self.replays = KeptReplays(folder)

    @property
    def matches_tail(self) -> Tail:
        """The part of its matches that has been read so far."""
        with self._lock:
            if self._tail is None:
                self._tail = self._new_tail()
            return self._tail

    @property
    def indexed_share(self) -> float:
        """The share of its matches that has been read and added up, in 0…1."""
        tail = self._next or self.matches_tail
        return min(tail.share, READ_CAP) if tail.folding is not None and self._so_far is None else tail.share

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of its standings."""
        return self._watch().facts.measures

    def advance(self, seconds: float) -> bool:
        """Read on in its matches for about this many seconds; return whether there are more."""
        try:
            behind = self._advance(seconds)
            self.problem = ""
            return behind
        except (ArenaError, OSError) as problem:
            self.problem = str(problem)
            return False

    def _advance(self, seconds: float) -> bool:
        tail = self.matches_tail
        if self._next is None and tail.is_outdated:
            self._next = self._new_tail()
        if self._next is None:
            behind = tail.advance(seconds)
            if not behind:
                self._add_up(tail)
            return behind
        if self._next.is_outdated:
            self._next = self._new_tail()
        if self._next.advance(seconds):
            return True
        with self._lock:
            self._tail, self._next = self._next, None
        return False

    def status(self) -> RunStatus:
        """The status of the run. Raises UserError where its files cannot be read."""
        kept = self._status
        if kept is not None and monotonic() - kept[0] < LOOKED_AT:
            return kept[1]
        tail = self.matches_tail
        self._counted.count, self._counted.faults = len(tail.columns), tail.faults
        watched = self._watch()
        found = watched.read_status()
        self._status = monotonic(), found
        return found

    def manifest(self) -> dict[str, Any]:
        """Return the content of its manifest. Raises UserError where that cannot be read."""
        return dict(self._watch().store.manifest_data())

    def table(self) -> tuple[Table, bool]:
        """Return its standings, and whether they are final: final ones are those that the run wrote at its end;
        otherwise those of the matches read so far, which the reader adds up now and then; none until all were read
        once."""
        if self.status().state is RunStanding.COMPLETE and (found := self._written()) is not None:
            return found, True
        return ({} if self._so_far is None else self._so_far[1]), False

    def _add_up(self, tail: Tail) -> None:
        """Compute the standings of what has been read; not too soon after a computation that took long."""
        key = id(tail), len(tail.columns)
        if tail.folding is None or (self._so_far is not None and self._so_far[0] == key):
            return
        if self._so_far is None or monotonic() - self._made > REFRESH_FACTOR * self._took:
            began = monotonic()
            self._so_far = key, standings_data(tail.folding.standings(rows_alone=True))
            self._made, self._took = monotonic(), monotonic() - began

    def replay(self, record: MatchRecord) -> bytes | None:
        """The replay of one of its matches; None where none was kept. Raises ReplayError where it is damaged or
        missing."""
        if not record.replay:
            return None
        if not MATCH_ID.fullmatch(record.id) or record.id.startswith(".."):
            raise ReplayError(f"{record.id!r} is no name of a match")
        found = self.replays.get(record.id)
        if found is None:
            again = FolderStore(self.folder).resume_command()
            raise ReplayError(f"the replay of {record.id} is missing; repair the run with: {again}")
        return found

    def _written(self) -> Table | None:
        """The content of the standings file; None where it cannot be read."""
        path = self.folder / STANDINGS_FILE
        try:
            stat = path.stat()
            key = stat.st_mtime_ns, stat.st_size, stat.st_ino
            if self._table is None or self._table[0] != key:
                self._table = key, msgspec.json.decode(read_foreign_file(path, LARGEST_STANDINGS), type=Table)
            return self._table[1]
        except (OSError, *DECODE_ERRORS):
            return None

    def _watch(self) -> WatchedRun:
        """The run's own files. Raises UserError where they cannot be read."""
        stat = (self.folder / MANIFEST_FILE).stat() if (self.folder / MANIFEST_FILE).is_file() else None
        key = None if stat is None else (stat.st_ino, stat.st_mtime_ns)
        if self._watched is None or self._watched[0] != key:
            self._watched = key, WatchedRun(self.folder, self._counted)
        return self._watched[1]

    def _new_tail(self) -> Tail:
        path = self.folder / MATCHES_FILE
        try:
            watched = self._watch()
            if watched.store.state() is RunState.COMPLETE and (self.folder / STANDINGS_FILE).is_file():
                return Tail(path)
            facts = watched.facts
            measures = tuple(each for each in facts.measures if not each.same_seat)  # those are known at the end alone
            return Tail(path, StandingsFold(facts.entrants, facts.editions, measures))
        except ArenaError:
            return Tail(path)  # its matches can be searched all the same
