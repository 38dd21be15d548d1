"""The interface of listeners to the play of a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.runs.run_options import RunListener

if TYPE_CHECKING:  # numpy takes longer to load than most commands run
    from arena.ladder.database.rounds import Round
    from arena.runs.planning.plan import Plan


class PlayListener(RunListener):
    """Receives the events of a ladder's play: those of :class:`~arena.runs.run_options.RunListener` for each round's
    matches, and the begin and end of rounds. The methods here do nothing."""

    def round_begun(self, round: Round, plan: Plan) -> None:
        """Called when a round begins or continues."""

    def round_closed(self, round: Round, suspended: list[str]) -> None:
        """Called when a round is closed, with a sentence for each version that this suspended."""

    def suspicions_found(self, suspicions: list[str]) -> None:
        """Called after a closed round, with a sentence for each suspicion that did not stand before."""
