"""Shows the progress of ``arena compare``: on a terminal a line drawn in place, elsewhere a line now and then."""

from __future__ import annotations

import shutil
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.cli.output.progress_line import FIRST_SECONDS, LONGEST_PAUSE, PAUSE_GROWTH
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.compare.paired_run import PairedRun
from arena.commands.compare.verdict_progress import ways_to_go
from arena.config.documents.duration import duration_in_words
from arena.sequential.test_settings import Settings
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.tables.rounded_figures import fixed_decimals, signed_text

if TYPE_CHECKING:
    from arena.sequential.sequential_test import SequentialState  # numpy is slow to load

LINE_SECONDS = 0.2
"""Seconds between two drawings."""


class LiveLine:
    """A line on a terminal, redrawn in place, and erased at the end; elsewhere plain lines at growing intervals. When
    ``quiet``, nothing is shown."""

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.shown = quiet, MESSAGE_STREAM.isatty() and not quiet
        self._began = self._drawn = monotonic()
        self._pause = LINE_SECONDS if self.shown else FIRST_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: object, trace: TracebackType | None) -> None:
        if self.shown:
            MESSAGE_STREAM.write("\r\x1b[K")
            MESSAGE_STREAM.flush()

    def draw_run(self, run: PairedRun) -> None:
        """Draw the current state of the comparison."""
        now = monotonic()
        if self.quiet or now - self._drawn < self._pause:
            return
        self._drawn = now
        left = _seconds_left(run, now - self._began)
        if not self.shown:
            self._pause = min(LONGEST_PAUSE, self._pause * PAUSE_GROWTH)
            print_message(live_line(run.test.state, run.test.settings, run.asked.measure, left))
            return
        width = shutil.get_terminal_size().columns - 1
        line = live_line(run.test.state, run.test.settings, run.asked.measure, left, width)
        MESSAGE_STREAM.write(f"\r\x1b[K{line[:width]}")
        MESSAGE_STREAM.flush()


def _seconds_left(run: PairedRun, seconds: float) -> float | None:
    """How long it takes to the nearest verdict if the test goes on as it went so far, at most to the last deal; None
    before anything is played."""
    played = run.matches - run.kept
    if played <= 0:
        return None
    most = len(run.plan.schedule) - run.matches
    nearest = max(ways_to_go(run.test.state, run.test.settings).values())
    return seconds / played * (min(most, run.matches * (1 / nearest - 1)) if nearest else most)


def live_line(
    state: SequentialState, settings: Settings, measure: PairedMeasure, left: float | None, width: int | None = None
) -> str:
    """The progress line: the number of deals, the mean difference, and the progress toward each verdict, the nearest
    first; then, if they fit the ``width``, the seconds ``left`` to the nearest, and the interval that holds at any
    time."""
    if not state.blocks:
        return "no deal is finished yet"
    ways = [f"{name} {100 * share:.0f} %" for name, share in ways_to_go(state, settings).items()]
    ways = [way.replace("no difference", "alike") for way in ways]
    deals = f"{state.blocks} {'deal' if state.blocks == 1 else 'deals'}"
    line = f"{deals}: {signed_text(state.mean, measure.share)}; {ways[0]}"
    also = [", ".join(["", *ways[1:]])]
    if left is not None:
        also.append(f"; about {duration_in_words(left)} left")
    scale, unit = (100, " %") if measure.share else (1, "")
    also.append(
        f"; at any time {fixed_decimals(state.low * scale, 1)} to {fixed_decimals(state.high * scale, 1)}{unit}"
    )
    for part in also:
        if width is not None and len(line) + len(part) > width:
            break
        line += part
    return line
