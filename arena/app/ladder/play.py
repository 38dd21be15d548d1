"""Plays a ladder: round after round, until what was to be spent is spent."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

import msgspec

from arena.app import run
from arena.app.facts import RunState
from arena.app.joblog import joint_log
from arena.app.ladder.choosing import choose_next
from arena.app.ladder.closing import close_round
from arena.app.ladder.database import open_database, transaction
from arena.app.ladder.ladders import Ladder, find_ladder
from arena.app.ladder.place import LOCK, LOG, Place
from arena.app.ladder.plays import note_play
from arena.app.ladder.rounds import Round, last_round, open_round, plan_of
from arena.app.ladder.store import RoundStore, SeasonFiles
from arena.app.ladder.versions import State, entered, states_of
from arena.app.lock import FolderLock
from arena.app.plan import Plan
from arena.app.stopping import Bounds
from arena.app.store import Kept
from arena.errors import UserError
from arena.executors.executor import Executor, Unplayed
from arena.match.work import Done
from arena.tournament.schedule import Fixture

log = logging.getLogger(__name__)


class Spending(msgspec.Struct, frozen=True):
    """What may be spent: matches, seconds, rounds; None: no bound."""

    matches: int | None = None
    seconds: float | None = None
    rounds: int | None = None


class Watching(Protocol):
    """Is told how a ladder is played."""

    def round(self, round: Round, plan: Plan) -> None:
        """A round begins, or goes on."""

    def kept(self, kept: Kept) -> None:
        """What a round that goes on has already."""

    def finished(self, done: Done) -> None:
        """One more match is finished."""

    def fallen_away(self, matches: int) -> None:
        """So many matches of the round are not played after all."""

    def waiting(self) -> None:
        """Called often."""

    def closed(self, round: Round, told: list[str]) -> None:
        """A round is closed, and what followed from it, in sentences."""


class Played(msgspec.Struct):
    """What was played: the ladder and its season, ``matches`` finished and ``rounds`` closed now, matches ``left_out``
    because somebody at the table does not play any more, ``faults`` in them, those that could not be played
    (``unplayed``), what followed from closed rounds (``told``), whether the last round is open still, and ``why`` no
    more was played ("": everything that was to be spent is), with the command's ``exit_code``."""

    ladder: str
    season: int
    matches: int = 0
    rounds: int = 0
    left_out: int = 0
    faults: int = 0
    unplayed: list[Unplayed] = []
    told: list[str] = []
    open: bool = False
    why: str = ""
    exit_code: int = 0


@contextmanager
def playing(place: Place, wait: bool = False) -> Iterator[None]:
    """For whoever plays in this folder: nobody else does, and what any process logs goes to the folder's log. Raises
    UserError where another process plays there, or waits until it has ended."""
    open_database(place.database, place.shown).close()  # says that there is no ladder before it makes a folder for it
    (place.folder / LOG).parent.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(place.folder / LOCK)
    lock.take(place.shown, "playing a ladder", wait)
    try:
        with joint_log(place.folder / LOG):
            yield
    finally:
        lock.release()


def play(place: Place, name: str, executor: Executor, spending: Spending, watching: Watching, command: str) -> Played:
    """Play the ladder of this name, inside :func:`playing`, until what may be spent is spent; at least a match. It goes
    on with the round that is open, if one is. Raises UserError where there are too few to play."""
    database = open_database(place.database, place.shown)
    try:
        ladder = find_ladder(database, name)
    finally:
        database.close()
    with SeasonFiles(place, place.season(ladder.name, ladder.season.number)) as files:
        return _Playing(place, ladder, files, executor, spending, watching, command).play()


