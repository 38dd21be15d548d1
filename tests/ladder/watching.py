"""Plays ladders without a word."""

from __future__ import annotations

from arena.app.ladder.rounds import Round
from arena.app.plan import Plan
from arena.app.store import Kept
from arena.match.work import Done


class Unwatched:
    """Implements :class:`arena.app.ladder.play.Watching` and says nothing."""

    def round(self, round: Round, plan: Plan) -> None:
        """A round begins."""

    def kept(self, kept: Kept) -> None:
        """What it has already."""

    def finished(self, done: Done) -> None:
        """A match is finished."""

    def fallen_away(self, matches: int) -> None:
        """Some are not played."""

    def waiting(self) -> None:
        """Nothing happens."""

    def closed(self, round: Round, told: list[str]) -> None:
        """A round is closed."""
