"""Answers a question of a study from the matches of its tournament."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.errors import UserError
from arena.recorded.replay_names import kept_replay
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import rows_of_match, run_tables
from arena.study.finding import StudyAnswer, StudyMatch, StudyQuestion
from arena.tournament.records.match_record import MatchRecord


def answer_question(finding: StudyQuestion, folder: Path) -> StudyAnswer:
    """The answer from the matches of the run in ``folder``, whatever its tournament; void matches do not count.

    Raises UserError if no match is finished, or if the question needs replays and the run has none; ReplayError for a
    damaged replay."""
    store = FolderStore(folder)
    store.facts()
    found = finding.fold(_study_matches(finding, folder, store))
    if not found.matches:
        raise UserError(f"{folder} has no finished match that counts")
    return found


def study_run_unfinished(folder: Path) -> bool:
    """Whether matches of the run are missing."""
    return FolderStore(folder).state() is not RunState.COMPLETE


def _study_matches(finding: StudyQuestion, folder: Path, store: FolderStore) -> Iterator[StudyMatch]:
    for record in records_in_order(folder):
        if record.void:
            continue
        if not finding.game:
            yield StudyMatch(record, {})
            continue
        if record.game != finding.game:
            raise UserError(f"{finding.name} is about the {finding.game} game, but {record.id} is of {record.game}")
        yield StudyMatch(
            record, rows_of_match(record, _match_replay(folder, store, record), run_tables([finding.game]).values())
        )


def _match_replay(folder: Path, store: FolderStore, record: MatchRecord) -> bytes:
    if not record.replay:
        raise UserError(
            f"{folder} has no replay of {record.id}, and the finding is computed from replays; play with `replays: all`"
        )
    return kept_replay(store.replay, folder, record)
