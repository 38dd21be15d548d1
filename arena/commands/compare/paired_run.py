"""Plays pairs of matches block by block, until a sequential test has its verdict.

Blocks are judged in their order, each when all of its matches are finished; and only those that are judged are kept. So
what is found, and every file of it, is the same for any number of processes: what was played ahead of the verdict is
thrown away. Matches whose bots consult language models cost money, so they are not played ahead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any

import msgspec

from arena.commands.compare.comparison import (
    UNDECIDED_EXIT,
    ComparisonQuestion,
    ComparisonResult,
    TwinSavings,
    question_facts,
)
from arena.commands.compare.outlook import Outlook, look_ahead
from arena.commands.compare.twin_trial import unrepeatable_bots
from arena.errors import ArenaError, reason_of
from arena.executors.executor import Executor, results_of_all
from arena.executors.interrupt import exit_code, ignore_all, signal_in_words
from arena.match.following.twin import Twin, TwinAskCounts
from arena.match.work import Work, WorkResult
from arena.runs.machine_speed import note_machine
from arena.runs.planning.make_plan import make_schedule
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import facts_of
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.run_progress import ProgressReporter
from arena.storage.store import Store
from arena.tournament.inference.paired import PairedBlock, PairFinder
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import fold_standings

log = logging.getLogger("arena")

Watch = Callable[["PairedRun"], None]
"""Called after each judged block, and often in between."""


class PairedRun:
    """Plays a comparison. ``test`` is the sequential test, ``blocks`` are the blocks that it has judged so far, and
    ``matches`` counts the matches in them."""

    def __init__(self, plan: Plan, asked: ComparisonQuestion, store: Store, executor: Executor, watch: Watch) -> None:
        from arena.sequential.sequential_test import SequentialTest  # numpy is slow to load

        self.plan, self.asked, self.store, self.executor, self.watch = plan, asked, store, executor, watch
        self.test = SequentialTest(asked.settings)
        self.blocks: list[PairedBlock] = []
        self.savings = TwinSavings()
        self.eager = "" if asked.lazy else "because of --no-lazy"
        if plan.tournament.models:
            self.eager = "because bots may consult language models"
        self.eager_from = 0
        """The number of blocks after which all matches are played in full, because asking first saves nothing; 0 while
        it goes on. Judged blocks decide it in their order, so that it is the same for any number of processes."""
        self.matches = 0
        self.kept = 0
        """Matches that existed before the run was resumed."""
        self._pairs = PairFinder(asked.new, asked.old)
        self._seat_of = {plan.names.index(asked.new), plan.names.index(asked.old)}
        self._next = 0
        self._there: dict[str, MatchRecord] = {}
        self._ready: dict[str, WorkResult] = {}

    def start(self, command: str) -> ComparisonResult:
        """Play from the first block on."""
        with self.store:
            self.store.begin(facts_of(self.plan, command))
            self.store.remember(question_facts(self.asked))
            note_machine(self.store, self.plan)
            return self._play()

    def resume(self, command: str) -> ComparisonResult:
        """Judge the blocks that are already finished, and play on. Raises UserError if the folder has matches of
        another comparison."""
        with self.store:
            kept = self.store.recover(self.plan.roster)
            for note in kept.notes:
                log.warning("%s", note)
            self.store.go_on(facts_of(self.plan, command))
            self.store.remember(question_facts(self.asked))
            note_machine(self.store, self.plan)
            self._there = {record.id: record for record in self.store.records()}
            self.kept = len(self._there)
            return self._play()

    def _play(self) -> ComparisonResult:
        run, code, why = RunState.COMPLETE, 0, ""
        telling = ProgressReporter(self.store.tell, self.kept, self.executor.jobs)

        def look() -> None:
            self.watch(self)
            if telling.is_due():
                telling.tell(self.matches, len(self.plan.schedule), [])

        try:
            self._judge()
            if not self._over and not self.eager:
                seat, fixture = next(self._pairs_of(0))[0]
                self.eager = unrepeatable_bots(self.plan, self.executor, fixture, seat, look)
            while not self._over:
                with closing(results_of_all(self.executor, self._works(), look)) as results:
                    for result in results:
                        self._take(result)
                        if self._over:
                            self.executor.wind_up()
                            break
        except KeyboardInterrupt as stop:
            ignore_all()
            run, code, why = RunState.STOPPED, exit_code(stop), signal_in_words(stop)
        except (OSError, ArenaError) as problem:
            with suppress(OSError, ArenaError):
                self.store.end(RunState.STOPPED, self.matches, {})
                telling.tell(self.matches, len(self.plan.schedule), [], reason_of(problem))
            raise
        telling.tell(self.matches, self.matches if run is RunState.COMPLETE else len(self.plan.schedule), [], why)
        self._end(run)
        if run is RunState.COMPLETE and not self.test.state.has_verdict:
            code = UNDECIDED_EXIT
        return self._found(run, code)

    @property
    def _over(self) -> bool:
        return self.test.state.has_verdict or self._next == self.plan.schedule.blocks

    def outlook(self, seconds: float) -> Outlook | None:
        """How many more deals there may be, up to the limit, or once it is reached, without one. The matches played
        now took so many ``seconds``, from which the time of a deal is estimated."""
        left, played = self.plan.schedule.blocks - self._next, self.matches - self.kept
        of_deal = seconds / played * self.matches / len(self.blocks) if played > 0 and self.blocks else None
        return look_ahead(self.test.state, self.test.settings, left, of_deal)

    def _works(self) -> Iterator[Work]:
        """The matches still to be played, block by block; where calls of models may cost money those of one block
        alone, so that nothing that was paid for is thrown away."""
        blocks = range(self._next, self.plan.schedule.blocks)
        for block in blocks[:1] if self.plan.tournament.models else blocks:
            for pair in self._pairs_of(block):
                missing = [fixture for _, fixture in pair if fixture.id not in self._there]
                if len(missing) == 2 and not self.eager and not self.eager_from:
                    yield self._twins(*pair)
                else:
                    yield from map(self.plan.work, missing)

    def _pairs_of(self, block: int) -> Iterator[list[tuple[int, Fixture]]]:
        """The matches of a block in pairs, the old version's first, each with the seat of the version."""
        old = self.plan.names.index(self.asked.old)
        found: dict[tuple[Any, ...], list[tuple[int, Fixture]]] = {}
        for fixture in self.plan.schedule.of_block(block):
            seat = next(seat for seat, entrant in enumerate(fixture.entrants) if entrant in self._seat_of)
            place = (fixture.edition, seat, *fixture.entrants[:seat], *fixture.entrants[seat + 1 :])
            found.setdefault(place, []).append((seat, fixture))
        for pair in found.values():
            yield sorted(pair, key=lambda each: each[1].entrants[each[0]] != old)

    def _twins(self, old: tuple[int, Fixture], new: tuple[int, Fixture]) -> Work:
        """A pair as one piece of work."""
        other = self.plan.work(new[1])
        twin = Twin(spec=other.spec, bots=other.bots, seat=new[0])
        return msgspec.structs.replace(self.plan.work(old[1]), twin=twin)

    def _take(self, result: WorkResult) -> None:
        """Store a result, and judge the blocks that it completes."""
        for done in (result, result.twin):
            if done is not None:
                self._ready[done.record.id] = done
                self._there[done.record.id] = done.record
        if result.told is not None and result.told.unlike and not self.eager:
            self.eager = f"{result.told.unlike} does not repeat itself: re-asked the same, it answered differently"
        self._judge()

    def _judge(self) -> None:
        """Judge the next blocks in order, up to the first one that is not complete."""
        schedule = self.plan.schedule
        while not self._over:
            fixtures = list(schedule.of_block(self._next))
            if not all(fixture.id in self._there for fixture in fixtures):
                return
            for fixture in fixtures:
                self._keep(fixture.id)
            block = self._pairs.take(self._next)
            self._next += 1
            if block is not None:
                self.blocks.append(block)
                self.test.add(self.asked.difference_of(block))
            if self.savings.told_apart and not self.eager_from and not self.savings.worth_it:
                self.eager_from = self._next
            self.watch(self)

    def _keep(self, id: str) -> None:
        """Count a match of the block that is being judged, and store it if it was played now."""
        record, done = self._there.pop(id), self._ready.pop(id, None)
        self._pairs.add(record)
        self.matches += 1
        if done is None:
            return
        self.store.add(msgspec.structs.replace(done, twin=None, told=None))
        if (part := done.told) is not None and not self.eager_from:
            add_savings(self.savings, part)

    def _end(self, run: RunState) -> None:
        """Close the run. A complete one gets as its number of blocks those that were judged, not those that were
        planned."""
        if run is not RunState.COMPLETE:
            self.store.end(run, self.matches, {})
            return
        state = self.test.state
        self.store.remember(question_facts(self.asked, verdict=state.verdict, deals=state.blocks))
        plan = first_blocks_of_plan(self.plan, self._next)
        facts: Facts = facts_of(plan, "")
        self.store.go_on(facts)
        self.store.forget(lambda record: record.block >= self._next)
        self.store.end(run, self.matches, {})
        self.store.complete(plan.roster, fold_standings(self.store.records(), plan.names, plan.labels))

    def _found(self, run: RunState, code: int) -> ComparisonResult:
        return ComparisonResult(
            asked=self.asked,
            state=self.test.state,
            blocks=self.blocks,
            labels=self.plan.labels,
            field=tuple(name for name in self.plan.names if name not in (self.asked.new, self.asked.old)),
            games=tuple(dict.fromkeys(edition.game for edition, _ in self.plan.tables)),
            run=run,
            exit_code=code,
            matches=self.matches,
            savings=self.savings if self.savings.pairs else None,
            eager=self.eager,
            eager_from=self.eager_from,
            earlier=self.kept,
        )


def add_savings(savings: TwinSavings, told: TwinAskCounts) -> None:
    """Add the work saved in one pair."""
    savings.pairs += 1
    savings.asks += told.asks
    if whole := told.whole or (told.unlike and f"{told.unlike} did not answer as before"):
        savings.whole[whole] = savings.whole.get(whole, 0) + 1
    else:
        savings.never += told.otherwise is None
        savings.before += told.asks if told.otherwise is None else told.otherwise


def first_blocks_of_plan(plan: Plan, blocks: int) -> Plan:
    """The plan with its first ``blocks`` alone."""
    tournament = msgspec.structs.replace(plan.tournament, blocks=blocks)
    schedule = make_schedule(tournament, plan.schedule.editions, plan.seed)
    return msgspec.structs.replace(plan, tournament=tournament, schedule=schedule)
