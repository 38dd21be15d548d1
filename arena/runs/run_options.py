"""The options of a run, and who listens to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who only listens starts fast
    from pathlib import Path

    from arena.match.work import WorkResult
    from arena.runs.early_stop import RunBounds
    from arena.storage.store import RunRemains
    from arena.tournament.records.fixture import Fixture

Absent = Callable[["Fixture"], bool]
"""Says, right before a match would be begun, whether it is not to be played after all."""


def nobody_absent(fixture: Fixture) -> bool:
    """Every match is played."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is played. The run remembers the ``command`` that plays it; ``bounds`` stand over those of its plan.
    What can be is taken over from the runs in the folders to ``reuse``; matches that are ``absent`` are not played.

    A new run remembers how fast this machine is if that is to be ``measured``; with ``retry_void`` a resumed run plays
    its void matches again.
    """

    command: str = ""
    bounds: RunBounds | None = None
    reuse: Sequence[Path] = ()
    absent: Absent = nobody_absent
    measured: bool = True
    retry_void: bool = False


class RunListener:
    """Hears what happens while a run is played. Here it does nothing; who derives from it says what it does."""

    def recovered(self, remains: RunRemains) -> None:
        """Before anything is played: what a resumed run has already."""

    def finished(self, done: WorkResult) -> None:
        """One more match is finished."""

    def fallen_away(self, matches: int) -> None:
        """So many matches are not played after all: an entrant is suspended, or they are absent."""

    def waiting(self) -> None:
        """Called between two results, and several times a second while there is none, as far as the executor can."""


NOBODY = RunListener()
"""Where nobody listens."""
