"""A run's folder below ``results/``: writing and reading its files.

``matches.jsonl`` has one line a match; standings and crosstable are computed from it. During a run lines are only
appended; in a complete run they are in the schedule's order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Self

import msgspec

from arena.config.documents.dialect import dump_yaml
from arena.errors import UnsafeFile, UserError
from arena.foreign_files import parse_json, read_foreign_file
from arena.match.work import Timing, WorkResult
from arena.storage.audit_file import labels_in
from arena.storage.files.append_file import AppendFile
from arena.storage.files.atomic_files import write_whole
from arena.storage.files.line_file import LineFile, cut_off
from arena.storage.folder_lock import FolderLock
from arena.storage.layout import (
    BOT_LOGS,
    CONFIG_FILE,
    MANIFEST_FILE,
    MATCHES_FILE,
    RUN_LOCK,
    RUN_LOG,
    RUN_PROGRESS,
    TIMINGS_FILE,
    check_folders,
    read_records,
)
from arena.storage.logs.bot_logs import BotLogs
from arena.storage.logs.job_log import joint_log
from arena.storage.packs.pack_recovery import SMALLEST_WEIGHT, mend_packs
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.packs.replay_packs import REPLAYS_FOLDER, KeptReplays, replay_path
from arena.storage.recovery import drop_records, drop_timings, read_timings, sort_out
from arena.storage.resume_command import resume_command
from arena.storage.root_digest import root_of
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.run_progress import RunProgress
from arena.storage.standings_files import schedule_in, standings_files, suspension_in
from arena.storage.store import RunRemains
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.roster import Roster
from arena.tournament.standings.placings import elimination_words
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import Standings, fold_standings

UNSAFE_BYTES, UNSAFE_SECONDS = 8 << 20, 10.0
"""Packed bytes and time that a power cut can cost at most, but for one match."""

FIRST_WRITTEN = ("command", "started", "skipped", "measure_names")
"""What ``manifest.json`` says of a run as it began, however it goes on."""


class FolderStore:
    """Implements :class:`arena.storage.store.Store` in a folder. While it is open, what any process logs goes to its
    log: so it has to be opened before workers are started."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.abspath(folder))  # whatever folder a bot may change to
        self.shown = folder
        self._bot_logs = BotLogs(self.folder / BOT_LOGS)
        self._lock = FolderLock(self.folder / RUN_LOCK)
        self._open = ExitStack()
        self._matches: AppendFile | None = None
        self._timings: AppendFile | None = None
        self._cut: list[str] = []
        self._kept = KeptReplays(self.folder)
        self._packs = PackWriter(self.folder / REPLAYS_FOLDER)
        self._checked: set[str] = set()
        self._unsafe, self._safe_since = 0, monotonic()

    def __enter__(self) -> Self:
        """Open it for adding matches, behind the last whole line of each file. Raises UserError where another process
        has it open."""
        (self.folder / "logs").mkdir(parents=True, exist_ok=True)
        self._lock.take(self.shown)
        with ExitStack() as opened:
            opened.callback(self._lock.release)
            self._remove_unfinished()
            self._cut = [name for name in (MATCHES_FILE, TIMINGS_FILE) if cut_off(self.folder / name)]
            self._checked = mend_packs(self.folder / REPLAYS_FOLDER)
            self._open_lines()
            opened.callback(self._close_lines)
            opened.callback(self._packs.close)
            opened.enter_context(joint_log(self.folder / RUN_LOG))
            self._open = opened.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()

    def _open_lines(self) -> None:
        self._matches = AppendFile(self.folder / MATCHES_FILE)
        self._timings = AppendFile(self.folder / TIMINGS_FILE)

    def _close_lines(self) -> None:
        for file in (self._matches, self._timings):
            if file is not None:
                file.close()
        self._matches = self._timings = None

    def begin(self, facts: Facts) -> None:
        """Write what is known before the first match."""
        if (self.folder / MANIFEST_FILE).exists():
            raise UserError(f"{self.shown} holds a run already; choose another --out")
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / CONFIG_FILE, dump_yaml(facts.config).encode())
        self._write_manifest({**_manifest_facts(facts), "started": _current_time(), "state": RunState.RUNNING})

    def go_on(self, facts: Facts) -> None:
        """Write what is known of a run that goes on: the same as before, but for added blocks."""
        before = self._manifest()
        kept: dict[str, Any] = {name: before[name] for name in FIRST_WRITTEN if name in before}
        if not before.get("code"):
            kept["code"] = {}  # what played the matches before is not known
        write_whole(self.folder / CONFIG_FILE, dump_yaml(facts.config).encode())
        before.pop("root", None)
        self._write_manifest({**before, **_manifest_facts(facts), **kept, "state": RunState.RUNNING})

    def facts(self) -> Facts:
        """What ``manifest.json`` says."""
        return msgspec.convert(self._manifest(), Facts)

    def state(self) -> RunState:
        """How the run stands, as ``manifest.json`` says. Raises UserError where it does not say so."""
        stated = self._manifest().get("state")
        if stated not in list(RunState):
            raise UserError(f"{self.shown / MANIFEST_FILE}: state is {stated!r}, expected one of {', '.join(RunState)}")
        return RunState(stated)

    def resume_command(self) -> str:
        """The command that plays the run on, as it is typed."""
        try:
            manifest = self._manifest()
        except UserError:  # it says nothing that would have to be said again
            manifest = {}
        return resume_command(self.shown, manifest)

    def tell(self, far: RunProgress) -> None:
        """Write how far the run is for others to see; where that fails, they see less."""
        if (self.folder / RUN_LOCK).is_file():  # else the folder was moved, and must not be made again
            with suppress(OSError):
                write_whole(self.folder / RUN_PROGRESS, msgspec.json.encode(far))

    def _manifest(self) -> dict[str, Any]:
        path, shown = self.folder / MANIFEST_FILE, self.shown / MANIFEST_FILE
        if not path.is_file():
            raise UserError(f"{self.shown} holds no run: {shown} is missing")
        check_folders(self.folder)
        try:
            found: dict[str, Any] = parse_json(read_foreign_file(path))
            msgspec.convert(found, Facts)
        except UnsafeFile as problem:
            raise UserError(f"{shown}: {problem.reason}") from None
        except (OSError, ValueError) as problem:
            raise UserError(f"{shown} cannot be read: {problem}") from None
        return found

    def _write_manifest(self, manifest: dict[str, Any]) -> None:
        write_whole(self.folder / MANIFEST_FILE, (json.dumps(manifest, indent=2) + "\n").encode())

    def recover(self, roster: Roster) -> RunRemains:
        """See :meth:`arena.storage.store.Store.recover`. Few replays are read for it: those at the end."""
        notes = [f"{self.shown / name}: dropped the last line, which was cut off" for name in self._cut]
        path = str(self.shown / MATCHES_FILE)
        numbered = ((f"{path}:{line}", record) for line, record in enumerate(self.records(), 1))
        whole, lost = sort_out(self._kept, self._checked, numbered, roster)
        self._close_lines()
        if lost:
            drop_records(self.folder / MATCHES_FILE, set(lost))
            others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
            notes.append(f"missing or cut off: the replay of {lost[0]}{others}; played again")
        if useless := drop_timings(self.folder / TIMINGS_FILE, self.folder / MATCHES_FILE, roster, whole):
            notes.append(f"{self.shown / TIMINGS_FILE}: dropped {useless} lines that stood twice or could not be read")
        self._open_lines()
        return RunRemains(whole, notes)

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """See :meth:`arena.storage.store.Store.forget`. ``manifest.json`` keeps their number, added up, in
        ``played_again``. Their replays are superseded by the new ones."""
        ids = {record.id for record in self.records() if which(record)}
        if ids:
            before = self._manifest()
            again = before.get("played_again", 0) + len(ids)
            self._write_manifest({**before, "played_again": again, "state": RunState.RUNNING})
            self._close_lines()
            drop_records(self.folder / MATCHES_FILE, ids)  # their timings go when the run recovers
            self._open_lines()
        return len(ids)

    def add(self, done: WorkResult) -> None:
        """Add the replay to the last pack and what bots printed to their logs, then the match to ``timings.jsonl`` and
        ``matches.jsonl``. Raises ArenaError where these files were moved, removed or changed by something else."""
        assert self._matches is not None, "it is open"
        assert self._timings is not None
        self._check_there()
        record = done.record
        if done.packed is not None:
            record = msgspec.structs.replace(record, replay=replay_path(record.id))
            self._packs.add(record.id, done.packed)
            self._unsafe += max(len(done.packed), SMALLEST_WEIGHT)
        for printed in done.printed:
            self._bot_logs.add(record, printed)
        self._timings.add(msgspec.json.encode(done.timing) + b"\n")
        self._matches.add(msgspec.json.encode(record) + b"\n")
        if self._unsafe >= UNSAFE_BYTES or monotonic() - self._safe_since >= UNSAFE_SECONDS:
            self._make_safe()

    def _make_safe(self) -> None:
        """Wait until a power cut would take nothing away: the replays first, then the records that name them."""
        self._packs.sync()
        for file in (self._matches, self._timings):
            if file is not None:
                file.sync()
        self._unsafe, self._safe_since = 0, monotonic()

    def _check_there(self) -> None:
        """Raise ArenaError where what is open here is no longer as it was left."""
        if self._matches is not None:
            self._matches.check(self.shown / MATCHES_FILE, lambda folder: FolderStore(folder).resume_command())
            self._packs.check(self.shown / REPLAYS_FOLDER)

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""
        return read_records(self.shown)

    def timings(self) -> Iterator[Timing]:
        """The lines of ``timings.jsonl`` that can be read."""
        return read_timings(self.folder / TIMINGS_FILE)

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""
        return self._kept.get(id)

    def packed(self, id: str) -> bytes | None:
        """The same as a frame; None also where it is not whole."""
        return self._kept.packed(id)

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Write into ``manifest.json`` how the run ended."""
        self._check_there()
        self._make_safe()
        how = {"state": state, "ended": _current_time(), "finished": finished, "suspended": dict(suspended)}
        self._write_manifest({**self._manifest(), **how})

    def remember(self, told: Mapping[str, Any]) -> None:
        """Write it into ``manifest.json``."""
        self._write_manifest({**self._manifest(), **told})

    def remembered(self) -> Mapping[str, Any]:
        """All of ``manifest.json``."""
        return self._manifest()

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Bring the lines into the order of the ``roster``, where they are not, and write the standings, and into the
        manifest the root digest."""
        for name in (MATCHES_FILE, TIMINGS_FILE):
            with LineFile(self.folder / name, roster.number) as lines:
                if not lines.in_order:
                    write_whole(self.folder / name, (line for _, line in lines))
        provenance = self.provenance()
        self.write_standings(standings, provenance)
        self.remember({"root": provenance.root})

    def provenance(self) -> Provenance:
        """The root digest of the matches, as they stand, and the labels of bots that an audit of these has found."""
        root = root_of(self.folder / MATCHES_FILE)
        return Provenance(root.digest, root.matches, labels_in(self.shown, root.digest))

    def write_standings(self, standings: Sequence[Standings], provenance: Provenance) -> None:
        """Write the standings files."""
        facts = self.facts()
        suspended = suspension_in(facts, self.records()).first_blocks(facts.blocks)
        schedule = schedule_in(facts, self.records())
        for name, content in standings_files(facts, standings, provenance, suspended, schedule).items():
            write_whole(self.folder / name, content)

    def _remove_unfinished(self) -> None:
        """Remove replays and indexes that a killed run left half written."""
        for pattern in (".*.jsonl.*", ".*.index.*"):
            for path in (self.folder / REPLAYS_FOLDER).rglob(pattern):
                with suppress(FileNotFoundError):
                    path.unlink()


def fold_again(store: FolderStore) -> tuple[tuple[Standings, ...], Provenance]:
    """The standings of a run, finished or not, folded from its records and written anew, and what they rest on."""
    facts = store.facts()
    names, editions = tuple(facts.entrants), tuple(facts.editions)
    standings = fold_standings(store.records(), names, editions, facts.measures)
    provenance = store.provenance()
    store.write_standings(standings, provenance)
    return standings, provenance


def knockout_winners(store: FolderStore) -> list[str]:
    """Who won a run that is a knockout, and where the others were out, a line for each edition."""
    facts = store.facts()
    schedule = schedule_in(facts, store.records())
    return [] if schedule is None else elimination_words(schedule, tuple(facts.entrants))


def _current_time() -> str:
    """The time, for the manifest alone."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _manifest_facts(facts: Facts) -> dict[str, Any]:
    """Facts as the manifest tells them; the configuration has a file of its own."""
    return {name: getattr(facts, name) for name in Facts.__struct_fields__ if name != "config"}
