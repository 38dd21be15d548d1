"""Plays ladders without a word."""

from __future__ import annotations

from arena.ladder.database.rounds import Round
from arena.match.work import WorkResult
from arena.runs.planning.plan import Plan
from arena.storage.store import RunRemains


class Unwatched:
    """Implements :class:`arena.ladder.play.play_ladder.PlayListener` and says nothing."""

    def round(self, round: Round, plan: Plan) -> None:
        """A round begins."""

    def kept(self, kept: RunRemains) -> None:
        """What it has already."""

    def finished(self, done: WorkResult) -> None:
        """A match is finished."""

    def fallen_away(self, matches: int) -> None:
        """Some are not played."""

    def waiting(self) -> None:
        """Nothing happens."""

    def closed(self, round: Round, told: list[str]) -> None:
        """A round is closed."""
