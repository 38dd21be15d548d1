"""A run's folder below ``results/``: writing and reading its files.

``matches.jsonl`` has one line a match; standings and crosstable are computed from it. While the run is played, lines
are only appended; in a complete run they are in the schedule's order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

import msgspec

from arena.match.work import Timing, WorkResult
from arena.storage.audit_file import labels_in
from arena.storage.files.atomic_files import write_whole
from arena.storage.folder_lock import FolderLock
from arena.storage.layout import MATCHES_FILE, RUN_LOCK, RUN_LOG, RUN_PROGRESS
from arena.storage.logs.job_log import joint_log
from arena.storage.root_digest import root_of
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.registration_check import registered_sentence
from arena.storage.run_facts.run_progress import RunProgress
from arena.storage.run_files.manifest import Manifest
from arena.storage.run_files.match_files import MatchFiles
from arena.storage.standings_files import schedule_in, write_standings
from arena.storage.store import RunRemains
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.roster import Roster
from arena.tournament.standings.placings import elimination_words
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import Standings, fold_standings


class FolderStore:
    """Implements :class:`arena.storage.store.Store` in a folder. While the store is open, log records of all processes
    go to the run's log; so open it before starting workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.abspath(folder))  # whatever folder a bot may change to
        self.shown = folder
        self._manifest = Manifest(self.folder, folder)
        self._files = MatchFiles(self.folder, folder)
        self._lock = FolderLock(self.folder / RUN_LOCK)
        self._open = ExitStack()

    def __enter__(self) -> Self:
        """Open the run for adding matches, behind the last whole line of each file. Raises UserError where another
        process has it open."""
        (self.folder / "logs").mkdir(parents=True, exist_ok=True)
        self._lock.take(self.shown)
        with ExitStack() as opened:
            opened.callback(self._lock.release)
            opened.enter_context(self._files)
            opened.enter_context(joint_log(self.folder / RUN_LOG))
            self._open = opened.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()

    def begin(self, facts: Facts) -> None:
        """Write the facts of a new run."""
        self._manifest.begin(facts)

    def go_on(self, facts: Facts) -> None:
        """Write the facts of a resumed run: the same as before, except for added blocks."""
        self._manifest.go_on(facts)

    def facts(self) -> Facts:
        """The facts in ``manifest.json``."""
        return self._manifest.facts()

    def state(self) -> RunState:
        """The run's state according to ``manifest.json``. Raises UserError where it does not say."""
        return self._manifest.state()

    def resume_command(self) -> str:
        """The command that resumes the run, as it is typed."""
        return self._manifest.resume_command()

    def tell(self, far: RunProgress) -> None:
        """Write the run's progress for observers; an error in writing it is ignored."""
        if (self.folder / RUN_LOCK).is_file():  # else the folder was moved, and must not be made again
            with suppress(OSError):
                write_whole(self.folder / RUN_PROGRESS, msgspec.json.encode(far))

    def recover(self, roster: Roster) -> RunRemains:
        """See :meth:`arena.storage.store.Store.recover`."""
        return self._files.recover(roster)

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """See :meth:`arena.storage.store.Store.forget`. The total number of these matches is kept in ``manifest.json``
        as ``played_again``."""
        ids = {record.id for record in self.records() if which(record)}
        if ids:
            self._manifest.count_again(len(ids))
            self._files.drop(ids)
        return len(ids)

    def add(self, done: WorkResult) -> None:
        """Add a match to the files. Raises ArenaError where another program moved, removed or changed them."""
        self._files.add(done)

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches in file order."""
        return self._files.records()

    def timings(self) -> Iterator[Timing]:
        """The readable lines of ``timings.jsonl``."""
        return self._files.timings()

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match; None if it was not kept."""
        return self._files.replays.get(id)

    def cassette(self, id: str) -> bytes | None:
        """The calls of models of a finished match, as a cassette. Raises ReplayError where it is damaged."""
        return self._files.cassettes.get(id)

    def replay_frame(self, id: str) -> bytes | None:
        """The replay of a match as a compressed frame; None also where it is incomplete."""
        return self._files.replays.replay_frame(id)

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Write into ``manifest.json`` how the run ended."""
        self._files.check()
        self._files.make_safe()
        self._manifest.end(state, finished, suspended)

    def remember(self, told: Mapping[str, Any]) -> None:
        """Write these keys into ``manifest.json``."""
        self._manifest.update(told)

    def manifest_data(self) -> Mapping[str, Any]:
        """The whole of ``manifest.json``."""
        return self._manifest.read()

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Sort the records into the order of the ``roster``, if necessary, and write the standings, and the root digest
        into the manifest."""
        self._files.put_in_order(roster)
        provenance = self.provenance()
        self.write_standings(standings, provenance)
        self.remember({"root": provenance.root})

    def provenance(self) -> Provenance:
        """The root digest of the current records, the bots' labels if an audit covers these matches, and what was
        registered."""
        root = root_of(self.folder / MATCHES_FILE)
        registered = registered_sentence(self.facts(), self.state())
        return Provenance(root.digest, root.matches, labels_in(self.shown, root.digest), registered)

    def write_standings(self, standings: Sequence[Standings], provenance: Provenance) -> None:
        """Write the standings files."""
        write_standings(self.folder, self.facts(), self.records, standings, provenance)


def fold_again(store: FolderStore) -> tuple[tuple[Standings, ...], Provenance]:
    """Compute the standings of a run, finished or not, anew from its records, and write them. Returns them with their
    provenance."""
    facts = store.facts()
    names, editions = tuple(facts.entrants), tuple(facts.editions)
    standings = fold_standings(store.records(), names, editions, facts.measures)
    provenance = store.provenance()
    store.write_standings(standings, provenance)
    return standings, provenance


def knockout_winners(store: FolderStore) -> list[str]:
    """The winners of a run that is a knockout, and where the others went out, a line for each edition."""
    facts = store.facts()
    schedule = schedule_in(facts, store.records())
    return [] if schedule is None else elimination_words(schedule, tuple(facts.entrants))
