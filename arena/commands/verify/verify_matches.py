"""Verifies many replays in several processes, and compares those of a run with its records: each is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from arena.analysis.process_map import PART_MATCHES, in_parts
from arena.commands.verify.results import FileVerdict
from arena.errors import Mismatch, ReplayError
from arena.match.walk.verify import VerifyResult, verify_replay
from arena.recorded.replay_files import replay_names, require_replays
from arena.recorded.replay_names import is_run, name_file_in, read_named
from arena.storage.cassette_check import cassette_problems
from arena.storage.consistency import Consistency, RunCheck
from arena.storage.packs.replay_packs import replay_path, replays_of
from arena.storage.replay_check import RunFacts, replay_problems
from arena.tournament.records.match_record import MatchRecord

SERIAL_REPLAYS = 400
"""Up to this number of replays, starting processes takes longer than it saves."""


class ReplayTask(NamedTuple):
    """A replay to verify. Of a run, also the number of the run among those that are checked, and the record, with its
    line in ``matches.jsonl``."""

    path: Path
    run: int = 0
    line: int = 0
    record: MatchRecord | None = None


class TaskResult(NamedTuple):
    """What came of a task: the verdict, None where the replay is missing; and the ``problems`` of the record."""

    task: ReplayTask
    verdict: FileVerdict | None
    problems: list[str]


class Verification:
    """Verifies the replays that ``paths`` name, and the runs among them, each once, with up to ``jobs`` processes;
    these may import the ``games`` from outside arena."""

    def __init__(self, paths: Sequence[Path], jobs: int, games: Sequence[str]) -> None:
        self.paths, self.jobs, self.games = tuple(dict.fromkeys(paths)), jobs, games
        self.runs = {path: RunCheck(path) for path in self.paths if is_run(path)}
        self._checks = list(self.runs.values())

    def verdicts(self) -> Iterator[FileVerdict]:
        """The verdict on each replay: of a run in the order of its records, then on those without one. Raises UserError
        for a folder without replays, and ReplayError for a damaged index."""
        require_replays(self.paths)
        for result in self._results(self._tasks()):
            if (record := result.task.record) is not None:
                self._checks[result.task.run].note(result.task.line, record, result.problems)
            if result.verdict is not None:
                yield result.verdict

    def consistencies(self) -> Iterator[Consistency]:
        """What is found about each run, once all verdicts are there."""
        return (check.finish() for check in self._checks)

    def _tasks(self) -> Iterator[ReplayTask]:
        """All replays."""
        numbers = {path: number for number, path in enumerate(self.runs)}
        for path in self.paths:
            check = self.runs.get(path)
            if check is None:
                yield from map(ReplayTask, replay_names([path]))
                continue
            for line, record in check.records():
                yield ReplayTask(path / replay_path(record.id), numbers[path], line, record)
            yield from (ReplayTask(path / replay_path(id)) for id in check.unrecorded())

    def _results(self, tasks: Iterator[ReplayTask]) -> Iterator[TaskResult]:
        """What comes of the tasks, in their order. A few are done in this process."""
        runs = [check.compared for check in self._checks]
        first = list(islice(tasks, SERIAL_REPLAYS + 1))
        jobs = self.jobs if len(first) > SERIAL_REPLAYS else 1
        together = PART_MATCHES if jobs > 1 else 1
        parts = in_parts(verify_tasks, runs, chain(first, tasks), jobs, self.games, together)
        return chain.from_iterable(parts)


def verify_tasks(runs: Sequence[RunFacts | None], tasks: Sequence[ReplayTask]) -> list[TaskResult]:
    """Verify some replays; ``runs`` are those that they belong to."""
    return [TaskResult(task, *_verify_task(runs, task)) for task in tasks]


def _verify_task(runs: Sequence[RunFacts | None], task: ReplayTask) -> tuple[FileVerdict | None, list[str]]:
    record = task.record
    if record is None:
        return _verify_named(task.path)
    run = runs[task.run]
    assert run is not None  # else it has no records
    try:
        content = replays_of(run.folder.absolute()).get(record.id)
    except ReplayError as problem:
        return _failed(task.path, problem), []
    if content is None:
        return None, [f": its replay {record.replay} is missing"]
    verdict, verified = _verify_content(task.path, content)
    problems = replay_problems(run, record, content, verified)
    return verdict, problems + cassette_problems(run.folder.absolute(), record.id, content)


def _verify_named(path: Path) -> tuple[FileVerdict, list[str]]:
    """Verify the replay with this name."""
    try:
        return _verify_content(path, read_named(path))[0], []
    except ReplayError as problem:
        return _failed(path, problem), []


def _verify_content(path: Path, content: bytes) -> tuple[FileVerdict, VerifyResult | None]:
    """The verdict on a replay, and what its verification gave, if it did verify."""
    try:
        verified = verify_replay(content)
    except (Mismatch, ReplayError) as problem:
        return _failed(path, problem), None
    return FileVerdict(str(path), True, unchecked=verified.unchecked), verified


def _failed(path: Path, problem: Mismatch | ReplayError) -> FileVerdict:
    """The verdict on a replay that does not verify, or cannot be read."""
    text = str(name_file_in(path, problem)) if isinstance(problem, ReplayError) else f"{path}: {problem}"
    return FileVerdict(str(path), False, text, problem.exit_code)
