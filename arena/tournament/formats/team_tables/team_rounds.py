"""Rounds of tables at which no two entrants of a team meet, and all others about equally often."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, gcd

from arena.tournament.formats.draws import Draws
from arena.tournament.formats.team_tables.teams import Teams, members_of

TEAM_STEPS = 60_000
"""Steps of one search: about half a second."""
MOST_MULTIPLES = 3
TOLERATED_INEQUALITY = (0, 4, 8)
"""How far the unevenness may exceed the least possible so that the search gets on, each value for :data:`TEAM_STRETCH`
steps in turn."""
TEAM_STRETCH = 1_000

Round = tuple[tuple[int, ...], ...]


@cache
def team_rounds(teams: Teams, seats: int) -> tuple[Round, ...]:
    """The rounds of a cycle. Each round has the fewest tables with this many ``seats`` in which everybody sits equally
    often and no two of a team share a table; no team may be larger than the number of entrants ÷ ``seats``. Over the
    cycle, entrants of different teams meet as evenly as a search of fixed length achieves; exactly evenly if all teams
    have one size and the search succeeds."""
    often = seats // gcd(len(teams), seats)
    sizes = {len(each) for each in members_of(teams).values()}
    opponents = len(teams) - (sizes.pop() if len(sizes) == 1 else 1)
    fewest = opponents // gcd(opponents, often * (seats - 1))
    shortest = _Search(teams, seats, fewest)
    if shortest.run() or sizes:
        return shortest.best
    longer = (_Search(teams, seats, fewest * multiple) for multiple in range(2, MOST_MULTIPLES + 1))
    return next((search.best for search in longer if search.run()), shortest.best)


def dealt_apart(order: Sequence[int], tables: int, often: int) -> list[list[int]]:
    """Deal everybody in ``order`` out ``often`` times to this many ``tables``, one after the other. Neighbours in
    ``order`` get different tables as far as there are enough, so a team whose members are adjacent is separated."""
    dealt = [entrant for entrant in order for _ in range(often)]
    return [dealt[table::tables] for table in range(tables)]


class _Search:
    """Evens out how often pairs meet over all rounds, by swapping two entrants between tables of a round (threshold
    accepting, as in :mod:`arena.tournament.formats.spread_tables.difference_family`). ``best`` are the most even rounds
    so far; unevenness is the sum of the squares of the pairs' numbers of meetings."""

    def __init__(self, teams: Teams, seats: int, rounds: int) -> None:
        self.teams = teams
        self.draws = Draws(f"teams/{teams}/{seats}/{rounds}")
        shared = gcd(len(teams), seats)
        self.of_round = len(teams) // shared
        by_team = [entrant for members in members_of(teams).values() for entrant in members]
        self.tables = [table for _ in range(rounds) for table in dealt_apart(by_team, self.of_round, seats // shared)]
        self.met = [[0] * len(teams) for _ in teams]
        """How often every two have met, under either number first."""
        self.unevenness = 0
        for table in self.tables:
            for place, entrant in enumerate(table):
                self._meet(table[:place], entrant, 1)
        apart = comb(len(teams), 2) - sum(comb(len(each), 2) for each in members_of(teams).values())
        often, more = divmod(sum(map(sum, self.met)) // 2, apart)
        self.least = (apart - more) * often**2 + more * (often + 1) ** 2
        self.even = not more
        self.best = self._rounds()

    def run(self) -> bool:
        """Swap until the pairs meet as equally as their number allows, or the steps are done; return whether all meet
        equally often."""
        found: int | None = None
        for step in range(TEAM_STEPS):
            if (found is None or self.unevenness < found) and self._different():
                found, self.best = self.unevenness, self._rounds()
            if found == self.least:
                return self.even
            self._swap(TOLERATED_INEQUALITY[step // TEAM_STRETCH % len(TOLERATED_INEQUALITY)])
        return False

    def _swap(self, tolerated: int) -> None:
        first = self.draws.draw_below(len(self.tables))
        one = self.tables[first]
        other = self.tables[first - first % self.of_round + self.draws.draw_below(self.of_round)]
        here, there = self.draws.draw_below(len(one)), self.draws.draw_below(len(other))
        mine, yours = one[here], other[there]
        if not (self._fits(one, here, yours) and self._fits(other, there, mine)):
            return
        before = self.unevenness
        self._put(one, here, yours)
        self._put(other, there, mine)
        if self.unevenness > max(before, self.least + tolerated):
            self._put(one, here, mine)
            self._put(other, there, yours)

    def _fits(self, table: list[int], place: int, entrant: int) -> bool:
        teams, own = self.teams, table[place]
        if entrant == own:
            return False
        if teams[entrant] == teams[own]:
            return True  # all others of the table are of other teams than the one who leaves
        return all(teams[each] != teams[entrant] for each in table)

    def _put(self, table: list[int], place: int, entrant: int) -> None:
        others = table[:place] + table[place + 1 :]
        self._meet(others, table[place], -1)
        self._meet(others, entrant, 1)
        table[place] = entrant

    def _meet(self, others: Sequence[int], entrant: int, sign: int) -> None:
        met, before = self.met[entrant], 0
        for other in others:
            often = met[other]
            met[other] = self.met[other][entrant] = often + sign
            before += often
        self.unevenness += 2 * sign * before + len(others)

    def _different(self) -> bool:
        rounds = self._rounds()
        return all(len({frozenset(table) for table in each}) == len(each) for each in rounds)

    def _rounds(self) -> tuple[Round, ...]:
        starts = range(0, len(self.tables), self.of_round)
        return tuple(tuple(map(tuple, self.tables[start : start + self.of_round])) for start in starts)
