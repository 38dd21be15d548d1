"""Shows the progress of a run: a bar on a terminal, elsewhere a line now and then; and provisional standings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from time import monotonic
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.config.documents.duration import duration_in_words
from arena.match.work import WorkResult
from arena.runs.run_options import RunListener
from arena.storage.store import RunRemains

FIRST_SECONDS, PAUSE_GROWTH, LONGEST_PAUSE = 30.0, 1.5, 600.0
"""Without a terminal: seconds until the first line, the factor by which each next pause grows, and the longest
pause."""
NAMED_ENTRANTS = 3
"""The line names at most this number of entrants with faults: those with most."""
TABLE_SHARE = 0.05
"""Largest share of the time that provisional tables may take: in a long run a table takes longer, and so is printed
more rarely."""


def most_faults(faults: Mapping[str, int]) -> str:
    """Who has most faults, in short: ``slow 12, hard 3 and 2 more``; empty without faults."""
    order = sorted(faults, key=lambda entrant: (-faults[entrant], entrant))
    more = f" and {len(order) - NAMED_ENTRANTS} more" if len(order) > NAMED_ENTRANTS else ""
    return ", ".join(f"{entrant} {faults[entrant]}" for entrant in order[:NAMED_ENTRANTS]) + more


class RunProgressLine(RunListener):
    """Shows the progress of a run of ``total`` matches, or of other things named by ``unit``. ``table`` makes a
    provisional table, printed every ``table_every`` seconds; with ``quiet`` nothing is shown."""

    def __init__(
        self,
        total: int,
        quiet: bool,
        table_every: float | None = None,
        table: Callable[[int], str] = lambda total: "",
        unit: str = "matches",
    ) -> None:
        self.total, self.quiet, self.unit = total, quiet, unit
        self.faults: dict[str, int] = {}
        self._finished = self._kept = 0
        self._table, self._table_every = table, table_every
        self._bar: Any = tqdm(
            total=total,
            unit=f" {unit}",
            disable=quiet or not MESSAGE_STREAM.isatty(),
            file=MESSAGE_STREAM,
            dynamic_ncols=True,
        )
        self._began = self._last_table = monotonic()
        self._pause, self._next_line = FIRST_SECONDS, self._began + FIRST_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: object, trace: TracebackType | None) -> None:
        self._bar.close()

    def say(self, text: str) -> None:
        """Print a message to standard error, above the bar where there is one."""
        self._bar.write(text, file=MESSAGE_STREAM)

    def finished(self, done: WorkResult) -> None:
        """One more match is finished."""
        self._finished += 1
        faulty = [seat for seat in done.record.seats if seat.faults]
        for seat in faulty:
            self.faults[seat.entrant] = self.faults.get(seat.entrant, 0) + sum(seat.faults.values())
        if faulty and not self._bar.disable:
            self._bar.set_postfix_str(f"faults: {most_faults(self.faults)}", refresh=False)
        self._bar.update()

    def recovered(self, remains: RunRemains) -> None:
        """A resumed run already has the matches in ``remains``."""
        for note in remains.notes:
            self._bar.write(note, file=sys.stderr)
        self._finished = self._kept = len(remains.matches)
        self._bar.n = self._bar.initial = self._finished
        self._bar.refresh()
        self._began = self._last_table = monotonic()
        self._next_line = self._began + self._pause

    def fallen_away(self, matches: int) -> None:
        """``matches`` matches will not be played after all."""
        self.total -= matches
        self._bar.total = self.total
        self._bar.refresh()

    def waiting(self) -> None:
        """Called often while matches are played: prints a line or a table when one is due."""
        if self.quiet:
            return
        now = monotonic()
        if self._bar.disable and now >= self._next_line:
            print_message(self._line(now))
            self._pause = min(LONGEST_PAUSE, self._pause * PAUSE_GROWTH)
            self._next_line = now + self._pause
        if self._table_every is not None and now - self._last_table >= self._table_every:
            self._bar.write(self._table(self.total), file=MESSAGE_STREAM)
            took = monotonic() - now
            self._last_table = max(now, now + took / TABLE_SHARE - self._table_every)

    def _line(self, now: float) -> str:
        """The progress of the run in one line."""
        played, seconds = self._finished - self._kept, now - self._began
        told = f"{self._finished} of {self.total} {self.unit} ({100 * self._finished / max(1, self.total):.0f} %)"
        if played and seconds:
            rate = played / seconds
            told += f", {rate:.1f} a second, about {duration_in_words((self.total - self._finished) / rate)} left"
        return told + (f"; faults: {most_faults(self.faults)}" if self.faults else "")
