"""A tuning: rounds of a search, each followed by a check on deals that the search has not seen, until nothing is gained
or all rounds are played."""

from __future__ import annotations

from collections.abc import Generator

from arena.games.chance import Chance
from arena.tournament.inference.intervals import Estimate
from arena.tuning.gradient_search import GradientSearch
from arena.tuning.option_space import OptionSpace, OptionValues
from arena.tuning.successive_halving import SuccessiveHalving
from arena.tuning.tuning_course import (
    Search,
    TrialBatch,
    TrialValues,
    TuningCourse,
    TuningMethod,
    TuningRound,
    TuningSettings,
    is_gain,
    mean_estimate,
    paired_differences,
)

EMPTY_ESTIMATE = Estimate(None, None, None, 0)


def tune_options(
    space: OptionSpace, start: OptionValues, settings: TuningSettings, course: TuningCourse, seed: str
) -> Generator[TrialBatch, TrialValues, None]:
    """Tune: yields the batches to be played, in their order, takes their values, and writes into the ``course``.
    ``start`` are the values that the bot was named with. What it asks for follows from its arguments and the values
    alone, so a tuning that was broken off is gone on with by handing it the old values again."""
    kind = GradientSearch if settings.method is TuningMethod.SPSA else SuccessiveHalving
    searching = kind(space, start, settings, course, Chance(seed))
    course.add_point(space.values_at(space.places_of(start)))
    for number in range(1, settings.rounds + 1):
        proposed = yield from searching.search(number)
        yield from _check_round(number, proposed, start, settings, course)
        if course.why_over:
            return


def _check_round(
    number: int, proposed: OptionValues, start: OptionValues, settings: TuningSettings, course: TuningCourse
) -> Search:
    """Play what a round proposes against the best before it and the bot as it was named, on new deals. Returns the best
    from now on."""
    best = course.best
    if proposed in (best, {**start, **best}):
        gain = total = EMPTY_ESTIMATE
        better = False
    else:
        candidates = (proposed, best, *([{}] if best else []))
        deals = course.new_deals(settings.check_deals)
        found = yield TrialBatch(f"round {number} check", candidates, deals)
        differences = paired_differences(found[0], found[1])
        better = is_gain(differences)
        gain, total = mean_estimate(differences), mean_estimate(paired_differences(found[0], found[-1]))
    if better:
        course.best = proposed
    course.stale = 0 if better else course.stale + 1
    course.rounds.append(TuningRound(number, proposed, gain, total, better, course.deals))
    return course.best
