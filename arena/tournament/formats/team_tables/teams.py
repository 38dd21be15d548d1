"""Teams: entrants who never sit at one table, such as several bots of one author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.errors import UserError

Teams = tuple[int, ...]
"""The team's number of each entrant, by its index; an entrant without a team has a number of its own."""


def teams_of(named: Sequence[str]) -> Teams:
    """The teams of entrants, from the name of each one's team; "" means no team."""
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(name or f"/{index}", len(numbers)) for index, name in enumerate(named))


def no_teams(entrants: int) -> Teams:
    """Every entrant in a team of its own."""
    return tuple(range(entrants))


def teams_apart(teams: Teams, table: Iterable[int]) -> bool:
    """Whether no two entrants of this table are of one team."""
    found = [teams[entrant] for entrant in table]
    return len(set(found)) == len(found)


def members_of(teams: Teams) -> Mapping[int, tuple[int, ...]]:
    """The entrants of each team, in the order of its first member."""
    members: dict[int, tuple[int, ...]] = {}
    for entrant, team in enumerate(teams):
        members[team] = (*members.get(team, ()), entrant)
    return members


def largest_team(teams: Teams) -> int:
    """The number of entrants in the largest team; 1 without teams."""
    return max(map(len, members_of(teams).values()), default=0)


def check_table(teams: Teams, seats: int, label: str) -> None:
    """Raise UserError if there are fewer teams than seats at a table; an entrant without a team counts as one."""
    if (count := len(set(teams))) < seats:
        raise UserError(
            f"expected {seats} teams or more (an entrant without a team counts as one), one for each seat in "
            f"{label}, because members of a team never meet; got {count}"
        )


def check_teams(teams: Teams, seats: int, label: str) -> None:
    """Raise UserError if a team is too large for its members to sit equally often without meeting: to seat each of them
    once, a team of n needs n tables."""
    check_table(teams, seats, label)
    if (most := largest_team(teams)) * seats > len(teams):
        raise UserError(
            f"expected {most * seats} entrants or more, so that a team of {most} can sit at {most} tables of {seats} "
            f"in {label} at a time, got {len(teams)}: make the team smaller, enter {most * seats - len(teams)} more, "
            "or lower the number of seats"
        )
