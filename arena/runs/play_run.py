"""Play a tournament, from the plan to the standings; resume an interrupted one."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice, takewhile
from time import perf_counter

import msgspec

from arena.errors import ArenaError, UserError, reason_of
from arena.executors.executor import Executor, UnplayedMatch, play_all
from arena.executors.interrupt import exit_code, ignore_all, signal_in_words
from arena.match.work import Work, WorkResult
from arena.runs.early_stop import EarlyStop, RunBounds
from arena.runs.machine_speed import note_machine
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import facts_of
from arena.runs.reuse import Reuse, ReuseResult, reuse_words
from arena.runs.reuse_sources import OldRuns
from arena.runs.run_options import NOBODY, RunListener, RunOptions
from arena.storage.run_facts.facts import RunState
from arena.storage.run_facts.run_progress import ProgressReporter
from arena.storage.store import RunRemains, Store
from arena.tournament.bits import Bits
from arena.tournament.records.fault_count import FaultCounter
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.suspension import Suspension
from arena.tournament.schedule.share import Fixtures
from arena.tournament.standings.standings import Standings, fold_standings

log = logging.getLogger("arena")

DEFAULT = RunOptions()


class RunOutcome(msgspec.Struct):
    """How a run ended: the number of ``finished`` matches, the matches that could not be played, the faults in finished
    matches by entrant and kind, the standings (empty unless the run is complete), the command's exit code, and the
    first block that each suspended entrant does not play. ``total`` does not count matches that fall away with
    suspended entrants. ``why`` says why the run stopped early, unless a user stopped it; ``reused`` is what was taken
    over from other runs."""

    state: RunState
    finished: int
    total: int
    unplayed: list[UnplayedMatch] = []
    faults: dict[str, dict[str, int]] = {}
    standings: tuple[Standings, ...] = ()
    exit_code: int = 0
    suspended: dict[str, int] = {}
    why: str = ""
    reused: ReuseResult = msgspec.field(default_factory=ReuseResult)


class _GraceOver(Exception):
    """The time to finish the matches being played is over."""


def start_run(
    plan: Plan, store: Store, executor: Executor, options: RunOptions = DEFAULT, listener: RunListener = NOBODY
) -> RunOutcome:
    """Play a new run into the store. Raises UserError where a run has already begun there, and for a folder from which
    no matches can be taken over."""
    check_reuse(plan, options)
    run = _Run(plan, store, executor, options, listener)
    facts = facts_of(plan, options.command)
    with OldRuns(options.reuse, facts) as old, store:
        store.begin(facts)
        if options.measured:
            note_machine(store, plan)
        return run.play(Bits(), old)


def resume_run(
    plan: Plan, store: Store, executor: Executor, options: RunOptions = DEFAULT, listener: RunListener = NOBODY
) -> RunOutcome:
    """Play those matches of the plan whose ids the store does not have yet. ``plan`` is the one that the run began
    with, but it may have more blocks; :func:`arena.storage.store.check_same` raises an error for any other. Raises
    UserError if the store holds matches that do not belong to the run, or if void matches are to be played again on
    which later ones depend."""
    if options.retry_void:
        check_retry(plan)
    check_reuse(plan, options)
    run = _Run(plan, store, executor, options, listener)
    facts = facts_of(plan, options.command)
    with OldRuns(options.reuse, facts) as old, store:
        forgotten = store.forget(lambda record: record.void) if options.retry_void else 0
        kept = _recover(plan, store)
        store.go_on(facts)
        note_machine(store, plan)
        if options.retry_void:
            voids = "1 void match is" if forgotten == 1 else f"{forgotten or 'no'} void matches are"
            kept.notes.append(f"{voids} played again")
        listener.recovered(kept)
        return run.play(kept.matches, old)


def _recover(plan: Plan, store: Store) -> RunRemains:
    """What the store has kept completely, without matches that depend on missing ones."""
    forgotten = _forget_behind_gap(plan, store)
    kept = store.recover(plan.roster)
    if more := _forget_behind_gap(plan, store):  # behind a match whose replay was lost
        kept = RunRemains(store.recover(plan.roster).matches, kept.notes)
    if forgotten + more:
        matches = "1 match follows" if forgotten + more == 1 else f"{forgotten + more} matches follow"
        kept.notes.append(f"{matches} from others that are missing: played again")
    return kept


def _forget_behind_gap(plan: Plan, store: Store) -> int:
    """In a run that is played block by block, forget the matches behind the first incomplete block; return how many
    there were. Playing the missing matches may give other results, and with these other matches."""
    plan.schedule.learn(store.records())
    if not plan.in_stages:
        return 0
    suspension, roster, there = Suspension(plan.tournament.suspend_after), plan.roster, Bits()
    for record in store.records():
        suspension.add_record(record)
        if (number := roster.number(record.id)) is not None:
            there.add(number)
    blocks = (
        suspension.matches_of(plan.schedule.of_block(block), plan.names, block) for block in range(plan.schedule.blocks)
    )
    first = sum(1 for _ in takewhile(lambda fixtures: all(each.index in there for each in fixtures), blocks))
    forgotten = store.forget(lambda record: record.block > first)
    plan.schedule.learn(store.records())
    return forgotten


def check_retry(plan: Plan) -> None:
    """Raise UserError where void matches of this plan cannot be played again, because later matches depend on who was
    suspended after them, or on their results."""
    why = ""
    if plan.tournament.suspend_after is not None:
        why = "who is suspended in later blocks (suspend_after) follows from them"
    elif plan.schedule.looks_back:
        why = f"the tables of later blocks follow from them (format: {plan.tournament.format})"
    if why:
        raise UserError(f"--retry-void: void matches of this run cannot be played again: {why}")


def check_reuse(plan: Plan, options: RunOptions) -> None:
    """Raise UserError where matches are to be taken over into a run whose bots consult models: what these answered
    elsewhere is not part of what decides how a match goes."""
    if options.reuse and plan.tournament.models:
        raise UserError("--reuse: matches whose bots consult models cannot be taken over; leave it out")


def bounds_of(plan: Plan) -> RunBounds:
    """The limits in the plan's tournament file."""
    return RunBounds(plan.tournament.time_limit, plan.tournament.max_fault_rate)


