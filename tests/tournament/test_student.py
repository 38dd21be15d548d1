"""Student's distribution is that of the tables, far out and between whole degrees of freedom too."""

from __future__ import annotations

from collections.abc import Callable
from math import atan, cos, exp, lgamma, pi, sqrt

import pytest

from arena.tournament.inference.student_t import SERIES_DEGREES, t_above, t_below, t_quantile_975


def central_probability(t: float, df: int, steps: int = 400) -> float:
    """P(|T| < t) by Simpson's rule, after x = sqrt(df) tan(u), which bounds the range."""
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(pi)
    end = atan(t / sqrt(df))
    values = [cos(end * step / steps) ** (df - 1) for step in range(steps + 1)]
    weights = [1, *[4, 2] * (steps // 2 - 1), 4, 1]
    return 2 * scale * end / steps / 3 * sum(w * v for w, v in zip(weights, values, strict=True))


def fractional_probability(t: float, df: float) -> float:
    """As :func:`central_probability`, for any degrees of freedom of 1 or more."""
    scale, end, steps = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(pi), atan(t / sqrt(df)), 400
    values = [cos(end * step / steps) ** (df - 1) for step in range(steps + 1)]
    return (
        2
        * scale
        * end
        / steps
        / 3
        * sum(w * v for w, v in zip([1, *[4, 2] * (steps // 2 - 1), 4, 1], values, strict=True))
    )


@pytest.mark.parametrize(
    ("df", "published"), [(1, 12.706), (10, 2.228), (30, 2.042), (40, 2.021), (100, 1.984), (120, 1.980)]
)
def test_students_t_is_as_published(df: int, published: float) -> None:
    assert t_quantile_975(df) == pytest.approx(published, abs=0.0006)


def test_students_t_holds_95_percent_between_its_quantiles() -> None:
    for df in (*range(1, 61), 100, 1000):
        t = t_quantile_975(df)
        within = 0.0006 if df <= 30 else 0.000001  # a table of three decimals, then an expansion
        assert central_probability(t - within, df) < 0.95 < central_probability(t + within, df), df


def test_students_t_falls_towards_the_normal_quantile() -> None:
    quantiles = [t_quantile_975(df) for df in [*range(1, 200), 10**9]]
    assert quantiles == sorted(quantiles, reverse=True)
    assert quantiles[-1] == pytest.approx(1.959964, abs=1e-6)


def test_between_whole_degrees_of_freedom_t_is_a_little_too_large() -> None:
    for df, most in ((1.5, 0.962), (2.5, 0.953), (5.3, 0.951), (29.5, 0.951)):
        t = t_quantile_975(df)
        assert t_quantile_975(int(df) + 1) < t < t_quantile_975(int(df))
        assert 0.95 - 0.0001 < fractional_probability(t, df) < most


@pytest.mark.parametrize("df", [1, 2, 3, 7, 30, SERIES_DEGREES, SERIES_DEGREES + 1, 5000])
def test_the_probability_below_agrees_with_the_quantiles(df: int) -> None:
    assert t_below(t_quantile_975(df), df) == pytest.approx(0.975, abs=2e-5)
    assert t_below(-t_quantile_975(df), df) == pytest.approx(0.025, abs=2e-5)
    assert t_below(0, df) == 0.5


@pytest.mark.parametrize(
    ("t", "df", "tail"),
    [(12.706, 1, 0.025), (4.303, 2, 0.025), (2.571, 5, 0.025), (4.144, 10, 0.001), (3.646, 30, 0.0005), (0, 7, 0.5)],
)
def test_the_tail_is_that_of_the_tables(t: float, df: int, tail: float) -> None:
    assert t_above(t, df) == pytest.approx(tail, rel=1e-3)
    assert t_above(-t, df) == pytest.approx(1 - tail, rel=1e-3)


def test_the_tail_between_whole_degrees_of_freedom_lies_between_theirs() -> None:
    assert t_above(2, 5) < t_above(2, 4.6) < t_above(2, 4.4) < t_above(2, 4)
    assert t_above(2, 4 / (1 - 1 / 10)) == pytest.approx((t_above(2, 4) + t_above(2, 5)) / 2)


def test_many_degrees_of_freedom_go_over_into_the_normal_tail() -> None:
    assert t_above(3.0, SERIES_DEGREES) == pytest.approx(t_above(3.0, SERIES_DEGREES + 1), rel=2e-3)
    assert t_above(1.959964, 10**7) == pytest.approx(0.025, rel=1e-4)
    assert t_above(30, 10**7) > 0


@pytest.mark.parametrize("of", [t_quantile_975, lambda df: t_above(1.0, df), lambda df: t_below(1.0, df)])
def test_less_than_one_degree_of_freedom_is_refused(of: Callable[[float], float]) -> None:
    with pytest.raises(ValueError, match="expected 1 degree of freedom or more, got 0"):
        of(0)
