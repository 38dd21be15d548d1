"""Who listens to a ladder that is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.runs.run_options import RunListener

if TYPE_CHECKING:  # numpy takes longer to load than most commands run
    from arena.ladder.database.rounds import Round
    from arena.runs.planning.plan import Plan


class PlayListener(RunListener):
    """Hears how a ladder is played: what a :class:`~arena.runs.run_options.RunListener` hears of each round's matches,
    and when rounds begin and end. Here it does nothing."""

    def round_begun(self, round: Round, plan: Plan) -> None:
        """A round begins, or goes on."""

    def round_closed(self, round: Round, suspended: list[str]) -> None:
        """A round is closed, and who was suspended by it, a sentence each."""
