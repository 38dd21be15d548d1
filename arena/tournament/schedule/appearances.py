"""How often a schedule has each entrant, each pair and each seat play, counted before any match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from arena.tournament.formats.team_tables.teams import Teams, no_teams
from arena.tournament.schedule.balance import cycle_of
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.schedule import Schedule

Key = TypeVar("Key")

MOST_COUNTED = 500_000
"""The most matches of a schedule that is counted; so many take some seconds."""


@dataclass(frozen=True, slots=True)
class CountRange:
    """The smallest and the largest of some counts."""

    least: int
    most: int

    @property
    def is_even(self) -> bool:
        """Whether all counts are equal."""
        return self.least == self.most

    def __str__(self) -> str:
        return f"{self.least}" if self.is_even else f"{self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class Appearances:
    """The ranges of how many matches each entrant plays, in how many each two entrants who may meet do, and how often
    each entrant sits in each seat (of the seats that all tables have). Also the numbers of deals, of ``blocks``, and of
    blocks in a ``cycle``."""

    entrants: CountRange
    pairs: CountRange
    seats: CountRange
    deals: int
    blocks: int
    cycle: int
    teams: bool = False
    mixed: bool = False

    def in_words(self) -> str:
        """All counts in a sentence."""
        who = "every entrant" if self.entrants.is_even else "entrants"
        pairs = "every pair" if self.pairs.is_even else "pairs"
        pairs += " of different teams" if self.teams else ""
        seats = "every entrant in every seat" if self.seats.is_even else "entrants in a seat"
        seats += " that all tables have" if self.mixed else ""
        times = "time" if self.seats.most == 1 else "times"
        deals, blocks = _count_text(self.deals, "deal"), _count_text(self.blocks, "block")
        cycle = "" if self.cycle in (1, self.blocks) else f" ({self.cycle} make up a cycle)"
        return (
            f"{who} in {self.entrants} matches, {pairs} in {self.pairs}, {seats} {self.seats} {times}; "
            f"{deals} in {blocks}{cycle}"
        )


def count_appearances(schedule: Schedule, deals: Deals, teams: Teams | None = None) -> Appearances | None:
    """Count a schedule; None where its tables follow from results, or it has more than :data:`MOST_COUNTED` matches.
    Each edition has its own rules for dealing, so its deals are counted separately, even if they have the same seed."""
    if schedule.looks_back or len(schedule) > MOST_COUNTED:
        return None
    played, met, sat = Counter[int](), Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    dealt = set[tuple[int, int, tuple[int, ...]]]()
    for fixture in schedule:
        table = tuple(sorted(fixture.entrants))
        played.update(table)
        met.update(combinations(table, 2))
        sat.update((entrant, seat) for seat, entrant in enumerate(fixture.entrants))
        if deals is not Deals.FRESH:
            dealt.add((fixture.edition, fixture.block, table if deals is Deals.TABLE else ()))
    who = range(schedule.entrants)
    kept_apart = teams or no_teams(schedule.entrants)
    pairs = [pair for pair in combinations(who, 2) if kept_apart[pair[0]] != kept_apart[pair[1]]]
    seats = range(min(edition.seats for edition in schedule.editions))
    return Appearances(
        entrants=_count_range(played, who),
        pairs=_count_range(met, pairs),
        seats=_count_range(sat, ((entrant, seat) for entrant in who for seat in seats)),
        deals=len(schedule) if deals is Deals.FRESH else len(dealt),
        blocks=schedule.blocks,
        cycle=cycle_of(schedule),
        teams=teams is not None,
        mixed=len({edition.seats for edition in schedule.editions}) > 1,
    )


def _count_text(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _count_range(counts: Mapping[Key, int], keys: Iterable[Key]) -> CountRange:
    found = [counts.get(key, 0) for key in keys]
    return CountRange(min(found, default=0), max(found, default=0))
