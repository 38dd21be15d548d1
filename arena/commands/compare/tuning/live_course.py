"""Shows the course of ``arena tune``: on a terminal drawn in place, elsewhere a line for each round."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Self

from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.compare.tuning.tuning_run import TuningRun
from arena.commands.compare.tuning.words import round_line
from arena.config.documents.duration import duration_in_words
from arena.runs.gauntlet_setup import option_text
from arena.tuning.option_space import OptionRange, Scalar

DRAWING_PAUSE, PAGE_PAUSE = 0.2, 2.0
"""Seconds between two drawings on the terminal, and of the page."""
WIDEST_RANGE = 40
"""Columns of the line on which a value is drawn, at most."""


class LiveCourse:
    """Shows the course while it is played, unless ``quiet``, and has the page of it written by ``write_page``."""

    def __init__(self, quiet: bool, write_page: Callable[[TuningRun, bool], None]) -> None:
        self.quiet, self.shown, self.write_page = quiet, MESSAGE_STREAM.isatty() and not quiet, write_page
        self._began = self._drawn = self._written = monotonic()
        self._lines = self._rounds = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: object, trace: TracebackType | None) -> None:
        self._wipe()

    def draw_run(self, run: TuningRun) -> None:
        """Draw what is known now, if it is time."""
        now, rounds = monotonic(), run.course.rounds
        if len(rounds) > self._rounds:
            self._wipe()
            for each in rounds[self._rounds :] if not self.quiet else ():
                print_message(round_line(run, each))
            self._rounds = len(rounds)
        if now - self._written >= PAGE_PAUSE:
            self._written = now
            self.write_page(run, True)
        if self.shown and now - self._drawn >= DRAWING_PAUSE:
            self._drawn = now
            self._wipe()
            width = shutil.get_terminal_size().columns - 1
            lines = course_lines(run, width, now - self._began)
            MESSAGE_STREAM.write("".join(f"{line[:width]}\n" for line in lines))
            MESSAGE_STREAM.flush()
            self._lines = len(lines)

    def _wipe(self) -> None:
        if self._lines:
            MESSAGE_STREAM.write(f"\x1b[{self._lines}F\x1b[J")
            MESSAGE_STREAM.flush()
        self._lines = 0


def course_lines(run: TuningRun, width: int, seconds: float) -> list[str]:
    """A line for each option, with its value where the search stands (●) and the best so far (│), and one that counts
    what was played."""
    course, space = run.course, run.space
    values = course.points[-1].values if course.points else {}
    long = max(len(name) for name in space.names)
    columns = min(max(width - long - 40, 8), WIDEST_RANGE)
    lines = [
        f"{each.name:{long}}  {_drawn_range(each, values.get(each.name), course.best.get(each.name), columns)}"
        for each in space.ranges
    ]
    step = run.batch.step if run.batch is not None else "finished"
    told = f"{step} of at most {run.asked.rounds} rounds, {run.matches:,} matches, {duration_in_words(round(seconds))}"
    return [*lines, told + (f", {run.faults} faults" if run.faults else "")]


def _drawn_range(option: OptionRange, value: Scalar | None, best: Scalar | None, columns: int) -> str:
    """The range as a line from its low to its high end."""
    line = list("─" * columns)
    for mark, shown in (("│", best), ("●", value)):
        if shown is not None:
            line[min(int(option.place_of(shown) * columns), columns - 1)] = mark
    told = "" if value is None else option_text(value)
    return f"├{''.join(line)}┤ {told}" + ("" if best is None else f" (best {option_text(best)})")
