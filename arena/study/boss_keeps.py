"""Should the Boss share equally, or keep half? One bot with several values of what it keeps, in the same place of the
same tables and deals."""

from __future__ import annotations

from collections.abc import Iterable

from arena.study.finding import StudyAnswer, StudyColumn, StudyLine, StudyMatch, StudyTable
from arena.tournament.inference.trials import Trial, fold_trials
from arena.tournament.inference.verdict import IntervalVerdict, judge_interval
from arena.tournament.measures.measures import MeasureUnit

BASE_CHALLENGER = "equal shares"
OTHER_CHALLENGERS = ("keeps 40 %", "keeps 50 %", "keeps 60 %", "keeps 70 %")
"""Names of the challengers in the tournament; :data:`BASE_CHALLENGER` is the one that they are compared with."""
CHALLENGER_COLUMNS = (
    StudyColumn("wins", MeasureUnit.SHARE),
    StudyColumn("money", MeasureUnit.MONEY),
    StudyColumn("more wins", MeasureUnit.SHARE, 0.0),
    StudyColumn("more money", MeasureUnit.MONEY, 0.0),
)


def boss_keeps(matches: Iterable[StudyMatch]) -> StudyAnswer:
    """A line for each edition and challenger."""
    by_edition: dict[str, list[StudyMatch]] = {}
    for each in matches:
        by_edition.setdefault(each.record.edition, []).append(each)
    lines, words = [], []
    for edition, played in by_edition.items():
        trials = fold_trials((each.record for each in played), (BASE_CHALLENGER, *OTHER_CHALLENGERS), BASE_CHALLENGER)
        lines += [
            StudyLine((edition, trial.entrant), (trial.win_rate, trial.mean_money, trial.more_wins, trial.more_money))
            for trial in trials
        ]
        words.append(f"{edition}: {_trial_comparisons(trials)}.")
    table = StudyTable("What the Boss keeps", ("edition", "the Boss"), CHALLENGER_COLUMNS, tuple(lines))
    words.append("Otherwise it is the same bot (fair) at the same tables; the opponents are four different bots.")
    return StudyAnswer(sum(map(len, by_edition.values())), (table,), tuple(words))


def _trial_comparisons(trials: Iterable[Trial]) -> str:
    """What the intervals of the differences in money say."""
    said = {
        IntervalVerdict.BETTER: "earns more than",
        IntervalVerdict.WORSE: "earns less than",
        IntervalVerdict.SAME: "earns as much as",
    }
    told = [
        f"{trial.entrant} {said.get(judge_interval(trial.more_money, 0), 'does not differ significantly from')} "
        f"{BASE_CHALLENGER}"
        for trial in trials
        if trial.more_money is not None
    ]
    return ", ".join(told)
