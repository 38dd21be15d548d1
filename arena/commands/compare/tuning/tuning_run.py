"""Plays a tuning: the batches that its search asks for, trial by trial.

Trials are stored in the order in which the search asks for them, each when all of its matches and the trials before it
are finished. So the files are the same for any number of processes, and of a tuning that was killed and resumed: stored
trials are handed to the search again, and it goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import msgspec

from arena.commands.compare.tuning.tuning_question import (
    TuningQuestion,
    plan_of_candidate,
    start_values,
    tuned_entrant,
)
from arena.errors import UserError
from arena.executors.executor import Executor, results_of_all
from arena.match.work import Work
from arena.runs.planning.plan import Plan
from arena.storage.run_files.tuning_folder import TRIALS_FILE, TrialLine, TuningFolder
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.records.match_record import MatchRecord
from arena.tuning.tune_options import tune_options
from arena.tuning.tuning_course import TrialBatch, TrialValues, TuningCourse

TUNED_MEASURE = PairedMeasure.BEATEN
"""What a value is judged by: the measure that tells most of each match, as in ``arena compare``."""


class TrialPlace(NamedTuple):
    """One of the candidates of a batch on one deal."""

    deal: int
    candidate: int


class TuningRun:
    """The tuning in a folder. ``course`` says where it stands; ``matches``, ``faults`` and ``batch`` count what was
    played, and say what is being played. ``watch`` is called after each trial, and often in between."""

    def __init__(
        self,
        plan: Plan,
        asked: TuningQuestion,
        folder: TuningFolder,
        executor: Executor,
        watch: Callable[[TuningRun], None],
    ) -> None:
        self.plan, self.asked, self.folder, self.executor, self.watch = plan, asked, folder, executor, watch
        self.space, self.course = asked.space, TuningCourse()
        self.matches = self.faults = self.kept = 0
        self.batch: TrialBatch | None = None
        self._name = tuned_entrant(plan).name
        self._stored = folder.trials()

    def play(self) -> None:
        """Play until the tuning is over. The folder is open. Raises UserError if its trials are those of another
        tuning, and ArenaError where a match cannot be played."""
        start = start_values(self.plan, self.space)
        search = tune_options(self.space, start, self.asked.settings, self.course, self.plan.seed)
        try:
            self.batch = next(search)
            while True:
                self.batch = search.send(self._play_batch(self.batch))
        except StopIteration:
            self.batch = None

    def _play_batch(self, batch: TrialBatch) -> TrialValues:
        """The values of a batch: those of stored trials, and of the others, which are played."""
        trials = [TrialPlace(deal, place) for deal in batch.deals for place in range(len(batch.candidates))]
        lines: list[TrialLine] = []
        while len(lines) < len(trials) and (line := next(self._stored, None)) is not None:
            self._check_stored(line, batch, trials[len(lines)])
            lines.append(line)
            self.kept += line.matches + line.void
            self._count(line)
        for line in self._play_trials(batch, trials[len(lines) :]):
            self.folder.add_trial(line)
            lines.append(line)
            self._count(line)
            self.watch(self)
        width = len(batch.candidates)
        return [[line.value for line in lines[place::width]] for place in range(width)]

    def _check_stored(self, line: TrialLine, batch: TrialBatch, trial: TrialPlace) -> None:
        expected = batch.step, trial.deal, batch.candidates[trial.candidate]
        if (line.step, line.deal, line.options) != expected:
            where = f"{self.folder.shown / TRIALS_FILE}: {line.step}, deal {line.deal}"
            raise UserError(f"{where}: this trial belongs to another tuning; start a new one")

    def _count(self, line: TrialLine) -> None:
        self.matches += line.matches + line.void
        self.faults += line.faults

    def _play_trials(self, batch: TrialBatch, trials: list[TrialPlace]) -> Iterator[TrialLine]:
        """Play these trials, and give their lines in this order."""
        left: dict[TrialPlace, int] = {}
        found: dict[TrialPlace, list[MatchRecord]] = {}
        of_match: dict[str, TrialPlace] = {}
        plans = [plan_of_candidate(self.plan, values) for values in batch.candidates]

        def works() -> Iterator[Work]:
            for trial in trials:
                fixtures = list(self.plan.schedule.of_block(trial.deal))
                left[trial], found[trial] = len(fixtures), []
                for fixture in fixtures:
                    work = plans[trial.candidate].work(fixture)
                    id = f"{trial.candidate}/{fixture.id}"
                    of_match[id] = trial
                    yield msgspec.structs.replace(work, spec=msgspec.structs.replace(work.spec, id=id))

        following = iter(trials)
        awaited = next(following, None)
        for result in results_of_all(self.executor, works(), lambda: self.watch(self)):
            trial = of_match.pop(result.record.id)
            found[trial].append(result.record)
            left[trial] -= 1
            while awaited is not None and left.get(awaited) == 0:
                yield self._line_of(batch, awaited, found.pop(awaited))
                awaited = next(following, None)

    def _line_of(self, batch: TrialBatch, trial: TrialPlace, records: list[MatchRecord]) -> TrialLine:
        shares, faults = [], 0
        for record in records:
            seat = next(seat for seat, each in enumerate(record.seats) if each.entrant == self._name)
            faults += sum(record.seats[seat].faults.values())
            if not record.void:
                shares.append(Fraction(TUNED_MEASURE.seat_value(record, seat)))
        return TrialLine(
            step=batch.step,
            deal=trial.deal,
            options=batch.candidates[trial.candidate],
            value=float(sum(shares) / len(shares)) if shares else None,
            matches=len(shares),
            void=len(records) - len(shares),
            faults=faults,
        )
