"""Why a run stops before everything is played, other than by Ctrl-C: its time is up, or its bots fail too often.

Then no more matches are begun; those at play are finished, if that takes no longer than :data:`GRACE_SECONDS`. What is
played is the same as ever: whoever resumes the run ends with the bytes of one that was never stopped."""

from __future__ import annotations

from math import inf

import msgspec

from arena.clock import SYSTEM_CLOCK, Clock
from arena.config.documents.duration import duration_in_words
from arena.tournament.records.match_record import MatchRecord

GRACE_SECONDS = 30.0
"""Seconds that matches at play have to be finished; those that are not are played when the run is resumed."""
FEWEST_JUDGED = 20
"""Matches that must be finished before their faults are judged."""
TIMEOUT_EXIT, FAILURE_EXIT = 124, 1
"""Exit codes: that of timeout(1), and that of any failure."""


class RunBounds(msgspec.Struct, frozen=True):
    """How long a run may take, in seconds, which share of the places that bots had in its matches may have faults, and
    how many matches it may begin; None: no bound."""

    seconds: float | None = None
    fault_rate: float | None = None
    matches: int | None = None


class EarlyStop:
    """Judges whether a run has to stop, from the moment it is made. ``why`` says so in words, empty while it has not;
    ``exit_code`` goes with it."""

    def __init__(self, bounds: RunBounds, clock: Clock = SYSTEM_CLOCK) -> None:
        self.bounds = bounds
        self.why, self.exit_code = "", 0
        self._now = clock.now
        self._until = inf if bounds.seconds is None else clock.now() + bounds.seconds
        self._leave = inf
        self._matches = self._places = self._faulty = 0

    def note(self, record: MatchRecord) -> None:
        """Count a match that was finished just now, and the faults in it."""
        self._matches += 1
        self._places += len(record.seats)
        self._faulty += sum(1 for seat in record.seats if seat.faults)

    def is_due(self) -> bool:
        """Whether no more matches may be begun. Once it is, it stays so."""
        if not self.why:
            self._judge()
        return bool(self.why)

    def grace_is_over(self) -> bool:
        """Whether matches that are still played have had their time."""
        return self._now() > self._leave

    def _judge(self) -> None:
        most, seconds, matches = self.bounds.fault_rate, self.bounds.seconds, self.bounds.matches
        if self._now() >= self._until and seconds is not None:
            self._stop(f"the time limit of {duration_in_words(seconds)} is reached", TIMEOUT_EXIT)
        elif most is not None and self._matches >= FEWEST_JUDGED and self._faulty > most * self._places:
            share = f"{100 * self._faulty / self._places:.0f} % of the bots' places in {self._matches} matches"
            self._stop(f"too many faults: {share} have some, more than {100 * most:g} %", FAILURE_EXIT)
        elif matches is not None and self._matches >= matches:
            self._stop("as many matches as asked for are played", 0)

    def _stop(self, why: str, exit_code: int) -> None:
        self.why, self.exit_code = why, exit_code
        self._leave = self._now() + GRACE_SECONDS
