"""Tries several values of an option. Each value plays until the sequential test of ``arena compare`` has decided
whether it is better than the base; its row of the table then ends.

Deals are judged in their order, each when its matches are finished, and only judged matches count, so that the result
is the same for any number of processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from arena.match.work import WorkResult
from arena.runs.planning.plan import Plan
from arena.sequential.test_settings import SequentialVerdict, Settings
from arena.tournament.inference.paired import PairedMeasure, PairFinder
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord

if TYPE_CHECKING:
    from arena.sequential.sequential_test import SequentialTest  # numpy is slow to load

TESTED_MEASURE = PairedMeasure.BEATEN
"""What the test compares: the measure that tells most of each match."""
MOST_DEALS = 1000
"""The number of deals after which a row ends without a verdict, unless another is given."""


class RowEnd(NamedTuple):
    """Where the test of a row stands: its ``verdict`` after so many ``deals``, in ``cut`` of which the difference was
    cut to the bound."""

    verdict: SequentialVerdict
    deals: int
    cut: int = 0


class RowsUntilClear:
    """Judges the matches of a gauntlet with several challengers, and hands on those that count."""

    def __init__(self, plan: Plan, base: str, count: Callable[[WorkResult], object]) -> None:
        from arena.sequential.sequential_test import SequentialTest  # numpy is slow to load

        self.bound = TESTED_MEASURE.deal_bound(plan.schedule.matches_in(0) // len(plan.tournament.challengers))
        settings = Settings(measure=TESTED_MEASURE, bound=self.bound)
        self.plan, self.base, self.count = plan, base, count
        rows = [name for name in plan.tournament.challengers if name != base]
        self.tests: dict[str, SequentialTest] = {name: SequentialTest(settings) for name in rows}
        self.records: list[MatchRecord] = []
        """The matches that count, in the order of blocks."""
        self.cut = dict.fromkeys(rows, 0)
        self._pairs = {name: PairFinder(name, base) for name in rows}
        self._ready: dict[str, WorkResult] = {}
        self._next = 0

    @property
    def ends(self) -> dict[str, RowEnd]:
        """Where each row stands, by the name of its challenger."""
        return {
            name: RowEnd(test.state.verdict, test.state.blocks, self.cut[name]) for name, test in self.tests.items()
        }

    def absent(self, fixture: Fixture) -> bool:
        """Whether a match is no longer needed because its row has a verdict; the base plays until all rows have one."""
        return not self._is_open(fixture)

    def finished(self, done: WorkResult) -> None:
        """Take in a match, and judge the blocks that are complete with it."""
        self._ready[done.record.id] = done
        while self._next < self.plan.schedule.blocks:
            wanted = [fixture.id for fixture in self.plan.schedule.of_block(self._next) if self._is_open(fixture)]
            if not wanted or not all(id in self._ready for id in wanted):
                return
            for id in wanted:
                self._count(self._ready.pop(id))
            for name, test in self.tests.items():
                block = None if test.state.has_verdict else self._pairs[name].take(self._next)
                if block is not None:
                    test.add(block.difference(TESTED_MEASURE, self.bound))
                    self.cut[name] += block.is_cut(TESTED_MEASURE, self.bound)
            self._next += 1

    def _is_open(self, fixture: Fixture) -> bool:
        names = {self.plan.names[entrant] for entrant in fixture.entrants}
        return any(not test.state.has_verdict and names & {name, self.base} for name, test in self.tests.items())

    def _count(self, done: WorkResult) -> None:
        self.records.append(done.record)
        for pairs in self._pairs.values():
            pairs.add(done.record)
        self.count(done)
