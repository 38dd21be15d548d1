"""Merges several runs of one tournament into one: shares of it, or copies that were played on several machines.

The result is a run's folder like any other, with the same bytes as a single run. Memory does not grow with the size of
matches: only a few numbers are held for each match. The result's folder appears only when everything is written.
"""

from __future__ import annotations

import heapq
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path

import msgspec

from arena.code_digest import SCHEDULED, STATISTICS, code_difference, code_digests, of_parts, statistics_note
from arena.commands.merge.merge_source import MergeSource
from arena.errors import Mismatch, UnsafeFile, UserError
from arena.foreign_files import DECODE_ERRORS, LARGEST_LOG, files_in, odd_files_in, read_foreign_file
from arena.match.work import Timing, WorkResult, unmeasured_timing
from arena.runs.machine_speed import join_machines
from arena.runs.planning.open_folder import new_run_folder
from arena.storage.consistency import roster_of
from arena.storage.files.atomic_files import blame_path
from arena.storage.files.line_file import LineFile
from arena.storage.folder_lock import FolderLock
from arena.storage.layout import BOT_LOGS, MATCHES_FILE, read_records
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.settings import differences_line, setting_differences
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.records.suspension import Suspension
from arena.tournament.schedule.roster import Roster
from arena.tournament.standings import placings
from arena.tournament.standings.standings import Standings, fold_standings

_RECORD_DECODER = msgspec.json.Decoder(MatchRecord)
_TIMING_DECODER = msgspec.json.Decoder(Timing)


class MergeResult(msgspec.Struct):
    """The result of a merge: the state of the merged run, the matches ``finished`` of the ``total``, the number of
    matches taken ``from_each`` folder, the ``missing_shares`` if all folders were shares of the same division,
    ``notes`` on what was left out, one line each, the standings (empty unless the run is complete), and what a knockout
    has ``decided``."""

    state: RunState
    finished: int
    total: int
    from_each: dict[str, int]
    missing_shares: list[str] = []
    notes: list[str] = []
    standings: tuple[Standings, ...] = ()
    decided: list[str] = []


Progress = Callable[[], None]
"""Called for each match that has been copied."""


def merge_shares(folders: Sequence[Path], out: Path, command: str, progress: Progress = lambda: None) -> MergeResult:
    """Write into a new folder ``out`` the run that has all matches of the runs in ``folders``. A match that several of
    them have must be the same in all.

    Raises UserError if the runs are not of one tournament played under the same conditions, if one is still being
    played, if a line is invalid, and if two runs have different results of a match; Mismatch if a run has changed since
    it was complete, or a replay is damaged or contradicts its line.
    """
    new_run_folder("", out)
    with ExitStack() as held:
        sources = [MergeSource(folder, held) for folder in dict.fromkeys(folders)]
        for other in sources[1:]:
            _check_alike(sources[0], other)
        roster = roster_of(sources[0].shown, whole=True)
        roster.schedule.learn(_each_once(sources))
        for source in sources:
            source.read(roster, held)
            source.check_root()
        with _taking_shape(out) as unfinished, FolderStore(unfinished) as store:
            return _Merge(sources, roster, store, progress).run(command)


@contextmanager
def _taking_shape(out: Path) -> Iterator[Path]:
    """Context manager: gives a temporary folder that is moved to ``out`` once it is complete. Remains of a killed merge
    are removed first."""
    beside = out.absolute().with_name(f".{out.name}.merging")
    beside.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(beside / "lock")
    lock.take(out, "merging into it")
    try:
        shutil.rmtree(beside / "run", ignore_errors=True)
        yield beside / "run"
        (beside / "run").rename(out)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        lock.release()


