"""The 95 % intervals hold the truth in 93 to 97 of 100 runs of made-up bots, and in more where results are few."""

from __future__ import annotations

import numpy
import pytest

from tests.bench.coverage import cases, covered, trials
from tests.tournament.made_up import World, play, ties

RUNS = 400
NOISE = 0.033
"""Three deviations of a part of 400 runs that should be 0.95."""


@pytest.mark.parametrize("blocks", [3, 8, 20])
@pytest.mark.parametrize(("design", "entrants", "seats"), [("spread", 6, 4), ("gauntlet", 4, 4)])
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
    for case in trials(world, RUNS, source):
        found = covered(case)
        assert found.held >= 0.93 - NOISE, case.kind
