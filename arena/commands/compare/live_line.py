"""Shows the progress of ``arena compare``: on a terminal a line drawn in place, elsewhere a line now and then."""

from __future__ import annotations

import shutil
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.cli.output.progress_line import FIRST_SECONDS, LONGEST_PAUSE, PAUSE_GROWTH
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.compare.outlook import Outlook, amount_text
from arena.commands.compare.paired_run import PairedRun
from arena.commands.compare.verdict_progress import ways_to_go
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
        self._looked_at = -1
        self._last: Outlook | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: object, trace: TracebackType | None) -> None:
        if self.shown:
            MESSAGE_STREAM.write("\r\x1b[K")
            MESSAGE_STREAM.flush()

    @property
    def seconds(self) -> float:
        """The seconds since the comparison began."""
        return monotonic() - self._began

    def draw_run(self, run: PairedRun) -> None:
        """Draw the current state of the comparison."""
        now = monotonic()
        if self.quiet or now - self._drawn < self._pause:
            return
        self._drawn = now
        outlook = self._outlook(run)
        if not self.shown:
            self._pause = min(LONGEST_PAUSE, self._pause * PAUSE_GROWTH)
            print_message(live_line(run.test.state, run.test.settings, run.asked.measure, outlook))
            return
        width = shutil.get_terminal_size().columns - 1
        line = live_line(run.test.state, run.test.settings, run.asked.measure, outlook, width)
        MESSAGE_STREAM.write(f"\r\x1b[K{line[:width]}")
        MESSAGE_STREAM.flush()

    def _outlook(self, run: PairedRun) -> Outlook | None:
        """The outlook, computed anew for each deal that is judged."""
        if self._looked_at != run.test.state.blocks:
            self._looked_at = run.test.state.blocks
            self._last = run.outlook(self.seconds)
        return self._last


def live_line(
    state: SequentialState,
    settings: Settings,
    measure: PairedMeasure,
    outlook: Outlook | None,
    width: int | None = None,
) -> str:
    """The progress line: the number of deals, the mean difference, and the progress toward each verdict, the nearest
    first; then, as far as they fit the ``width``, how many more deals there may be, the difference looked for, and the
    interval that holds at any time."""
    if not state.blocks:
        return "no deal is finished yet"
    ways = [f"{name} {100 * share:.0f} %" for name, share in ways_to_go(state, settings).items()]
    ways = [way.replace("no difference", "alike") for way in ways]
    deals = f"{state.blocks} {'deal' if state.blocks == 1 else 'deals'}"
    line = f"{deals}: {signed_text(state.mean, measure.share)}; {ways[0]}"
    also = [", ".join(["", *ways[1:]])]
    if outlook is not None:
        also += [f"; {outlook.in_words()}", f"; looks for {amount_text(outlook.size, measure)}"]
    scale, unit = (100, " %") if measure.share else (1, "")
    also.append(
        f"; at any time {fixed_decimals(state.low * scale, 1)} to {fixed_decimals(state.high * scale, 1)}{unit}"
    )
    for part in also:
        if width is not None and len(line) + len(part) > width:
            break
        line += part
    return line
