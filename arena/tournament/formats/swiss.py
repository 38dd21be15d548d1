"""The format in which entrants with similar results meet, round after round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.tournament.formats.ranking import rank_entrants
from arena.tournament.formats.rounds_format import RoundsFormat
from arena.tournament.formats.separate_tables import kept_apart
from arena.tournament.formats.team_tables.teams import Teams
from arena.tournament.records.earlier_results import EarlierResults

TEAMMATE_WEIGHT = 1000
"""The weight of two team-mates sharing a table; each earlier meeting of two entrants weighs 1."""


class Swiss(RoundsFormat):
    """A Swiss tournament at tables of any size. In every round the entrants, ranked by their results so far
    (:func:`arena.tournament.formats.ranking.rank_entrants`; in the first by the draw), are seated from the top, a table
    after another. Then some swap tables, preferably neighbouring ones, where members of a team or entrants who have met
    already would sit together (:func:`arena.tournament.formats.separate_tables.kept_apart`).

    If not all can be seated, byes go to suspended entrants first, then to those with the fewest byes so far, and among
    these to the lowest in rank. A round without a match for any other reason counts as a bye too.
    """

    def __init__(self, teams: Teams, seed: str, rounds: int) -> None:
        super().__init__(teams, seed)
        self._rounds = rounds

    def rounds(self, seats: int) -> int:
        """The number of rounds, as given."""
        return self._rounds

    def period(self, seats: int) -> int:
        """1: every block has equally many tables."""
        return 1

    def count_in(self, seats: int, round: int) -> int:
        """As many tables as the entrants can fill."""
        return self.entrants // seats

    def drawn_tables(self, seats: int, round: int, earlier: EarlierResults) -> list[tuple[int, ...]]:
        """The tables, the one with the highest ranks first."""
        start = self.first_block(seats, round)
        standing = rank_entrants(self.drawn, earlier.scores(range(start)), seats, earlier.suspended_entrants(start))
        resting = self._resting(seats, round, standing, earlier)
        playing = [each for each in standing if each not in resting]
        met = earlier.meeting_counts(self.first_block(seats, each) for each in range(round))
        seated = [playing[first : first + seats] for first in range(0, len(playing), seats)]
        return kept_apart(seated, lambda one, other: self._weight(one, other, met))

    def in_words(self, seats: int) -> str:
        """A sentence on the rounds, tables and byes."""
        tables, byes = divmod(self.entrants, seats)
        lasts, rounds = self.each_lasts(seats), self._rounds
        return (
            f"{rounds} {'round' if rounds == 1 else 'rounds'} of {lasts} {'block' if lasts == 1 else 'blocks'}, each "
            f"with {tables} {'table' if tables == 1 else 'tables'} and {byes} {'bye' if byes == 1 else 'byes'}; the "
            "results of earlier rounds decide who meets in a round"
        )

    def _resting(self, seats: int, round: int, standing: Sequence[int], earlier: EarlierResults) -> frozenset[int]:
        """The entrants who have a bye."""
        sat = Counter(
            entrant for before in range(round) for entrant in earlier.seated_entrants(self.blocks_of(seats, before))
        )
        absent = earlier.suspended_entrants(self.first_block(seats, round))
        lowest_first = standing[::-1]
        order = sorted(lowest_first, key=lambda each: (each not in absent, -sat[each]))
        return frozenset(order[: self.entrants % seats])

    def _weight(self, one: int, other: int, met: Counter[tuple[int, int]]) -> int:
        return met[min(one, other), max(one, other)] + TEAMMATE_WEIGHT * (self.teams[one] == self.teams[other])
