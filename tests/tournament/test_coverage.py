"""The 95 % intervals hold the truth in 93 to 97 of 100 runs of made-up bots, and in more where results are few."""

from __future__ import annotations

from math import sqrt

import numpy
import pytest

from arena.tournament.inference.intervals import clustered_mean
from tests.bench.coverage import LEAST_SHOWN, Case, Given, cases, covered, covered_at_once, factor, trials
from tests.tournament.at_once import intervals
from tests.tournament.made_up import World, play, play_twice, ties

RUNS = 400
NOISE = 0.033
"""Three deviations of a part of 400 runs that should be 0.95."""


@pytest.mark.parametrize("blocks", [3, 4, 12])
def test_many_runs_at_once_have_the_intervals_of_each_alone(blocks: int) -> None:
    source = numpy.random.Generator(numpy.random.PCG64(blocks))
    world = World("gauntlet", 4, blocks, (3.0, 1.0, 0.0, -2.5), void=0.06 * (blocks > 3))
    every = [*cases(world, play(world, 30, source), equal=False), *trials(world, 30, source)]
    for case in every:
        low, high = intervals(case.sums, case.matches, case.bounds, case.step)
        for run, clusters in enumerate(zip(case.sums.tolist(), case.matches.astype(int).tolist(), strict=True)):
            found = clustered_mean(zip(*clusters, strict=True), bounds=case.bounds, step=case.step)
            ends = [numpy.nan if end is None else end for end in (found.low, found.high)]
            assert [low[run], high[run]] == pytest.approx(ends, rel=1e-4, abs=1e-6, nan_ok=True), (case.kind, clusters)
        assert covered_at_once(case) == covered(case)


@pytest.mark.parametrize(("design", "entrants", "seats", "blocks"), [("spread", 6, 4, 3), ("gauntlet", 4, 4, 10)])
def test_intervals_of_entrants_pairs_and_seats_hold_the_truth(
    design: str, entrants: int, seats: int, blocks: int
) -> None:
    source = numpy.random.Generator(numpy.random.PCG64(blocks))
    strengths = (3.0, 1.0, 0.0, -0.5, -2.5, 0.2)[:entrants]
    world = World(design, seats, blocks, strengths, void=0.06)
    runs = play(world, RUNS, source)
    assert 0.03 < ties(runs) < 0.12
    for case in cases(world, runs, equal=False):
        found = covered(case)
        assert found.shown > 0.9, case.kind
        assert found.held >= 0.93 - NOISE, case.kind
        if case.bounds is None:
            assert found.held <= 0.97 + NOISE, case.kind


def test_intervals_of_paired_differences_hold_the_truth_wherever_they_are_told() -> None:
    source = numpy.random.Generator(numpy.random.PCG64(1))
    world = World("gauntlet", 4, 12, (0.5, 0.0, 0.3, -0.4))
    told = [(case.kind, found) for case in trials(world, RUNS, source) if (found := covered(case)).shown >= LEAST_SHOWN]
    assert len(told) >= 8
    for kind, found in told:
        assert found.held >= 0.93 - NOISE / sqrt(found.shown), kind


@pytest.mark.parametrize("blocks", [5, 8])
def test_intervals_of_money_that_a_stronger_version_gains_in_few_matches_do_not_hold_the_truth_too_seldom(
    blocks: int,
) -> None:
    source = numpy.random.Generator(numpy.random.PCG64(blocks))
    world = World("gauntlet", 4, blocks, (3.5, 1.0, 0.3, 0.0), bot_deal=0.3)
    first, second = play_twice(world, 2000, source, stronger=0.7, differ=0.1)
    sums, matches = first.by_block(second.mean_money - first.mean_money, first.entrants == 0)
    found = covered(Case("more_money", sums, matches, None, None))
    assert 0.2 < found.shown < 0.6, "blocks of which too few differ have no interval"
    assert found.held >= 0.93


def test_intervals_of_the_design_factor_hold_the_truth_where_few_blocks_decide() -> None:
    source = numpy.random.Generator(numpy.random.PCG64(1))
    world = World("all", 5, 15, (3.5, 1.0, 0.3, 0.0, -0.5, -2.5), bot_deal=1.2, void=0.06)
    given = Given.of(world, play(world, RUNS, source))
    assert 0.93 - NOISE <= factor(given).held <= 0.97 + NOISE
