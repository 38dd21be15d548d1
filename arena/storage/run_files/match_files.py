"""The files of a run's folder that grow with each match: records, timings, packed replays and bots' output."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Self

import msgspec

from arena.consultation.journal import forget_journal
from arena.match.work import Timing, WorkResult
from arena.storage.files.append_file import AppendFile
from arena.storage.files.atomic_files import write_whole
from arena.storage.files.line_file import LineFile, cut_off
from arena.storage.layout import BOT_LOGS, MATCHES_FILE, TIMINGS_FILE, read_records
from arena.storage.logs.bot_logs import BotLogs
from arena.storage.packs.pack_recovery import SMALLEST_WEIGHT, mend_packs
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.packs.replay_packs import (
    CASSETTES_FOLDER,
    OPEN_CALLS_FOLDER,
    REPLAYS_FOLDER,
    KeptReplays,
    replay_path,
)
from arena.storage.recovery import drop_records, drop_timings, read_timings, sort_out
from arena.storage.run_files.manifest import Manifest
from arena.storage.store import RunRemains
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.roster import Roster

UNSAFE_BYTES, UNSAFE_SECONDS = 8 << 20, 10.0
"""The most that a power cut can lose, in compressed bytes and in seconds, apart from one match."""


class MatchFiles:
    """``matches.jsonl``, ``timings.jsonl``, the packs of replays and the bots' logs of the run in ``folder``; messages
    call the folder ``shown``. Matches can be added inside ``with``."""

    def __init__(self, folder: Path, shown: Path) -> None:
        self.folder, self.shown = folder, shown
        self.replays = KeptReplays(folder)
        self.packs = PackWriter(folder / REPLAYS_FOLDER)
        self.cassettes = KeptReplays(folder, CASSETTES_FOLDER)
        self._cassette_packs = PackWriter(folder / CASSETTES_FOLDER)
        self._bot_logs = BotLogs(folder / BOT_LOGS)
        self._matches: AppendFile | None = None
        self._timings: AppendFile | None = None
        self._cut: list[str] = []
        self._checked: set[str] = set()
        self._unsafe, self._safe_since = 0, monotonic()

    def __enter__(self) -> Self:
        """Open the files for appending, behind the last whole line of each."""
        self._remove_unfinished()
        self._cut = [name for name in (MATCHES_FILE, TIMINGS_FILE) if cut_off(self.folder / name)]
        self._checked = mend_packs(self.folder / REPLAYS_FOLDER)
        mend_packs(self.folder / CASSETTES_FOLDER)
        self._open_lines()
        return self

    def __exit__(self, *raised: object) -> None:
        self.packs.close()
        self._cassette_packs.close()
        self._close_lines()

    def add(self, done: WorkResult) -> None:
        """Append the replay to the last pack and the bots' output to their logs, then the match to ``timings.jsonl``
        and ``matches.jsonl``. Raises ArenaError where another program moved, removed or changed these files."""
        assert self._matches is not None, "it is open"
        assert self._timings is not None
        self.check()
        record = done.record
        if done.cassette is not None:
            self._cassette_packs.add(record.id, done.cassette)
            self._unsafe += max(len(done.cassette), SMALLEST_WEIGHT)
        if done.packed is not None:
            record = msgspec.structs.replace(record, replay=replay_path(record.id))
            self.packs.add(record.id, done.packed)
            self._unsafe += max(len(done.packed), SMALLEST_WEIGHT)
        for printed in done.printed:
            self._bot_logs.add(record, printed)
        self._timings.add(msgspec.json.encode(done.timing) + b"\n")
        self._matches.add(msgspec.json.encode(record) + b"\n")
        if self._unsafe >= UNSAFE_BYTES or monotonic() - self._safe_since >= UNSAFE_SECONDS:
            self.make_safe()
        if done.cassette is not None:
            forget_journal(self.folder / OPEN_CALLS_FOLDER, record.id, self.make_safe)

    def make_safe(self) -> None:
        """Flush everything to disk: the replays first, then the records that name them."""
        self._cassette_packs.sync()
        self.packs.sync()
        for file in (self._matches, self._timings):
            if file is not None:
                file.sync()
        self._unsafe, self._safe_since = 0, monotonic()

    def check(self) -> None:
        """Raise ArenaError where an open file was moved, removed or changed by another program."""
        if self._matches is not None:
            self._matches.check(self.shown / MATCHES_FILE, lambda folder: Manifest(folder, folder).resume_command())
            self.packs.check(self.shown / REPLAYS_FOLDER)
            self._cassette_packs.check(self.shown / CASSETTES_FOLDER)

    def recover(self, roster: Roster) -> RunRemains:
        """See :meth:`arena.storage.store.Store.recover`. Only the few replays at the end are read."""
        notes = [f"{self.shown / name}: dropped the last line, which was cut off" for name in self._cut]
        path = str(self.shown / MATCHES_FILE)
        numbered = ((f"{path}:{line}", record) for line, record in enumerate(self.records(), 1))
        whole, lost = sort_out(self.replays, self._checked, numbered, roster)
        self._close_lines()
        if lost:
            drop_records(self.folder / MATCHES_FILE, set(lost))
            others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
            notes.append(f"missing or cut off: the replay of {lost[0]}{others}; played again")
        if useless := drop_timings(self.folder / TIMINGS_FILE, self.folder / MATCHES_FILE, roster, whole):
            notes.append(f"{self.shown / TIMINGS_FILE}: dropped {useless} lines that were unreadable or occurred twice")
        self._open_lines()
        return RunRemains(whole, notes)

    def drop(self, ids: Container[str]) -> None:
        """Drop the records of these matches. Their timings are dropped when the run recovers, and new replays supersede
        theirs."""
        self._close_lines()
        drop_records(self.folder / MATCHES_FILE, ids)
        self._open_lines()

    def put_in_order(self, roster: Roster) -> None:
        """Sort the lines into the order of the ``roster``, if necessary."""
        for name in (MATCHES_FILE, TIMINGS_FILE):
            with LineFile(self.folder / name, roster.number) as lines:
                if not lines.in_order:
                    write_whole(self.folder / name, (line for _, line in lines))

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches in file order."""
        return read_records(self.shown)

    def timings(self) -> Iterator[Timing]:
        """The readable lines of ``timings.jsonl``."""
        return read_timings(self.folder / TIMINGS_FILE)

    def _open_lines(self) -> None:
        self._matches = AppendFile(self.folder / MATCHES_FILE)
        self._timings = AppendFile(self.folder / TIMINGS_FILE)

    def _close_lines(self) -> None:
        for file in (self._matches, self._timings):
            if file is not None:
                file.close()
        self._matches = self._timings = None

    def _remove_unfinished(self) -> None:
        """Remove incomplete replay and index files that a killed run left behind."""
        for pattern in (".*.jsonl.*", ".*.index.*"):
            for path in (self.folder / REPLAYS_FOLDER).rglob(pattern):
                with suppress(FileNotFoundError):
                    path.unlink()
