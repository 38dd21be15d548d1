"""Where results come in steps, an interval leaves out 5 % though it is narrower than Student's."""

from __future__ import annotations

import numpy
import pytest

from arena.tournament.inference.intervals import t_quantile_975
from arena.tournament.inference.lattice import part_of_t

RUNS = 400_000


@pytest.mark.parametrize("df", [2, 3, 4, 6])
def test_5_percent_lie_beyond_and_show_a_variance(df: int) -> None:
    source = numpy.random.Generator(numpy.random.PCG64(df))
    shown, off = source.chisquare(df, RUNS) / df, abs(source.standard_normal(RUNS))
    student = off / numpy.sqrt(shown)
    for variance in (0.0, 0.01, 0.05, 0.1, 0.2):
        far = student > part_of_t(df, variance) * t_quantile_975(df)
        assert (far & (shown >= variance)).mean() == pytest.approx(0.05, abs=0.0012), variance


def test_between_the_values_of_the_table_not_more_than_5_percent_lie_beyond() -> None:
    source = numpy.random.Generator(numpy.random.PCG64(1))
    shown, off = source.chisquare(2, RUNS) / 2, abs(source.standard_normal(RUNS))
    for variance in (0.005, 0.03, 0.07, 0.12, 0.17):
        far = off > part_of_t(2, variance) * t_quantile_975(2) * numpy.sqrt(shown)
        assert 0.043 < (far & (shown >= variance)).mean() < 0.0512


def test_the_part_grows_with_degrees_of_freedom_and_falls_with_the_variance() -> None:
    parts = [[part_of_t(df / 4, variance / 100) for variance in range(31)] for df in range(4, 60)]
    assert all(row == sorted(row, reverse=True) for row in parts)
    assert all(list(column) == sorted(column) for column in zip(*parts, strict=True))
    assert {part_of_t(df, 0.5) for df in (10, 10.5, 99)} == {1.0}
    assert part_of_t(1, 0.1) == part_of_t(2, 0.1) == 0.667
