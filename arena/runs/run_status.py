"""The status of a run, seen from outside while it is played or afterwards: nothing is written or blocked.

``matches.jsonl`` is authoritative: its lines are counted, and only those with faults are decoded. The run's speed comes
from its own reports (:mod:`arena.storage.run_facts.run_progress`).
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import msgspec

from arena.errors import UserError
from arena.executors.executor import UnplayedMatch
from arena.foreign_files import DECODE_ERRORS, LONGEST_LINE, open_foreign_file, read_foreign_file
from arena.runs.provisional_standings import ProvisionalStandings, provisional_standings
from arena.storage.folder_lock import FolderLock
from arena.storage.layout import MATCHES_FILE, RUN_LOCK, RUN_LOG, RUN_PROGRESS
from arena.storage.run_facts.facts import RunState
from arena.storage.run_facts.run_progress import RunProgress
from arena.storage.run_folder import FolderStore
from arena.tournament.records.fault_count import FaultCounter
from arena.tournament.records.match_record import MatchRecord

CHUNK_BYTES = 1 << 23
"""How many bytes of ``matches.jsonl`` are read at once."""
LOG_TAIL_BYTES = 1 << 16
"""How many bytes at the end of the log are searched for warnings and errors."""
SHOWN_LINES = 5
"""How many lines of the log are shown."""
_FAULT_MARK = b'"faults":{"'
"""The bytes that occur in the line of a match with a fault, and in no other."""
_RECORD_DECODER = msgspec.json.Decoder(MatchRecord)


class RunStanding(StrEnum):
    """The state of a run as its manifest says; but a run that says it is running while no process plays it was
    killed."""

    RUNNING = "running"
    KILLED = "killed"
    STOPPED = "stopped"
    INCOMPLETE = "incomplete"
    COMPLETE = "complete"


class RunStatus(msgspec.Struct):
    """``finished`` matches of ``matches``; the ``share`` that is played ("": all); while the run is played also
    ``rate``, matches a second since it began or was resumed, and the estimated seconds ``left``, both None where not
    yet known; ``faults`` by entrant and kind; ``unplayed`` matches, which could not be played; ``why`` it ended early;
    the last warnings and errors of its ``log``; for a complete run the ``root`` digest of its matches, computed when it
    was complete."""

    folder: str
    tournament: str
    state: RunStanding
    finished: int
    matches: int
    share: str = ""
    process: int | None = None
    host: str = ""
    jobs: int | None = None
    seconds: float | None = None
    rate: float | None = None
    left: float | None = None
    faults: dict[str, dict[str, int]] = {}
    unplayed: tuple[UnplayedMatch, ...] = ()
    suspended: dict[str, int] = {}
    why: str = ""
    log: list[str] = []
    root: str = ""


class MatchCounter(Protocol):
    """Counts the matches of a growing run: how many are finished (``count``), and their ``faults``."""

    count: int
    faults: FaultCounter

    def catch_up(self) -> None:
        """Count the matches that were added since the last call."""


class WatchedRun:
    """A run that is observed, perhaps repeatedly: matches that were counted once are not read again. A caller that
    counts matches anyway passes its counter as ``counted``. Raises UserError where ``folder`` holds no run."""

    def __init__(self, folder: Path, counted: MatchCounter | None = None) -> None:
        self.folder, self.store = folder, FolderStore(folder)
        self.facts = self.store.facts()
        self._lines = _Lines(folder / MATCHES_FILE) if counted is None else counted

    def read_status(self) -> RunStatus:
        """The current status of the run."""
        playing = FolderLock(self.folder / RUN_LOCK).holder()  # before its state is read: it may end in between
        state, manifest = self.store.state(), self.store.manifest_data()
        far = _read_how_far(self.folder)
        self._lines.catch_up()
        stands = RunStanding(state) if state is not RunState.RUNNING or playing is not None else RunStanding.KILLED
        share = self.facts.played_share
        matches = self.facts.matches if share is None else share.count(self.facts.matches)
        found = RunStatus(str(self.folder), self.facts.tournament, stands, self._lines.count, matches)
        found.share = self.facts.share
        found.faults = self._lines.faults.by_entrant()
        found.suspended = dict(manifest.get("suspended", {}))
        found.log = unusual_lines(self.folder / RUN_LOG)
        found.root = str(manifest.get("root", ""))
        if far is None:
            return found
        found.jobs, found.host = far.jobs, far.host
        found.unplayed, found.why = far.unplayed, far.why
        if stands is RunStanding.KILLED:
            found.why = f"process {far.process} on {far.host} ended without a message"
        found.matches = far.total
        found.seconds = far.seconds
        if stands is RunStanding.RUNNING:
            found.process = playing
            found.seconds = max(far.seconds, (datetime.now(UTC) - datetime.fromisoformat(far.began)).total_seconds())
        played = found.finished - far.kept
        if played > 0 and found.seconds:
            found.rate = played / found.seconds
            found.left = (found.matches - found.finished) / found.rate if stands is RunStanding.RUNNING else None
        return found

    def table(self) -> ProvisionalStandings:
        """The standings of the finished matches, which take longer to compute."""
        return provisional_standings(
            self.store.records(), tuple(self.facts.entrants), tuple(self.facts.editions), self.facts.measures
        )


class _Lines:
    """The whole lines of a growing ``matches.jsonl``: their ``count``, and the ``faults`` in them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._forget(0)

    def _forget(self, inode: int) -> None:
        self.count, self.faults, self._end, self._inode = 0, FaultCounter(), 0, inode

    def catch_up(self) -> None:
        """Count the lines added since the last call. A file that was rewritten is counted from its beginning."""
        try:
            file = open_foreign_file(self.path)
        except FileNotFoundError:
            self._forget(0)
            return
        with file:
            found = os.fstat(file.fileno())
            if found.st_ino != self._inode or found.st_size < self._end:
                self._forget(found.st_ino)
            file.seek(self._end)
            rest = b""
            while chunk := file.read(CHUNK_BYTES):
                whole, newline, rest = (rest + chunk).rpartition(b"\n")
                if len(rest) > LONGEST_LINE:
                    told = f"byte {self._end + len(whole + newline)} begins a line of more than"
                    raise UserError(f"{self.path}: {told} {LONGEST_LINE >> 20} MiB")
                self._take(whole + newline)

    def _take(self, lines: bytes) -> None:
        self.count += lines.count(b"\n")
        self._end += len(lines)
        at = lines.find(_FAULT_MARK)
        while at >= 0:
            start, end = lines.rfind(b"\n", 0, at) + 1, lines.index(b"\n", at)
            try:
                self.faults.add_record(_RECORD_DECODER.decode(lines[start:end]))
            except DECODE_ERRORS as problem:
                number = self.count - lines.count(b"\n", end) + 1
                raise UserError(f"{self.path}:{number}: no match record: {problem}") from None
            at = lines.find(_FAULT_MARK, end)


def _read_how_far(folder: Path) -> RunProgress | None:
    """The run's last progress report; None where there is none that can be read."""
    try:
        return msgspec.json.decode(read_foreign_file(folder / RUN_PROGRESS), type=RunProgress)
    except (OSError, *DECODE_ERRORS):
        return None


def unusual_lines(path: Path) -> list[str]:
    """The last warnings and errors of the log, a line each."""
    try:
        with open_foreign_file(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LOG_TAIL_BYTES))
            text = file.read(LOG_TAIL_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    told = [
        line
        for line in text.splitlines()[1 if len(text) == LOG_TAIL_BYTES else 0 :]
        if _line_level(line) in ("WARNING", "ERROR")
    ]
    return told[-SHOWN_LINES:]


def _line_level(line: str) -> str:
    """The level of a log line; empty for a continuation line of a message."""
    words = line.split(" ", 5)
    return words[4] if len(words) == 6 and words[0][:2] == "20" else ""


def as_json(status: RunStatus, table: Any = None) -> str:
    """The status as JSON in one line, with the provisional standings if given."""
    data = msgspec.to_builtins(status)
    return json.dumps(data if table is None else {**data, "provisional": table})