class _Run:
    """Plays the missing matches of a run, and counts results. The run's time begins when this is created."""

    def __init__(
        self, plan: Plan, store: Store, executor: Executor, options: RunOptions, listener: RunListener
    ) -> None:
        self.plan, self.store, self.executor = plan, store, executor
        self.options, self.listener = options, listener
        self.stopping = EarlyStop(options.bounds or bounds_of(plan))
        self.suspension = Suspension(plan.tournament.suspend_after)
        self.total, self.count = len(plan.fixtures), 0
        self.unplayed: list[UnplayedMatch] = []

    def play(self, finished: Bits, old: OldRuns) -> RunOutcome:
        """Play the matches that are not ``finished``, until none is left or the run is stopped. Matches of ``old`` runs
        are taken over where possible."""
        self.finished, self.count = finished, len(finished)
        self.telling = ProgressReporter(self.store.tell, self.count, self.executor.jobs)
        self.reuse = Reuse(self.plan, old, self.executor, self._keep, self.stopping.is_due, self._look) if old else None
        self.reused_before: Mapping[str, int] = self.store.manifest_data().get("reused", {})
        state, code, began, why = RunState.COMPLETE, 1, perf_counter(), ""
        log.info("%s of %s matches to play with %s processes", self.total - self.count, self.total, self.executor.jobs)
        self._tell(self.stopping.why)
        try:
            with suppress(_GraceOver):
                for fixtures in self._stages():
                    self._play_all(self._works(fixtures))
            if self.stopping.is_due() and self._left():
                state, code = RunState.STOPPED, self.stopping.exit_code
                why = self.stopping.why
                log.warning("stopped: %s", why)
            elif self.unplayed:
                state, why = RunState.INCOMPLETE, f"{len(self.unplayed)} matches could not be played"
        except KeyboardInterrupt as stop:
            ignore_all()
            state, code, why = RunState.STOPPED, exit_code(stop), signal_in_words(stop)
        except (OSError, ArenaError) as problem:
            with suppress(OSError, ArenaError):  # a full disk may have no room for this either
                self.store.end(RunState.STOPPED, self.count, {})
                self._tell(reason_of(problem))
            raise
        log.info("%s of %s matches are finished, after %.1f s", self.count, self.total, perf_counter() - began)
        self._tell(why)
        suspended = self.suspension.first_blocks(self.plan.schedule.blocks)
        self.store.end(state, self.count, suspended)
        try:
            standings, faults = self._fold(state)
        except KeyboardInterrupt as stop:  # resuming folds and writes the standings
            ignore_all()
            state, code = RunState.STOPPED, exit_code(stop)
            self._tell(signal_in_words(stop))
            self.store.end(state, self.count, suspended)
            standings, faults = self._fold(state)
        code, early = (0, "") if state is RunState.COMPLETE else (code, self.stopping.why)
        reused = self.reuse.told if self.reuse is not None else ReuseResult()
        return RunOutcome(
            state, self.count, self.total, self.unplayed, faults, standings, code, suspended, early, reused
        )

    def _fold(self, state: RunState) -> tuple[tuple[Standings, ...], dict[str, dict[str, int]]]:
        """Fold the run's records. Returns the standings, which are also written, or none if the run is not complete;
        and the number of faults by entrant and kind."""
        counter, plan = FaultCounter(), self.plan
        records = counter.count_through(self.store.records())
        standings: tuple[Standings, ...] = ()
        if state is RunState.COMPLETE:
            standings = fold_standings(records, plan.names, plan.labels, self.store.facts().measures)
            self.store.complete(plan.roster, standings)
        for _ in records:
            pass
        return standings, counter.by_entrant()

    def _stages(self) -> Iterator[Fixtures]:
        """The matches to play, in stages: each stage is known only when the one before it is finished. There is only
        one where no entrant can be suspended, and no table depends on earlier results."""
        plan = self.plan
        if not plan.in_stages:
            yield plan.fixtures
            return
        plan.schedule.learn(self.store.records())  # without what was dropped
        for record in self.store.records():
            self.suspension.add_record(record)
        for block in range(plan.schedule.blocks):
            fixtures = self.suspension.matches_of(plan.schedule.of_block(block), plan.names, block)
            if absent := plan.schedule.matches_in(block) - len(fixtures):
                self.total -= absent
                self.listener.fallen_away(absent)
            yield fixtures
            if self.unplayed or self.stopping.is_due():
                return  # what is played in the next block is not known

    def _tell(self, why: str) -> None:
        self.telling.tell(self.count, self.total, self.unplayed, why)

    def _left(self) -> bool:
        """Whether there are matches that have not been begun."""
        return self.count + len(self.unplayed) < self.total

    def _look(self) -> None:
        """Between two results, check whether the run has to stop: if so, begin no more matches, and raise _GraceOver
        once the time to finish the others is over."""
        self.listener.waiting()
        if self.telling.is_due():
            self._tell(self.stopping.why)
        if self.stopping.is_due():
            self.executor.wind_up()
            if self.stopping.grace_is_over():
                raise _GraceOver

    def _works(self, fixtures: Fixtures) -> Iterator[Work]:
        """Work for those of these matches that are still to be played, after taking over as many as possible."""
        if self.reuse is None:
            return self.plan.works(self._present(fixtures), self.finished)
        try:
            over = self.reuse.take(fixtures, self.finished)
        finally:
            self.store.remember({"reused": dict(Counter(self.reused_before) + Counter(self.reuse.told.folders))})
        log.info("%s", "; ".join(reuse_words(self.reuse.told, self.total)))
        return self.plan.works((each for at, each in enumerate(fixtures) if not over[at]), self.finished)

    def _present(self, fixtures: Fixtures) -> Iterator[Fixture]:
        """Yield the matches that are finished or not absent, and lower the total by each of the others."""
        for fixture in fixtures:
            if fixture.index in self.finished or not self.options.absent(fixture):
                yield fixture
                continue
            self.total -= 1
            self.listener.fallen_away(1)

    def _play_all(self, works: Iterator[Work]) -> None:
        """Play these works, up to the number that may be begun, and store their results."""
        allowed = islice(works, self.stopping.bounds.matches)
        begun = takewhile(lambda _: not self.stopping.is_due(), allowed)
        for result in play_all(self.executor, begun, self._look):
            self._keep(result)

    def _keep(self, result: WorkResult | UnplayedMatch) -> None:
        """Store one result."""
        if isinstance(result, UnplayedMatch):
            self.unplayed.append(result)
            return
        self.store.add(result)
        self.suspension.add_record(result.record)
        self.stopping.add_record(result.record)
        self.plan.schedule.add_record(result.record)
        self.count += 1
        self.listener.finished(result)
