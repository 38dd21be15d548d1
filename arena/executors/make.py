"""The executor that arena's commands play with: the one place that chooses."""

from __future__ import annotations

from arena.executors.executor import Executor
from arena.executors.pool import Pool


def make_executor(jobs: int, shown: bool = False) -> Executor:
    """For so many matches at once. What trusted bots print is logged, or with ``shown`` goes to standard error."""
    return Pool(jobs, shown)
