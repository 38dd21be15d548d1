"""The round robin that spreads its tables over deals: a block is one round of few tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb, gcd

from arena.errors import UserError
from arena.tournament.formats.draws import Draws
from arena.tournament.formats.format import Format
from arena.tournament.formats.spread_tables.difference_family import resolvable_rounds, translated_rounds
from arena.tournament.formats.team_tables.team_rounds import Round, team_rounds
from arena.tournament.formats.team_tables.teams import Teams, check_teams, members_of, no_teams
from arena.tournament.records.earlier_results import EarlierResults

SMALL_FIELD = 5_000
"""Up to this many possible tables, later cycles are chosen so that the tables played least so far come next."""
CHOSEN_CYCLES = 24
"""The number of cycles chosen in this way; after them they repeat."""
NAME_CANDIDATES = 32
ROUNDS_KEPT = 1_024


class SpreadFormat(Format):
    """Every block plays a *round*: the fewest tables in which every entrant sits equally often. For v entrants at
    tables of k these are v/g tables, with every entrant at k/g of them, where g is the greatest common divisor of v and
    k. Over a *cycle* of blocks every two entrants meet equally often, or nearly so in a large field for which the
    search finds no such rounds. Entrants of one team never meet."""

    def __init__(self, entrants: int, teams: Teams | None = None) -> None:
        """``teams`` has the team of each entrant; None means that there are no teams."""
        self.entrants = entrants
        self.teams = teams or no_teams(entrants)

    def check(self, seats: int, label: str) -> None:
        """Raise UserError for too few entrants, or too large a team."""
        check_entrants(self.entrants, seats, label)
        check_teams(self.teams, seats, label)

    def cycle(self, seats: int) -> int:
        """The number of rounds in a cycle."""
        return len(_first_cycle(self.teams, seats))

    def is_even(self, seats: int) -> bool:
        """Whether all entrants who may meet do so equally often over a cycle."""
        return _meet_equally(self.teams, seats)

    def count(self, seats: int, block: int) -> int:
        """The number of tables, the same in every block."""
        return self.entrants // gcd(self.entrants, seats)

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The tables, which follow from the block's number alone."""
        return _cached_round(self.teams, seats, block)


def check_entrants(entrants: int, seats: int, label: str) -> None:
    """Raise UserError for too few entrants."""
    if entrants < seats:
        raise UserError(
            f"expected {seats} entrants or more, one for each seat in {label}, got {entrants}: enter "
            f"{seats - entrants} more (a bot may enter again under another name) or lower the number of seats"
        )


@cache
def _first_cycle(teams: Teams, seats: int) -> tuple[Round, ...]:
    """The rounds of the first cycle."""
    entrants = len(teams)
    if entrants == seats:
        return ((tuple(range(seats)),),)
    if len(set(teams)) < entrants:
        return team_rounds(teams, seats)
    if gcd(entrants, seats) == 1:
        family = translated_rounds(entrants, seats)
        return tuple(
            tuple(_shift_table(table, shift, family.modulus) for shift in range(family.modulus))
            for (table,) in family.rounds
        )
    family = resolvable_rounds(entrants, seats)
    return tuple(
        tuple(_shift_table(table, shift, family.modulus) for table in base)
        for base in family.rounds
        for shift in range(family.modulus)
    )


@cache
def _meet_equally(teams: Teams, seats: int) -> bool:
    """Whether every two entrants of different teams share equally many tables of the first cycle."""
    met = Counter(
        pair for tables in _first_cycle(teams, seats) for table in tables for pair in combinations(sorted(table), 2)
    )
    often = {met[pair] for pair in combinations(range(len(teams)), 2) if teams[pair[0]] != teams[pair[1]]}
    return len(often) < 2


def _shift_table(table: tuple[int, ...], shift: int, modulus: int) -> tuple[int, ...]:
    return tuple(each if each == modulus else (each + shift) % modulus for each in table)


@lru_cache(maxsize=ROUNDS_KEPT)
def _cached_round(teams: Teams, seats: int, block: int) -> Round:
    first = _first_cycle(teams, seats)
    cycle, place = divmod(block, len(first))
    return _rename_tables(first[place], _cycle_names(teams, seats, cycle))


def _rename_tables(tables: Round, names: Sequence[int]) -> Round:
    return tuple(tuple(sorted(names[each] for each in table)) for table in tables)


def _cycle_names(teams: Teams, seats: int, cycle: int) -> tuple[int, ...]:
    """The entrants of this cycle, in the places of entrants 0, 1, … of the first cycle; so its tables are different."""
    if comb(len(teams), seats) > SMALL_FIELD:
        return tuple(_drawn_names(teams, f"{cycle}"))
    return _chosen_names(teams, seats, cycle % CHOSEN_CYCLES)[0]


@cache
def _chosen_names(teams: Teams, seats: int, cycle: int) -> tuple[tuple[int, ...], Counter[tuple[int, ...]]]:
    """The entrants for this cycle (:func:`_cycle_names`), and how often each table has been played by its end. Of some
    drawn candidates it takes the one that repeats the fewest tables."""
    first = [table for tables in _first_cycle(teams, seats) for table in tables]
    if not cycle:
        names = tuple(range(len(teams)))
        return names, Counter(_rename_tables(tuple(first), names))
    before = _chosen_names(teams, seats, cycle - 1)[1]
    drawn = [tuple(_drawn_names(teams, f"{cycle}/{candidate}")) for candidate in range(NAME_CANDIDATES)]
    played = [_rename_tables(tuple(first), names) for names in drawn]
    best = min(range(NAME_CANDIDATES), key=lambda each: sum(before[table] for table in played[each]))
    return drawn[best], before + Counter(played[best])


def _drawn_names(teams: Teams, name: str) -> list[int]:
    """The entrants in a pseudo-random order in which every team takes the place of a team of its size."""
    draws = Draws(f"spread/{name}")
    members = list(members_of(teams).values())
    found = list(range(len(teams)))
    for size in sorted({len(each) for each in members}):
        alike = [each for each in members if len(each) == size]
        for team, other in zip(alike, draws.shuffle(len(alike)), strict=True):
            for place, member in zip(draws.shuffle(size), alike[other], strict=True):
                found[team[place]] = member
    return found
