"""Searches for better values, against an opponent that is a formula with chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from arena.config.variations import parse_ranges
from arena.tuning.option_space import OptionValues
from arena.tuning.tune_options import tune_options
from arena.tuning.tuning_course import PATIENCE, TrialBatch, TuningCourse, TuningMethod, TuningSettings, is_gain

SPACE = parse_ranges(["bar=0.0:8.0", "ripe=1:10", "rate=0.01:1:log"])
WRONG: OptionValues = {"bar": 0.2, "ripe": 9, "rate": 0.02}
RIGHT: OptionValues = {"bar": 4.0, "ripe": 5, "rate": 0.16}
METHODS = list(TuningMethod)


def strength(values: OptionValues) -> float:
    """The share of opponents that these values beat: most in the middle of all ranges."""
    bar, ripe, rate = SPACE.places_of(values)
    return 0.6 - (bar - 0.5) ** 2 - 0.6 * (ripe - 0.4) ** 2 - 0.3 * (rate - 0.6) ** 2


@dataclass
class Played:
    course: TuningCourse
    batches: list[TrialBatch] = field(default_factory=list)
    values: list[list[list[float | None]]] = field(default_factory=list)


def play(
    settings: TuningSettings,
    start: OptionValues,
    seed: int,
    shares: Callable[[OptionValues], float] = strength,
    known: int = 0,
    before: Played | None = None,
) -> Played:
    """A tuning whose deals have luck of their own. The first ``known`` batches get the values from ``before``."""
    played = Played(TuningCourse())
    search = tune_options(SPACE, start, settings, played.course, str(seed))
    batch = next(search)
    while True:
        played.batches.append(batch)
        values: list[list[float | None]] = []
        for place, candidate in enumerate(batch.candidates):
            row: list[float | None] = []
            for deal in batch.deals:
                luck = random.Random(f"{seed}/{deal}").gauss(0, 0.1)
                noise = random.Random(f"{seed}/{deal}/{place}/{batch.step}").gauss(0, 0.1)
                row.append(shares({**start, **candidate}) + luck + noise)
            values.append(row)
        if before is not None and len(played.values) < known:
            values = before.values[len(played.values)]
        played.values.append(values)
        try:
            batch = search.send(values)
        except StopIteration:
            return played


@pytest.mark.parametrize("method", METHODS)
def test_values_that_were_put_wrong_are_found_again(method: TuningMethod) -> None:
    for seed in range(5):
        course = play(TuningSettings(method=method), WRONG, seed).course
        assert strength(WRONG) < 0.2
        assert strength(course.best) > 0.55, (seed, course.best)
        assert course.rounds[0].total.mean is not None
        assert course.rounds[0].total.mean > 0.2


@pytest.mark.parametrize("method", METHODS)
def test_where_nothing_can_be_gained_it_stops_by_itself_soon(method: TuningMethod) -> None:
    second_tries = 0
    for seed in range(10):
        course = play(TuningSettings(method=method), RIGHT, seed, lambda _: 0.5).course
        second_tries += len(course.rounds) > PATIENCE
        assert len(course.rounds) < 10
        assert course.why_over == "nothing gained in 2 rounds in a row"
    assert second_tries <= 5


@pytest.mark.parametrize("method", METHODS)
def test_it_ends_after_all_rounds_where_each_gains(method: TuningMethod) -> None:
    course = play(TuningSettings(method=method, rounds=1), WRONG, 1).course
    assert (len(course.rounds), course.why_over, course.best) == (1, "", course.rounds[0].proposed)


@pytest.mark.parametrize("method", METHODS)
def test_no_two_batches_share_a_deal_and_the_plan_has_enough_of_them(method: TuningMethod) -> None:
    for deals, candidates in ((1, 2), (3, 8), (2, 5)):
        settings = TuningSettings(method=method, deals=deals, candidates=candidates, rounds=4)
        played = play(settings, WRONG, 3)
        used = [deal for batch in played.batches for deal in batch.deals]
        assert used == list(range(played.course.deals))
        assert played.course.deals <= settings.most_deals


@pytest.mark.parametrize("method", METHODS)
def test_a_tuning_that_is_handed_its_old_values_goes_on_as_it_would_have(method: TuningMethod) -> None:
    settings = TuningSettings(method=method, rounds=3)
    whole = play(settings, WRONG, 7)
    again = play(settings, WRONG, 7, known=len(whole.values) // 2, before=whole)
    assert again == whole
    other = play(settings, WRONG, 8)
    assert other.batches[1].candidates != whole.batches[1].candidates


def test_both_sides_of_a_step_lie_in_their_ranges_around_where_the_search_stands() -> None:
    played = play(TuningSettings(method=TuningMethod.SPSA), WRONG, 2)
    for batch in played.batches:
        assert len({str(each) for each in batch.candidates}) == len(batch.candidates)
        for values in batch.candidates:
            for each in SPACE.ranges:
                if each.name in values:
                    assert each.value_at(each.place_of(values[each.name])) == values[each.name]
    steps = [batch for batch in played.batches if "step" in batch.step]
    assert len(steps) == 10 * len(played.course.rounds)
    assert all(len(batch.candidates) == 2 for batch in steps)


def test_each_rung_has_half_as_many_candidates_on_twice_as_many_deals_and_the_best_so_far_among_the_first() -> None:
    played = play(TuningSettings(method=TuningMethod.HALVING, deals=2), WRONG, 1)
    first = [(len(batch.candidates), len(batch.deals)) for batch in played.batches[:3]]
    assert first == [(8, 2), (4, 4), (2, 8)]
    best: OptionValues = {}
    for batch in played.batches:
        if batch.step.endswith("rung 1"):
            assert batch.candidates[0] == best
        if batch.step.endswith("check"):
            (ended,) = (each for each in played.course.rounds if batch.step == f"round {each.number} check")
            best = ended.proposed if ended.better else best


def test_the_first_bracket_tries_all_parts_of_each_range() -> None:
    played = play(TuningSettings(method=TuningMethod.HALVING, candidates=9), WRONG, 4)
    drawn = [SPACE.places_of(values) for values in played.batches[0].candidates if values]
    assert sorted(int(places[0] * 8) for places in drawn) == list(range(8))


def test_deals_without_a_match_that_counts_are_left_out() -> None:
    course = TuningCourse()
    search = tune_options(SPACE, WRONG, TuningSettings(method=TuningMethod.SPSA, rounds=1), course, "1")
    batch: TrialBatch | None = next(search)
    while batch is not None:
        try:
            batch = search.send([[None] * len(batch.deals) for _ in batch.candidates])
        except StopIteration:
            batch = None
    assert course.best == {}
    assert course.points[-1].values == course.points[0].values


def test_a_gain_is_more_than_its_standard_error() -> None:
    assert is_gain([0.1, 0.2, 0.1])
    assert not is_gain([0.3, -0.2, 0.0])
    assert not is_gain([0.0, 0.0, 0.0])
    assert not is_gain([0.5])
    assert not is_gain([])
