"""Plays a ladder: round after round, until the limit of matches, time or rounds is reached."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from signal import Signals
from time import monotonic

import msgspec

from arena.errors import ArenaError, UserError
from arena.executors.executor import Executor, UnplayedMatch
from arena.executors.interrupt import exit_code, ignore_all
from arena.ladder.database.bot_versions.version_files import fetch_if_whole
from arena.ladder.database.bot_versions.versions import entered_versions
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LADDER_LOCK, LADDER_LOG, LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder
from arena.ladder.database.play_log import note_play, weaker_than
from arena.ladder.database.rounds import Round, last_round, open_round, plan_of
from arena.ladder.play.choose_tables import choose_next
from arena.ladder.play.close_round import close_round
from arena.ladder.play.play_listener import PlayListener
from arena.ladder.play.results import PlayResult, pairs_after
from arena.ladder.play.round_store import RoundStore, SeasonFiles
from arena.ladder.play.skipped_matches import MatchSkipper
from arena.ladder.suspicions.suspicion_watch import SuspicionWatch
from arena.match.work import WorkResult
from arena.runs import play_run
from arena.runs.early_stop import TIMEOUT_EXIT, RunBounds
from arena.runs.planning.plan import Plan
from arena.runs.play_run import RunOutcome
from arena.runs.run_options import RunListener, RunOptions
from arena.sandbox.probe import Level
from arena.storage.folder_lock import FolderLock
from arena.storage.logs.job_log import joint_log
from arena.storage.run_facts.facts import RunState
from arena.storage.store import RunRemains

log = logging.getLogger(__name__)

SIGNAL_EXIT = 128
"""The offset of exit codes for processes that a signal stops."""


class Spending(msgspec.Struct, frozen=True):
    """What may be spent: matches, seconds, rounds; None: no bound. ``weaker``: a round that is open may go on at a
    weaker isolation level than it began with. ``look``: seconds after each round for suspicions (None: a share of the
    time that it took; 0: none)."""

    matches: int | None = None
    seconds: float | None = None
    rounds: int | None = None
    weaker: bool = False
    look: float | None = 0.0


@contextmanager
def hold_play_lock(place: LadderFolder, wait: bool = False, tell: Callable[[str], None] = log.info) -> Iterator[None]:
    """Hold the lock that lets one process alone play in this folder, and send the logs of all its processes to the
    folder's log. Raises UserError where another process plays there; with ``wait``, calls ``tell`` and waits until that
    ends."""
    open_database(place.database, place.shown).close()  # says that there is no ladder before it makes a folder for it
    (place.folder / LADDER_LOG).parent.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(place.folder / LADDER_LOCK)
    if wait and (holder := lock.holder()) is not None:
        tell(f"{place.shown}: waiting until process {holder}, which plays here, has ended")
    lock.take(place.shown, "playing a ladder", wait)
    try:
        with joint_log(place.folder / LADDER_LOG):
            yield
    finally:
        lock.release()


def play_ladder(
    place: LadderFolder, name: str, executor: Executor, spending: Spending, listener: PlayListener, command: str
) -> PlayResult:
    """Play the ladder of this name, inside :func:`hold_play_lock`, until a limit of ``spending`` is reached or too few
    versions are left. Continues an open round first. Each round records the ``command`` that plays it."""
    database = open_database(place.database, place.shown)
    try:
        ladder = find_ladder(database, name)
    finally:
        database.close()
    with SeasonFiles(place, place.season(ladder.name, ladder.season.number)) as files:
        return _Playing(ladder, files, executor, spending, listener, command).play()


class _Playing(RunListener):
    """Plays, and counts what is played. It listens to each round, and passes all events on to its listener."""

    def __init__(
        self,
        ladder: Ladder,
        files: SeasonFiles,
        executor: Executor,
        spending: Spending,
        listener: PlayListener,
        command: str,
    ) -> None:
        self.ladder, self.files, self.executor = ladder, files, executor
        self.spending, self.listener, self.command = spending, listener, command
        self.place = files.place
        self.played = PlayResult(ladder.name, ladder.season.number)
        self.began = monotonic()
        self.watch = SuspicionWatch(files.place, files.database, ladder, spending.look)

    @property
    def database(self) -> sqlite3.Connection:
        return self.files.database

    def play(self) -> PlayResult:
        """Play round after round; return the summary, also after an interruption."""
        season, played = self.ladder.season.id, self.played
        with write_transaction(self.database):
            note_play(self.database, season)
        try:
            while not self._spent() and self._play_on():
                pass
        except KeyboardInterrupt as stop:  # between two rounds: nothing is half done
            ignore_all()
            self._stop("", exit_code(stop))
        found = last_round(self.database, season)
        played.open = found is not None and not found.closed
        played.pairs = pairs_after(self.database, season)
        played.seconds = monotonic() - self.began
        return played

    def _spent(self) -> bool:
        """Return whether a limit is reached."""
        played, spending = self.played, self.spending
        return (
            (spending.matches is not None and played.matches >= spending.matches)
            or (spending.rounds is not None and played.rounds >= spending.rounds)
            or (spending.seconds is not None and monotonic() - self.began >= spending.seconds)
        )

    def _play_on(self) -> bool:
        """Continue the open round, or begin the next one; return whether to play on after it."""
        ladder = self.ladder
        if find_ladder(self.database, ladder.name).season != ladder.season:
            return self._stop(f"season {ladder.season.number} was closed meanwhile", 0)
        round = last_round(self.database, ladder.season.id)
        if round is None or round.closed:
            try:
                chosen = choose_next(self.place, self.database, ladder)
            except UserError as problem:
                return self._stop(str(problem), problem.exit_code)
            round = open_round(self.database, ladder, chosen)
        return self._play_round(round)

    def _play_round(self, round: Round) -> bool:
        """Play what is left of a round, and close it if nothing is left; return whether to play on."""
        damaged: dict[str, str] = {}
        plan = plan_of(self.place, self.database, self.ladder, round, lambda at, of: fetch_if_whole(at, of, damaged))
        rows = {each.version.name: each.version.id for each in entered_versions(self.database, self.ladder.id)}
        versions = {name: rows[name] for name in plan.names}
        left_out = MatchSkipper(self.database, self.ladder, round, plan, versions, damaged)
        store = RoundStore(self.files, round.id, plan.schedule, versions, self.ladder.edition.game, plan.seed)
        self._check_level(store, round, plan)
        self.listener.round_begun(round, plan)
        began = monotonic()
        outcome = self._run(plan, store, left_out)
        self.played.left_out += left_out.noted
        if outcome.state is RunState.STOPPED:
            spent = outcome.exit_code in (0, TIMEOUT_EXIT)
            return self._stop("" if spent else outcome.why, 0 if spent else outcome.exit_code)
        if outcome.state is RunState.INCOMPLETE:
            return self._note_unplayed(round, left_out, outcome)
        if left_out.waiting:
            return self._stop(_in_words(damaged, left_out.waiting, self.place), 1)
        store.make_safe()
        suspended = close_round(self.place, self.database, self.ladder, round)
        self.played.rounds += 1
        self.played.suspended += suspended
        self.listener.round_closed(round, suspended)
        self._look(round, plan, monotonic() - began)
        return True

    def _look(self, round: Round, plan: Plan, seconds: float) -> None:
        """Look for clones and gifts after a round that took so many seconds; a failure is logged, and play goes on."""
        if self.spending.look == 0:
            return
        try:
            found = [each.in_words() for each in self.watch.look(round, plan.isolation, seconds)]
        except (ArenaError, OSError) as problem:
            log.warning("clones and gifts could not be looked for: %s", problem)
            return
        self.played.suspicions += found
        if found:
            self.listener.suspicions_found(found)

    def _run(self, plan: Plan, store: RoundStore, left_out: MatchSkipper) -> RunOutcome:
        """Play what is left of the round as a run."""
        bounds = RunBounds(self._seconds_left(), None, self._matches_left())
        options = RunOptions(command=self.command, bounds=bounds, absent=left_out)
        begin = play_run.resume_run if store.has_begun else play_run.start_run
        return begin(plan, store, self.executor, options, self)

    def _check_level(self, store: RoundStore, round: Round, plan: Plan) -> None:
        """Raise UserError where the round would go on at a weaker level than it began with, unless allowed."""
        if self.spending.weaker or not store.has_begun:
            return
        began, here = store.facts().isolation.get("level", Level.NONE), plan.isolation.level
        if weaker_than(here, began):
            where, reached = f"round {round.number} of {plan.tournament.name}", "play it where that level is reached"
            instead = "leave out --trust" if here is Level.NONE else reached
            raise UserError(
                f"{where} began with bots at isolation level {began}, here it is {here}; {instead}, or go on with "
                "--weaker-isolation"
            )

    def _stop(self, why: str, exit_code: int) -> bool:
        """Record why playing stops, and the exit code; return False."""
        if not why and exit_code > SIGNAL_EXIT:
            why = f"stopped by {Signals(exit_code - SIGNAL_EXIT).name}"
        self.played.why, self.played.exit_code = why, exit_code
        return False

    def recovered(self, remains: RunRemains) -> None:
        """Report which matches of a continued round are finished already."""
        self.listener.recovered(remains)

    def finished(self, done: WorkResult) -> None:
        """Count one more finished match."""
        self.played.matches += 1
        self.played.faults += sum(sum(seat.faults.values()) for seat in done.record.seats)
        self.listener.finished(done)

    def fallen_away(self, matches: int) -> None:
        """Report that this many matches of the round will not be played after all."""
        self.listener.fallen_away(matches)

    def waiting(self) -> None:
        """Pass the regular call during a wait on to the listener."""
        self.listener.waiting()

    def _seconds_left(self) -> float | None:
        if self.spending.seconds is None:
            return None
        return max(0.001, self.spending.seconds - (monotonic() - self.began))

    def _matches_left(self) -> int | None:
        return None if self.spending.matches is None else self.spending.matches - self.played.matches

    def _note_unplayed(self, round: Round, left_out: MatchSkipper, outcome: RunOutcome) -> bool:
        """Record which matches could not be played, so that a later play tries them again. If not one match of the
        round could be played, the fault is not that of single matches: then stop, and leave none of them out. So too
        where matches are suspended, because a model is out of reach or a budget used up: nobody is to blame."""
        for each in outcome.unplayed:
            log.warning("could not be played: %s", each.reason, extra={"match": each.id})
        suspended = [each for each in outcome.unplayed if each.suspended]
        if suspended:
            self.played.unplayed += left_out.give_up([each for each in outcome.unplayed if not each.suspended])
            return self._stop(_suspended_in_words(suspended, round), 1)
        if not outcome.finished:
            first = outcome.unplayed[0]
            return self._stop(f"no match of round {round.number} could be played; {first.id}: {first.reason}", 1)
        self.played.unplayed += left_out.give_up(outcome.unplayed)
        return True


def _in_words(damaged: Mapping[str, str], matches: int, place: LadderFolder) -> str:
    """Say what is wrong with versions that cannot be played, and what to do."""
    first, *more = sorted(damaged)
    others = f" (the same holds for {', '.join(more)})" if more else ""
    waiting = "a match of the round waits" if matches == 1 else f"{matches} matches of the round wait"
    return (
        f"{damaged[first]}{others}; {waiting} for it. Or play without it: arena ladder disable {place.shown} {first} "
        "--why 'files are lost'"
    )


def _suspended_in_words(suspended: Sequence[UnplayedMatch], round: Round) -> str:
    """Say that matches of a round are suspended, why, and what to do."""
    first, number = suspended[0], len(suspended)
    matches = "a match" if number == 1 else f"{number} matches"
    return (
        f"{matches} of round {round.number} wait, first {first.id}: {first.reason}; the next play goes on at the same "
        f"ask; correct the cause, give it a budget (--money), or finish without that model (--give-up)"
    )


def check_spending(spending: Spending) -> None:
    """Raise UserError where nothing bounds what is played."""
    if spending == Spending(weaker=spending.weaker, look=spending.look):
        raise UserError("say how much to play: --matches, --minutes or --rounds")
