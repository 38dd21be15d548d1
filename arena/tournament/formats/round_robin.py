"""The format in which every set of entrants that fills a table plays in every block."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.formats.format import Format
from arena.tournament.formats.spread_tables.spread import check_entrants
from arena.tournament.formats.table_subsets import TableSubsets
from arena.tournament.formats.team_tables.team_subsets import TeamSubsets
from arena.tournament.formats.team_tables.teams import Teams, check_table, no_teams
from arena.tournament.records.earlier_results import EarlierResults


class RoundRobin(Format):
    """Every block plays every set of entrants that fills a table, except sets with two team-mates."""

    def __init__(self, entrants: int, teams: Teams | None = None) -> None:
        """``teams`` has the team of each entrant; None means that there are no teams."""
        self.entrants = entrants
        self.teams = teams or no_teams(entrants)

    def check(self, seats: int, label: str) -> None:
        """Raise UserError for too few entrants or too few teams."""
        check_entrants(self.entrants, seats, label)
        check_table(self.teams, seats, label)

    def first_like(self, seats: int, block: int) -> int:
        """All blocks have the same tables."""
        return 0

    def count(self, seats: int, block: int) -> int:
        """The number of sets with this many entrants."""
        return len(self._sets(seats))

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The sets, in the order of `itertools.combinations`."""
        return self._sets(seats)

    def _sets(self, seats: int) -> TableSubsets | TeamSubsets:
        if len(set(self.teams)) == self.entrants:
            return TableSubsets(range(self.entrants), seats)
        return TeamSubsets(self.teams, seats)
