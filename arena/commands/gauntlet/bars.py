"""Means with their intervals as bars of text, drawn live on a terminal while matches are played."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self

from arena.cli.print_message import MESSAGE_STREAM
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import estimate_text

SHOWN_BARS = 12
"""Bars shown at once while matches are played."""
DRAWING_SECONDS = 0.2
"""Seconds between two drawings: each reads the results of all blocks."""
MEAN_MARK, INTERVAL_MARK, EVEN_MARK = "┃", "▒", "┊"
"""The marks of a bar."""
NARROWEST_BARS, WIDEST_BARS = 40, 100


class Bar(NamedTuple):
    """An estimate under its name."""

    name: str
    estimate: Estimate


def share_text(estimate: Estimate) -> str:
    """A share in percent with its half-width."""
    return estimate_text(estimate, 1, share=True)


def share_bars(given: Sequence[Bar], even: float | None, width: int, whole: bool = False) -> list[str]:
    """A line for each share, at most ``width`` columns: █ up to its mean, which :data:`MEAN_MARK` marks, ▒ for the
    interval around it, and ┊ at the ``even`` share. All have one scale, which ends a little beyond the longest, or with
    ``whole`` at 100 %."""
    longest = min(max((len(bar.name) for bar in given), default=0), 24)
    names = [f"{bar.name[:longest]:{longest}}" for bar in given]
    numbers = [share_text(bar.estimate) for bar in given]
    column = max(map(len, numbers), default=0)
    room = max(width - longest - column - 4, 8)
    ends = [bar.estimate.high or bar.estimate.mean or 0 for bar in given]
    scale = 1.0 if whole else min(max([*ends, even or 0]) * 1.05, 1.0) or 1.0
    return [
        f"{name}  {number:>{column}}  {_bar_text(bar.estimate, even, scale, room)}".rstrip()
        for name, number, bar in zip(names, numbers, given, strict=True)
    ]


def _bar_text(estimate: Estimate, even: float | None, scale: float, room: int) -> str:
    if estimate.mean is None:
        return ""

    def cells(value: float) -> int:
        return min(max(round(value / scale * room), 0), room)

    mean = min(cells(estimate.mean), room - 1)
    low = mean if estimate.low is None else cells(estimate.low)
    high = mean if estimate.high is None else cells(estimate.high)
    line = list("█" * mean + " " * (room - mean))
    line[low:high] = INTERVAL_MARK * (high - low)
    if even is not None:
        line[min(cells(even), room - 1)] = EVEN_MARK
    line[mean] = MEAN_MARK
    return "".join(line)


class LiveBars:
    """Bars on a terminal, redrawn in place as results come in, and erased at the end. Draws nothing elsewhere than on a
    terminal, or when ``quiet``."""

    def __init__(self, total: int, look: Callable[[], Sequence[Bar]], even: float, quiet: bool = False) -> None:
        self.total, self.look, self.even = total, look, even
        self.shown = MESSAGE_STREAM.isatty() and not quiet
        self.finished, self.faults = 0, 0
        self._lines = 0
        self._began = monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        self._draw()
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: object, trace: TracebackType | None) -> None:
        self._wipe()

    def update(self, faults: int) -> None:
        """Count one more finished match, with this number of faults, and redraw the bars if it is time."""
        self.finished += 1
        self.faults += faults
        if monotonic() - self._drawn >= DRAWING_SECONDS:
            self._draw()

    def _draw(self) -> None:
        if not self.shown:
            return
        columns, rows = shutil.get_terminal_size()
        every = self.look()
        most = max(1, min(SHOWN_BARS, rows - 3))
        lines = share_bars(every[:most], self.even, min(max(columns - 1, NARROWEST_BARS), WIDEST_BARS), whole=True)
        if len(every) > most:
            lines.append(f"and {len(every) - most} more")
        lines.append(self._state())
        self._wipe()
        MESSAGE_STREAM.write("".join(f"{line[: columns - 1]}\n" for line in lines))
        MESSAGE_STREAM.flush()
        self._lines, self._drawn = len(lines), monotonic()

    def _state(self) -> str:
        spent = monotonic() - self._began
        left = spent / self.finished * (self.total - self.finished) if self.finished else None
        told = f"{self.finished} of {self.total} matches, {_clock_time(spent)}"
        told += "" if left is None else f", about {_clock_time(left)} left"
        return told + (f", {self.faults} faults" if self.faults else "")

    def _wipe(self) -> None:
        if self._lines:
            MESSAGE_STREAM.write(f"\x1b[{self._lines}F\x1b[J")
            MESSAGE_STREAM.flush()
        self._lines = 0


def _clock_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
