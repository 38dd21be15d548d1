"""Which matches of a ladder's round are not played: somebody at the table plays no more, or they cannot be played."""

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
"""Whoever is replaced in the middle of a round plays it to its end."""


class MatchSkipper:
    """Is asked of each match of a round right before it begins (:data:`arena.runs.run_options.Absent`). It notes in the
    database which matches are left out: ``noted`` of them since it was made.

    ``versions`` are the rows of those who play, by name. Matches of the ``damaged``, whose files are not those that
    were submitted, are not begun either, but may be later: ``waiting`` are so many.
    """

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
            self._leave_out(match, fixture.id, f"{', '.join(gone)} did not play any more")
        elif any(name in self._damaged for name in names):
            self.waiting += 1
            return True
        return bool(gone)

    def give_up(self, unplayed: Iterable[UnplayedMatch]) -> list[UnplayedMatch]:
        """Note the matches that could not be played; those that were tried again as often as the ladder's file says are
        left out from now on, and returned."""
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
        """How versions stand; read again only when another process, or another connection, has changed the database."""
        (seen,) = self._database.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen, self._states = seen, states_of(self._database, self._ladder.id)
        return self._states
