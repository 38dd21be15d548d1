"""The folder of a tuning: its facts, its trials, a line each, its course as a page, its result, and the run of the
comparison at its end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import msgspec

from arena.config.documents.dialect import dump_yaml
from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, foreign_lines
from arena.storage.files.append_file import AppendFile
from arena.storage.files.atomic_files import write_whole
from arena.storage.files.line_file import cut_off
from arena.storage.folder_lock import FolderLock
from arena.storage.layout import CONFIG_FILE, RUN_LOCK, RUN_LOG
from arena.storage.logs.job_log import joint_log
from arena.storage.resume_command import TUNING_FACT, resume_command
from arena.storage.run_facts.facts import Facts
from arena.storage.run_files.manifest import facts_as_keys, read_facts_file

TUNING_FILE, TRIALS_FILE, TUNING_RESULT, COURSE_FILE = "tuning.json", "trials.jsonl", "result.json", "course.html"
VERDICT_FOLDER = "verdict"
"""The folder of the comparison, a run like any other."""


class TrialLine(msgspec.Struct, frozen=True):
    """A line of ``trials.jsonl``: a candidate, which has these ``options`` in place of the bot's own, on one deal. It
    beat the share ``value`` of its opponents, in the mean of its ``matches`` that count; null if none counts. ``void``
    are the others; ``faults`` are its own."""

    step: str
    deal: int
    options: dict[str, str | int | float | bool]
    value: float | None
    matches: int
    void: int
    faults: int


_TRIAL_DECODER = msgspec.json.Decoder(TrialLine)


class TuningFolder:
    """The files of the tuning in ``folder``. Inside ``with`` it is locked, and trials can be added."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shown = Path(os.path.abspath(folder)), folder
        self._open = ExitStack()

    def begin(self, facts: Facts, asked: Mapping[str, Any]) -> None:
        """Write the facts of a new tuning, what is ``asked``, and the configuration beside them."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / CONFIG_FILE, dump_yaml(facts.config).encode())
        content = json.dumps({**facts_as_keys(facts), TUNING_FACT: asked}, indent=2) + "\n"
        write_whole(self.folder / TUNING_FILE, content.encode())

    def read(self) -> dict[str, Any]:
        """The whole of ``tuning.json``. Raises UserError where there is no tuning, or where it cannot be read."""
        return read_facts_file(self.folder, self.shown, TUNING_FILE, "tuning")

    def facts(self) -> Facts:
        """The facts with which the tuning began."""
        return msgspec.convert(self.read(), Facts)

    def resume_command(self) -> str:
        """The command that resumes the tuning, as it is typed."""
        return resume_command(self.shown, self.read())

    def __enter__(self) -> Self:
        """Open the trials, behind their last whole line. Raises UserError where another process has them open."""
        (self.folder / "logs").mkdir(parents=True, exist_ok=True)
        lock = FolderLock(self.folder / RUN_LOCK)
        lock.take(self.shown, "tuning here")
        with ExitStack() as opened:
            opened.callback(lock.release)
            cut_off(self.folder / TRIALS_FILE)
            self._trials = AppendFile(self.folder / TRIALS_FILE)
            opened.callback(self._trials.close)
            opened.enter_context(joint_log(self.folder / RUN_LOG))
            self._open = opened.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()

    def add_trial(self, trial: TrialLine) -> None:
        """Append a trial. Raises OSError."""
        self._trials.add(msgspec.json.encode(trial) + b"\n")

    def trials(self) -> Iterator[TrialLine]:
        """The trials in file order. Raises UserError for a line that is none."""
        path = self.folder / TRIALS_FILE
        if not path.exists():
            return
        for number, line in enumerate(foreign_lines(path), 1):
            try:
                yield _TRIAL_DECODER.decode(line)
            except DECODE_ERRORS as problem:
                raise UserError(f"{self.shown / TRIALS_FILE}:{number}: no trial: {problem}") from None

    def write_result(self, result: Mapping[str, Any]) -> None:
        """Write ``result.json``."""
        write_whole(self.folder / TUNING_RESULT, (json.dumps(result, indent=2) + "\n").encode())

    def write_course(self, page: str) -> None:
        """Write the page of the course."""
        write_whole(self.folder / COURSE_FILE, page.encode(), durable=False)

    @property
    def verdict(self) -> Path:
        """The folder of the comparison."""
        return self.shown / VERDICT_FOLDER