class _Playing:
    """Plays, and keeps count of what is spent."""

    def __init__(
        self,
        place: Place,
        ladder: Ladder,
        files: SeasonFiles,
        executor: Executor,
        spending: Spending,
        watching: Watching,
        command: str,
    ) -> None:
        self.place, self.ladder, self.files, self.executor = place, ladder, files, executor
        self.spending, self.watching, self.command = spending, watching, command
        self.began = monotonic()
        self.played = Played(ladder.name, ladder.season.number)
        self._states: dict[int, State] = {}
        self._seen = -1

    @property
    def database(self) -> sqlite3.Connection:
        return self.files.database

    def play(self) -> Played:
        """Play round after round."""
        with transaction(self.database):
            note_play(self.database, self.ladder.season.id)
        while not self._spent():
            if find_ladder(self.database, self.ladder.name).season != self.ladder.season:
                self.played.why = f"season {self.ladder.season.number} was closed meanwhile"
                break
            round = last_round(self.database, self.ladder.season.id)
            if round is None or round.closed:
                round = open_round(self.database, self.ladder, choose_next(self.database, self.ladder))
            if not self._play_round(round):
                break
        found = last_round(self.database, self.ladder.season.id)
        self.played.open = found is not None and not found.closed
        return self.played

    def _spent(self) -> bool:
        """Whether nothing may be spent any more."""
        played, spending = self.played, self.spending
        return (
            (spending.matches is not None and played.matches >= spending.matches)
            or (spending.rounds is not None and played.rounds >= spending.rounds)
            or (spending.seconds is not None and monotonic() - self.began >= spending.seconds)
        )

    def _play_round(self, round: Round) -> bool:
        """Play what is left of a round, and close it if nothing is; whether more may be played then."""
        plan = plan_of(self.place, self.database, self.ladder, round)
        versions = dict(self._rows(plan))
        store = RoundStore(self.files, round.id, plan.schedule, versions, self.ladder.edition.game)
        self.watching.round(round, plan)
        bounds = Bounds(self._seconds_left(), None, self._matches_left())
        common = (plan, store, self.executor, self.command, self._finished)
        hooks = (self._fallen_away, self.watching.waiting, bounds)
        absent = _Absent(self, round, plan, versions)
        if store.begun:
            outcome = run.resume(*common, self.watching.kept, *hooks, absent=absent)
        else:
            outcome = run.start(*common, *hooks, absent=absent)
        if outcome.state is RunState.STOPPED:
            self.played.why, self.played.exit_code = outcome.why, outcome.exit_code
            return False
        if outcome.state is RunState.INCOMPLETE:
            return self._note_unplayed(round, plan, outcome.unplayed)
        store.make_safe()
        told = close_round(self.database, self.ladder, round)
        self.played.rounds += 1
        self.played.told += told
        self.watching.closed(round, told)
        return True

    def _rows(self, plan: Plan) -> Iterator[tuple[str, int]]:
        rows = {each.version.name: each.version.id for each in entered(self.database, self.ladder.id)}
        return ((name, rows[name]) for name in plan.names)

    def _finished(self, done: Done) -> None:
        self.played.matches += 1
        self.played.faults += sum(sum(seat.faults.values()) for seat in done.record.seats)
        self.watching.finished(done)

    def _fallen_away(self, matches: int) -> None:
        self.played.left_out += matches
        self.watching.fallen_away(matches)

    def _seconds_left(self) -> float | None:
        if self.spending.seconds is None:
            return None
        return max(0.001, self.spending.seconds - (monotonic() - self.began))

    def _matches_left(self) -> int | None:
        return None if self.spending.matches is None else self.spending.matches - self.played.matches

    def _note_unplayed(self, round: Round, plan: Plan, unplayed: list[Unplayed]) -> bool:
        """Keep which matches could not be played; those that were tried often enough are left out from now on."""
        with transaction(self.database):
            for each in unplayed:
                fixture = plan.schedule.find(each.id)
                assert fixture is not None, "it was played from this schedule"
                self.database.execute(
                    "INSERT INTO left_out (match, round, name, tries, final, why) VALUES (?, ?, ?, 1, ?, ?) "
                    "ON CONFLICT (match) DO UPDATE SET tries = tries + 1, final = tries >= ?, why = excluded.why",
                    (
                        round.first_match + fixture.index,
                        round.id,
                        each.id,
                        self.ladder.config.retries < 1,
                        each.reason,
                        self.ladder.config.retries,
                    ),
                )
        self.played.unplayed += unplayed
        return True

    def states(self) -> dict[int, State]:
        """How versions stand now; read again only when another process has changed the database."""
        (seen,) = self.database.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen, self._states = seen, states_of(self.database, self.ladder.id)
        return self._states


class _Absent:
    """Says of a match that is about to begin whether somebody at its table does not play any more, and notes it."""

    def __init__(self, playing: _Playing, round: Round, plan: Plan, versions: dict[str, int]) -> None:
        self._playing, self._round, self._plan, self._versions = playing, round, plan, versions
        rows = playing.database.execute("SELECT match FROM left_out WHERE round = ? AND final", (round.id,))
        self._final = {match for (match,) in rows}

    def __call__(self, fixture: Fixture) -> bool:
        match = self._round.first_match + fixture.index
        if match in self._final:
            return True
        states, names = self._playing.states(), [self._plan.names[each] for each in fixture.entrants]
        gone = [name for name in names if states[self._versions[name]] not in (State.ACTIVE, State.REPLACED)]
        if not gone:
            return False
        database = self._playing.database
        with transaction(database):
            database.execute(
                "INSERT INTO left_out (match, round, name, tries, final, why) VALUES (?, ?, ?, 0, 1, ?) "
                "ON CONFLICT (match) DO UPDATE SET final = 1, why = excluded.why",
                (match, self._round.id, fixture.id, f"{', '.join(gone)} did not play any more"),
            )
        return True


def check_spending(spending: Spending) -> None:
    """Raise UserError where nothing bounds what is played."""
    if spending == Spending():
        raise UserError("say how much is to be played: --matches, --minutes or --rounds")
