"""Estimates that tests expect."""

from __future__ import annotations

import pytest

from arena.tournament.inference.intervals import Estimate


def around(mean: float, half_width: float, clusters: int) -> Estimate:
    """One whose interval reaches as far to both sides, but for the last digits."""
    low, high = pytest.approx(mean - half_width), pytest.approx(mean + half_width)
    return Estimate(pytest.approx(mean), low, high, clusters)
