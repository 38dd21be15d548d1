"""The format in which every table has one challenger and, in all other seats, opponents from a field."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import comb, gcd

from arena.errors import UserError
from arena.tournament.formats.format import Format
from arena.tournament.formats.table_subsets import TableSubsets
from arena.tournament.formats.team_tables.team_rounds import dealt_apart
from arena.tournament.formats.team_tables.teams import Teams, check_teams, no_teams, teams_apart
from arena.tournament.records.earlier_results import EarlierResults

MOST_TABLES = 10
"""If there are more sets of opponents than this, a block plays only some of them."""


class GauntletFormat(Format):
    """Every table has one challenger, and opponents from the field in all other seats. All challengers meet the same
    sets of opponents in a block, so that they can be compared.

    Where the field has at most :data:`MOST_TABLES` sets of opponents, every block plays all of them. Where it has more,
    every block plays the fewest sets in which every opponent plays equally often, and different blocks play different
    sets: the field is put into an order that follows from the block's number alone, and dealt out to the sets in turn,
    again and again, until the last set ends with the last member of the field.
    """

    def __init__(self, entrants: int, challengers: Sequence[int], teams: Teams | None = None) -> None:
        """``challengers`` are the indices of one or more entrants; all others are the field. ``teams`` has the team of
        each entrant; None means that there are no teams."""
        self.challengers = tuple(challengers)
        self.field = tuple(each for each in range(entrants) if each not in set(challengers))
        self.teams = teams or no_teams(entrants)

    def check(self, seats: int, label: str) -> None:
        """Raise UserError if the field is too small, or if team-mates cannot be kept apart."""
        if len(self.field) < seats - 1:
            raise UserError(
                f"expected {seats - 1} opponents or more of a challenger, one for each other seat in {label}, got "
                f"{len(self.field)}: enter {seats - 1 - len(self.field)} more (a bot may enter again under another "
                "name) or lower the number of seats"
            )
        for challenger in self.challengers:
            others = [each for each in self.field if self.teams[each] != self.teams[challenger]]
            if (teams := len({self.teams[each] for each in others})) < seats - 1:
                raise UserError(
                    f"expected opponents of {seats - 1} teams or more (an entrant without a team counts as one) for "
                    f"every challenger, one for each other seat in {label}, got {teams}, because members of a team "
                    f"never meet"
                )
        if not self._plays_all(seats - 1):
            check_teams(tuple(self.teams[each] for each in self.field), seats - 1, label)

    def count(self, seats: int, block: int) -> int:
        """One table for each challenger and set of opponents, except sets with one of its team-mates."""
        return len(self._tables(seats - 1, block))

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """All tables of the first challenger, then of the next, and so on; each table begins with its challenger."""
        return self._tables(seats - 1, block)

    def _tables(self, size: int, block: int) -> list[tuple[int, ...]]:
        sets = self._all(size) if self._plays_all(size) else self._some(size, block)
        tables = [(challenger, *opponents) for challenger in self.challengers for opponents in sets]
        return [table for table in tables if teams_apart(self.teams, table)]

    def _plays_all(self, size: int) -> bool:
        return comb(len(self.field), size) <= MOST_TABLES

    def _all(self, size: int) -> Sequence[tuple[int, ...]]:
        return TableSubsets(self.field, size)

    def _some(self, size: int, block: int) -> Sequence[tuple[int, ...]]:
        order = sorted(self.field, key=lambda each: sha256(f"{block}/{each}".encode()).digest())
        tables = len(order) // gcd(len(order), size)
        if len({self.teams[each] for each in order}) < len(order):
            together = sorted(order, key=lambda each: [self.teams[other] for other in order].index(self.teams[each]))
            return [tuple(sorted(table)) for table in dealt_apart(together, tables, size * tables // len(order))]
        places = (range(first * size, (first + 1) * size) for first in range(tables))
        return [tuple(sorted(order[place % len(order)] for place in each)) for each in places]
