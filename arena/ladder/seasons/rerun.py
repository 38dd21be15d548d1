"""Replays matches of a ladder from the stored files of the versions, and compares all bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from arena.errors import UserError
from arena.executors.executor import Executor
from arena.ladder.database.find_match import LocatedMatch
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.match_rows import FinishedMatch
from arena.ladder.seasons.season_plans import SeasonPlans
from arena.rerun.rerun_match import ComparedPlay, RecordedPlay, play_and_compare
from arena.runs.host_counts import UNKNOWN_HOST
from arena.storage.audit_file import AuditDifference, AuditOutcome


class LadderRerun(msgspec.Struct):
    """A match that was played again: its ``number`` and ``name``, the versions by seat, on which ``host`` and when it
    was first ``played``, and whether the result was ``identical``; if not, ``again`` says what differs. ``labels`` are
    those that audits gave to the versions, if they gave any."""

    number: int
    name: str
    ladder: str
    season: int
    versions: list[str]
    host: str
    played: str
    identical: bool
    again: AuditDifference | None = None
    labels: dict[str, str] = {}

    @property
    def has_difference(self) -> bool:
        """Whether it came out differently, and no late answer explains that."""
        return self.again is not None and self.again.came is not AuditOutcome.LATE


def rerun_ladder_matches(
    place: LadderFolder,
    database: sqlite3.Connection,
    matches: Sequence[LocatedMatch],
    executor: Executor,
    progress: Callable[[], None] = lambda: None,
) -> list[LadderRerun]:
    """Play these matches again, each once, under the limits and the isolation of their ladder. Raises UserError, before
    anything is played, for one that is not finished, or cannot be played with what is here."""
    seasons: dict[int, _Season] = {}
    for each in matches:
        row = each.ladder.season.id
        if row not in seasons:
            seasons[row] = _Season(SeasonPlans(place, database, each.ladder), {})
        seasons[row].take(each)
    found: dict[int, LadderRerun] = {}
    for season in seasons.values():  # names are each season's own
        recorded = (play for _, _, play in season.matches.values())
        for played in play_and_compare(recorded, season.plans, executor):
            located, finished, _ = season.matches[played.match.record.id]
            found[located.number] = _compare_rerun(database, located, finished, played)
            progress()
    return [found[number] for number in dict.fromkeys(each.number for each in matches)]


class _Season(NamedTuple):
    """The matches of one season that are to be played again, by name, as work ready to play."""

    plans: SeasonPlans
    matches: dict[str, tuple[LocatedMatch, FinishedMatch, RecordedPlay]]

    def take(self, match: LocatedMatch) -> None:
        """Prepare one more match. Raises UserError where it cannot be played again."""
        if (finished := match.finished) is None:
            raise UserError(f"match {match.number} ({match.name}) is not finished: nothing to compare with")
        work = self.plans.work(match.name)
        assert work is not None, "it was found"
        for seat in finished.record.seats:
            if seat.entrant in self.plans.missing_bots:
                raise UserError(f"match {match.number} cannot be played again: {self.plans.missing_bots[seat.entrant]}")
        self.matches[match.name] = match, finished, RecordedPlay(finished.record, finished.host or UNKNOWN_HOST, work)


def _compare_rerun(
    database: sqlite3.Connection, located: LocatedMatch, finished: FinishedMatch, played: ComparedPlay
) -> LadderRerun:
    (record, host, _), again = played.match, played.difference
    return LadderRerun(
        number=located.number,
        name=located.name,
        ladder=located.ladder.name,
        season=located.ladder.season.number,
        versions=[seat.entrant for seat in record.seats],
        host=host,
        played=finished.played,
        identical=again is None,
        again=again,
        labels=_version_labels(database, located),
    )


def _version_labels(database: sqlite3.Connection, located: LocatedMatch) -> dict[str, str]:
    """The labels of the versions that sat in a match."""
    rows = database.execute(
        "SELECT b.name || ':' || v.number, e.label FROM seats s JOIN versions v ON v.id = s.version "
        "JOIN bots b ON b.id = v.bot JOIN entries e ON e.version = v.id AND e.ladder = ? "
        "WHERE s.match = ? AND e.label <> '' ORDER BY s.seat",
        (located.ladder.id, located.number),
    )
    return dict(rows)
