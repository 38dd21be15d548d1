"""Why a run stops early, other than by Ctrl-C: its time is up, or its bots fail too often.

Then no more matches are begun; matches being played are finished, if that takes no longer than :data:`GRACE_SECONDS`.
Results do not change: a run that is resumed ends with the same bytes as one that was never stopped.
"""

from __future__ import annotations

from math import inf

import msgspec

from arena.clock import SYSTEM_CLOCK, Clock
from arena.config.documents.duration import duration_in_words
from arena.tournament.records.match_record import MatchRecord

GRACE_SECONDS = 30.0
"""Seconds in which matches being played have to finish; the others are played when the run is resumed."""
FEWEST_JUDGED = 20
"""How many matches must be finished before the share of faults is judged."""
TIMEOUT_EXIT, FAILURE_EXIT = 124, 1
"""Exit codes: that of timeout(1), and that of any failure."""


class RunBounds(msgspec.Struct, frozen=True):
    """Limits of a run: its duration in seconds, the share of bots' places in its matches that may have faults, and how
    many matches it may begin. None: no limit."""

    seconds: float | None = None
    fault_rate: float | None = None
    matches: int | None = None


class EarlyStop:
    """Judges whether a run has to stop early; its time begins when this is created. ``why`` is the reason in words,
    empty until then; ``exit_code`` is the exit code that goes with it."""

    def __init__(self, bounds: RunBounds, clock: Clock = SYSTEM_CLOCK) -> None:
        self.bounds = bounds
        self.why, self.exit_code = "", 0
        self._now = clock.now
        self._until = inf if bounds.seconds is None else clock.now() + bounds.seconds
        self._leave = inf
        self._matches = self._places = self._faulty = 0

    def add_record(self, record: MatchRecord) -> None:
        """Count a match that was just finished, and its faults."""
        self._matches += 1
        self._places += len(record.seats)
        self._faulty += sum(1 for seat in record.seats if seat.faults)

    def is_due(self) -> bool:
        """Whether no more matches may be begun. Once true, it stays true."""
        if not self.why:
            self._judge()
        return bool(self.why)

    def grace_is_over(self) -> bool:
        """Whether the time to finish the matches being played is over."""
        return self._now() > self._leave

    def _judge(self) -> None:
        most, seconds, matches = self.bounds.fault_rate, self.bounds.seconds, self.bounds.matches
        if self._now() >= self._until and seconds is not None:
            self._stop(f"the time limit of {duration_in_words(seconds)} is reached", TIMEOUT_EXIT)
        elif most is not None and self._matches >= FEWEST_JUDGED and self._faulty > most * self._places:
            share = f"{100 * self._faulty / self._places:.0f} % of all seats in {self._matches} matches"
            self._stop(f"too many faults: {share} have faults, more than {100 * most:g} %", FAILURE_EXIT)
        elif matches is not None and self._matches >= matches:
            self._stop("all requested matches are played", 0)

    def _stop(self, why: str, exit_code: int) -> None:
        self.why, self.exit_code = why, exit_code
        self._leave = self._now() + GRACE_SECONDS
