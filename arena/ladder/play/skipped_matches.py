"""Decides which matches of a ladder's round are not played: a version at the table no longer plays, or they fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from arena.executors.executor import UnplayedMatch
from arena.ladder.database.bot_versions.versions import VersionState, states_of
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.rounds import Round
from arena.runs.planning.plan import Plan
from arena.tournament.records.fixture import Fixture

PLAYING_STATES = (VersionState.ACTIVE, VersionState.REPLACED)
"""The states in which a version plays an open round; one replaced during a round plays it to its end."""


class MatchSkipper:
    """Decides for each match of a round, right before it begins, whether to skip it
    (:data:`arena.runs.run_options.Absent`). It records in the database which matches are left out; ``noted`` counts
    them.

    ``versions`` are the rows of the playing versions, by name. Matches of ``damaged`` versions, whose files are not
    those submitted, are skipped too but may be played later; ``waiting`` counts them."""

    def __init__(
        self,
        database: sqlite3.Connection,
        ladder: Ladder,
        round: Round,
        plan: Plan,
        versions: Mapping[str, int],
        damaged: Iterable[str],
    ) -> None:
        self._database, self._ladder, self._round, self._plan = database, ladder, round, plan
        self._versions, self._damaged = versions, frozenset(damaged)
        self._states: dict[int, VersionState] = {}
        self._seen = -1
        self.noted = self.waiting = 0
        rows = database.execute("SELECT match FROM left_out WHERE round = ? AND final", (round.id,))
        self._final = {match for (match,) in rows}

    def __call__(self, fixture: Fixture) -> bool:
        """Return whether to skip the match."""
        match = self._round.first_match + fixture.index
        if match in self._final:
            return True
        states, names = self._states_now(), [self._plan.names[each] for each in fixture.entrants]
        gone = [name for name in names if states[self._versions[name]] not in PLAYING_STATES]
        if gone:
            self._leave_out(match, fixture.id, f"{', '.join(gone)} no longer played")
        elif any(name in self._damaged for name in names):
            self.waiting += 1
            return True
        return bool(gone)

    def give_up(self, unplayed: Iterable[UnplayedMatch]) -> list[UnplayedMatch]:
        """Record the matches that could not be played. Return those that reached the number of attempts in the ladder's
        file: from now on they are left out."""
        given_up = []
        with write_transaction(self._database):
            for each in unplayed:
                fixture = self._plan.schedule.find(each.id)
                assert fixture is not None, "it was played from this schedule"
                match = self._round.first_match + fixture.index
                (final,) = self._database.execute(
                    "INSERT INTO left_out (match, round, name, tries, final, why) VALUES (?, ?, ?, 1, 0, ?) "
                    "ON CONFLICT (match) DO UPDATE SET tries = tries + 1, final = tries >= ?, why = excluded.why "
                    "RETURNING final",
                    (match, self._round.id, each.id, each.reason, self._ladder.config.retries),
                ).fetchone()
                if final:
                    given_up.append(each)
        return given_up

    def _leave_out(self, match: int, name: str, why: str) -> None:
        with write_transaction(self._database):
            self._database.execute(
                "INSERT INTO left_out (match, round, name, tries, final, why) VALUES (?, ?, ?, 0, 1, ?) "
                "ON CONFLICT (match) DO UPDATE SET final = 1, why = excluded.why",
                (match, self._round.id, name, why),
            )
        self._final.add(match)
        self.noted += 1

    def _states_now(self) -> dict[int, VersionState]:
        """Return the states of versions; reread only after another process or connection changed the database."""
        (seen,) = self._database.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen, self._states = seen, states_of(self._database, self._ladder.id)
        return self._states
