"""What tests cost, in seconds of CPU, and the budget of those that are not marked ``slow``.

Seconds of CPU are counted, of the process and of those it has started and waited for, since they hardly depend on what
else the machine does. What they depend on, such as a core that is shared, is reckoned out: where a test seems to be too
dear, a loop of known cost is timed beside it. What several tests share, such as a run that is played once for a
module, is charged to none of them.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

LOOPS, LOOPS_TAKE = 1_000_000, 0.04
"""A loop, and the seconds of CPU that it takes on a quiet core of the machine on which budgets were set."""
SHOWN = 25
"""How many of the dearest tests are shown."""
Report = tuple[str, float]


def cpu_seconds() -> float:
    """Seconds of CPU of this process and of all it has started and waited for."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def slowness() -> float:
    """How many times as long as on a quiet core a known loop takes at this moment: at least 1."""
    begun = cpu_seconds()
    for _ in range(LOOPS):
        pass
    return max(1.0, (cpu_seconds() - begun) / LOOPS_TAKE)


class CpuBudget:
    """Counts the seconds of each test; fails those that have taken more than there are, and are not slow."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.begun = self.counted = cpu_seconds()
        self.shared = 0.0
        self.costs: list[Report] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """What is made for several tests is not what this one costs."""
        before, inner = cpu_seconds(), self.shared
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.shared = inner + cpu_seconds() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Begin to count."""
        self.begun, self.shared = cpu_seconds(), 0.0
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Fail a test that has cost too much."""
        result = yield
        taken = cpu_seconds() - self.begun - self.shared
        if taken > self.seconds and item.get_closest_marker("slow") is None:
            taken /= slowness()
            if taken > self.seconds:
                pytest.fail(
                    f"it took {taken:.1f} s of CPU: a test that takes over {self.seconds:g} s is made cheaper, "
                    "or marked with @pytest.mark.slow",
                    pytrace=False,
                )
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[Any]:
        """Hand what a phase has cost, with all that was set up for others too, to the process that shows it."""
        report = yield
        now = cpu_seconds()
        report.user_properties = [("cpu", now - self.counted)]
        self.counted = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the seconds of a phase in."""
        taken = dict(report.user_properties).get("cpu")
        if isinstance(taken, float):
            self.costs.append((report.nodeid, taken))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Show the sums of folders, and the dearest tests."""
        tests, folders = Counter[str](), Counter[str]()
        for name, taken in self.costs:
            tests[name] += taken  # type: ignore[assignment]
            folders["/".join(name.split("::")[0].split("/")[:2])] += taken  # type: ignore[assignment]
        terminalreporter.section("seconds of CPU")
        terminalreporter.write_line(f"{sum(folders.values()):8.1f} all tests")
        for name, taken in folders.most_common():
            terminalreporter.write_line(f"{taken:8.1f} {name}")
        for name, taken in tests.most_common(SHOWN):
            terminalreporter.write_line(f"{taken:8.1f} {name}")
