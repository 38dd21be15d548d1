"""The options of a run, and the listener to its events."""

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
"""Says, just before a match would be begun, whether to leave it out after all."""


def nobody_absent(fixture: Fixture) -> bool:
    """False: every match is played."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How to play a run. The run stores the ``command`` that plays it; ``bounds`` override those of its plan. Matches
    are taken over from the runs in the folders ``reuse`` where possible; matches for which ``absent`` is true are not
    played.

    With ``measured`` a new run stores how fast this machine is; with ``retry_void`` a resumed run plays its void
    matches again.
    """

    command: str = ""
    bounds: RunBounds | None = None
    reuse: Sequence[Path] = ()
    absent: Absent = nobody_absent
    measured: bool = True
    retry_void: bool = False


class RunListener:
    """Receives the events of a run. The methods do nothing here; subclasses override them."""

    def recovered(self, remains: RunRemains) -> None:
        """Called before anything is played, with what a resumed run has already."""

    def finished(self, done: WorkResult) -> None:
        """Called when one more match is finished."""

    def fallen_away(self, matches: int) -> None:
        """Called when ``matches`` more matches will not be played: an entrant is suspended, or they are absent."""

    def waiting(self) -> None:
        """Called between two results, and several times a second while there is none, as far as the executor can."""


NOBODY = RunListener()
"""The listener that ignores all events."""