class _Merge:
    def __init__(self, sources: Sequence[MergeSource], roster: Roster, store: FolderStore, progress: Progress) -> None:
        self.sources, self.roster, self.store, self.progress = sources, roster, store, progress
        self.suspension = Suspension(sources[0].facts.suspend_after)
        self._left_out: list[str] = []

    def run(self, command: str) -> MergeResult:
        """Write the merged run."""
        first = self.sources[0]
        code = {**first.facts.code, **of_parts(code_digests(), STATISTICS)} if self._code_is_known() else {}
        engines = tuple(dict.fromkeys(engine for source in self.sources for engine in source.facts.engines))
        facts = msgspec.structs.replace(
            first.facts, command=command, config=first.config, share="", code=code, engines=engines
        )
        self.store.begin(facts)
        finished = 0
        for done in self._matches():
            self.store.add(done)
            self.suspension.add_record(done.record)
            finished += 1
            self.progress()
        self._copy_bot_logs()
        return self._end(facts, finished)

    def _code_is_known(self) -> bool:
        return all(source.facts.code for source in self.sources)

    def _matches(self) -> Iterator[WorkResult]:
        """Every match that at least one run has, in the schedule's order."""
        streams = [_number_lines(place, source) for place, source in enumerate(self.sources)]
        for number, found in groupby(heapq.merge(*streams), key=lambda each: each[0]):
            if (done := self._one(number, [(self.sources[place], line) for _, place, line in found])) is not None:
                yield done

    def _one(self, number: int, found: Sequence[tuple[MergeSource, bytes]]) -> WorkResult | None:
        """The match with this number, from the first run that has its record and replay; None if none has. ``found``
        has its line in each run. Raises UserError if the results differ, Mismatch if only damaged replays are left."""
        first, line = found[0]
        damage: Mismatch | None = None
        record = _RECORD_DECODER.decode(line)
        for other, another in found[1:]:
            if another != line and (differing := _record_differences(record, _RECORD_DECODER.decode(another))):
                told = differences_line(differing, f"in {first.shown}", f"in {other.shown}")
                raise UserError(f"{record.id} has two results: {told}; arena verify may show which one is right")
        for source, _ in found:
            try:
                packed = source.packed(record)
            except Mismatch as problem:
                damage = damage or problem
                continue
            if packed is None and record.replay:
                continue
            if damage is not None:
                self._left_out.append(f"{damage}; taken from {source.shown}")
            source.taken += 1
            timing, cassette = _read_timing(source.timings, number, record.id), source.cassette(record.id)
            return WorkResult(record, timing, packed, cassette=cassette)
        if damage is not None:
            raise damage
        first.lost.append(record.id)
        return None

    def _copy_bot_logs(self) -> None:
        """Join the bots' logs of all runs, one run after another."""
        for source in self.sources:
            folder = source.shown / BOT_LOGS
            self._left_out += [f"{problem}; left out" for problem in odd_files_in(folder, ".log")]
            for log in files_in(folder, ".log"):
                to = self.store.folder / BOT_LOGS / log.name
                to.parent.mkdir(parents=True, exist_ok=True)
                try:
                    content = read_foreign_file(log, LARGEST_LOG)
                except UnsafeFile as problem:
                    self._left_out.append(f"{problem}; left out")
                    continue
                with blame_path(to), to.open("ab") as there:
                    there.write(content)

    def _end(self, facts: Facts, finished: int) -> MergeResult:
        """Write the state of the merged run, and its standings if it is complete."""
        schedule, names = self.roster.schedule, self.roster.names
        total = len(schedule)
        if facts.suspend_after is not None:
            total = sum(1 for _ in self.suspension.remaining_fixtures(schedule, names))
        state = RunState.COMPLETE if finished == total else RunState.STOPPED
        self.store.end(state, finished, self.suspension.first_blocks(facts.blocks))
        told = [
            {"folder": str(each.shown), "share": each.facts.share, "matches": each.taken, "root": each.root}
            for each in self.sources
        ]
        self.store.remember({"merged": told, **join_machines(*(each.store.manifest_data() for each in self.sources))})
        merged = MergeResult(state, finished, total, {str(each.shown): each.taken for each in self.sources})
        merged.missing_shares, merged.notes = self._missing_shares(), self._notes()
        merged.decided = placings.elimination_words(schedule, names)
        if state is RunState.COMPLETE:
            merged.standings = fold_standings(
                self.store.records(), tuple(facts.entrants), tuple(facts.editions), facts.measures
            )
            self.store.complete(self.roster, merged.standings)
        return merged

    def _missing_shares(self) -> list[str]:
        shares = [source.facts.played_share for source in self.sources]
        there = {share.number for share in shares if share is not None}
        numbers = {share.of if share is not None else 0 for share in shares}
        of = numbers.pop()
        return [f"{number}/{of}" for number in range(1, of + 1) if number not in there] if not numbers else []

    def _notes(self) -> list[str]:
        """What was left out, and of which folder."""
        notes = self._left_out
        for source in self.sources:
            if note := statistics_note(source.facts.code):
                notes.append(f"{source.shown}: {note}")
            if source.matches.cut_off:
                notes.append(f"{source.shown / MATCHES_FILE}: the last line is cut off; left out")
            if source.lost:
                others = f" and {len(source.lost) - 1} more" if len(source.lost) > 1 else ""
                notes.append(f"{source.shown}: missing or cut off: the replay of {source.lost[0]}{others}; left out")
        return notes


def _read_timing(timings: LineFile, number: int, id: str) -> Timing:
    """The timing of the match with this number, or if it was lost, one marked as not measured."""
    line = timings.line(number)
    try:
        return unmeasured_timing(id) if line is None else _TIMING_DECODER.decode(line)
    except DECODE_ERRORS:
        return unmeasured_timing(id)


def _number_lines(place: int, source: MergeSource) -> Iterator[tuple[int, int, bytes]]:
    """The lines of a source: each as the number of its match, the source's ``place``, and the bytes."""
    return ((number, place, line) for number, line in source.matches)


def _each_once(sources: Sequence[MergeSource]) -> Iterator[MatchRecord]:
    """The matches of all runs; a match in several runs comes once."""
    seen = set[str]()
    for source in sources:
        for record in read_records(source.shown):
            if record.id not in seen:
                seen.add(record.id)
                yield record


def _record_differences(one: MatchRecord, other: MatchRecord) -> dict[str, tuple[str, str]]:
    """The fields in which two records of a match differ."""
    return setting_differences(msgspec.to_builtins(one), msgspec.to_builtins(other))


def _check_alike(first: MergeSource, other: MergeSource) -> None:
    """Raise UserError where two runs are not of one tournament, played under the same conditions."""
    if code := code_difference(first.facts.code, SCHEDULED, other.facts.code):
        both = f"{first.shown} and {other.shown}"
        raise UserError(
            f"{both} were played by different {code}, on which their matches depend; play one of them again"
        )
    found = setting_differences(_run_conditions(first.facts), _run_conditions(other.facts))
    if found:
        told = differences_line(found, f"in {first.shown}", f"in {other.shown}")
        raise UserError(f"{first.shown} and {other.shown} are not runs of one tournament: {told}")


def _run_conditions(facts: Facts) -> dict[str, object]:
    """Everything that determines the bytes of a run."""
    bots = {name: each.get("sha256") for name, each in facts.entrants.items()}
    return {
        **facts.comparable_settings(),
        "bots": bots,
        "rules": facts.editions,
        "isolation": facts.isolation.get("level"),
        "replay_format": facts.replay_format,
        "chance": facts.chance,
    }
