"""Teams: entrants who never sit at one table, such as several bots of one author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.errors import UserError

Teams = tuple[int, ...]
"""The team of each entrant by its index, as a number; whoever is alone has a number of its own."""


def teams_of(named: Sequence[str]) -> Teams:
    """The teams of entrants, by the name of each one's team; "" is none."""
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(name or f"/{index}", len(numbers)) for index, name in enumerate(named))


def no_teams(entrants: int) -> Teams:
    """Everybody alone."""
    return tuple(range(entrants))


def apart(teams: Teams, table: Iterable[int]) -> bool:
    """Whether no two entrants of this table are of one team."""
    found = [teams[entrant] for entrant in table]
    return len(set(found)) == len(found)


def members_of(teams: Teams) -> Mapping[int, tuple[int, ...]]:
    """The entrants of each team, in the order of its first member."""
    members: dict[int, tuple[int, ...]] = {}
    for entrant, team in enumerate(teams):
        members[team] = (*members.get(team, ()), entrant)
    return members


def largest(teams: Teams) -> int:
    """How many entrants the largest team has; 1 where there are none."""
    return max(map(len, members_of(teams).values()), default=0)


def check_teams(teams: Teams, seats: int, label: str) -> None:
    """Raise UserError where a table cannot be filled with entrants of different teams, or where not all members of a
    team can play equally often: a team of n needs n tables at a time, and so n times as many entrants as a table has
    seats."""
    count, most = len(members_of(teams)), largest(teams)
    if count < seats:
        raise UserError(
            f"expected {seats} teams or more (whoever is alone counts as one), one for each seat in {label}, got {count}"
        )
    if most * seats > len(teams):
        raise UserError(
            f"a team of {most} needs {most} tables of {seats} in {label} to play equally often without meeting, "
            f"{most * seats} entrants, got {len(teams)}: make teams smaller, enter {most * seats - len(teams)} more, or "
            "lower the number of seats"
        )
