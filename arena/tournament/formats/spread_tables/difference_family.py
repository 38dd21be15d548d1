"""Sets of numbers modulo n whose differences are spread evenly: the building blocks of a round robin with few tables.

Shifting such sets by 0, 1, …, n-1 brings every two numbers together equally often (the method of differences of R. C.
Bose, Annals of Eugenics 9, 1939). :func:`translated_rounds` finds sets, and each round consists of all shifts of one
set. :func:`resolvable_rounds` finds whole rounds, and shifts each as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

from arena.tournament.formats.draws import Draws

FAMILY_STEPS = 40_000
"""The steps of one search, which take some tenths of a second."""
LONGER_UP_TO = 32
"""In larger fields no longer cycle is tried if the shortest is not even: cycles are long there."""
MOST_MULTIPLES = 3
TOLERATED_UNEVENNESS = (4, 8, 12)
"""The unevenness that the search accepts in order to get on, each value for :data:`FAMILY_STRETCH` steps in turn; found
by trial."""
FAMILY_STRETCH = 1_000

Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class DifferenceFamily:
    """Base ``rounds``, each of one or more sets of numbers 0…modulus-1. The number ``modulus`` itself stands for the
    fixed point, which no shift moves. ``even`` says whether every difference except 0 occurs equally often."""

    modulus: int
    rounds: tuple[Tables, ...]
    even: bool


@cache
def translated_rounds(v: int, k: int) -> DifferenceFamily:
    """Sets of k numbers modulo v, one for each round, where k < v have no common divisor. A round consists of all v
    shifts of its set, so every number occurs in it k times. The number of sets is the smallest that can be even, (v-1)
    / gcd(v-1, k(k-1)), or two or three times as large."""
    fewest = (v - 1) // gcd(v - 1, k * (k - 1))

    def find(multiple: int) -> DifferenceFamily:
        draws = Draws(f"translates/{v}/{k}/{multiple}")
        search = _Search(v, [_progression(v, k, step + 1) or draws.shuffle(v)[:k] for step in range(fewest * multiple)])
        even = search.run(lambda: search.replace(draws), lambda: True)
        return DifferenceFamily(v, tuple((table,) for table in search.best), even)

    return _first_even(v, find)


@cache
def resolvable_rounds(v: int, k: int) -> DifferenceFamily:
    """Rounds of v/g tables of k, whose members are the numbers modulo v-1 and the fixed point; g > 1 is the greatest
    common divisor of v and k < v. In each round every member occurs k/g times. All v-1 shifts of all rounds make up a
    cycle. There is one round, or there are two or three. (For k = 2 a round is a starter; for k = g = 4 it holds the
    tables of a whist tournament: I. Anderson, Combinatorial Designs and Tournaments, 1997.)"""
    tables = v // gcd(v, k)

    def find(multiple: int) -> DifferenceFamily:
        draws = Draws(f"resolvable/{v}/{k}/{multiple}")
        dealt = [each for _ in range(multiple) for each in _inward_start(v) * (tables * k // v)]
        search = _Search(v - 1, [dealt[start : start + k] for start in range(0, len(dealt), k)])
        even = search.run(lambda: search.swap(draws, tables), lambda: _has_distinct(search.tables, tables))
        return DifferenceFamily(v - 1, tuple(_split_rounds(search.best, tables)), even)

    return _first_even(v, find)


def _progression(v: int, k: int, step: int) -> list[int]:
    """0, step, 2·step, … modulo v if these are k different numbers, else an empty list. Together, the progressions of
    all steps up to (v-1)/2 are even if v is prime, or if k = 2: a good start."""
    found = [place * step % v for place in range(k)]
    return found if len(set(found)) == k else []


def _inward_start(v: int) -> list[int]:
    """The fixed point, 0, and then the other numbers in pairs from both ends inwards; for k = 2 this is even."""
    return [v - 1, 0, *(each for low in range(1, v // 2 + 1) for each in (low, v - 1 - low))][:v]


def _first_even(v: int, find: Callable[[int], DifferenceFamily]) -> DifferenceFamily:
    """The even family with the fewest rounds; if none is even, the family with the fewest rounds."""
    shortest = find(1)
    if shortest.even or v > LONGER_UP_TO:
        return shortest
    return next((family for family in map(find, range(2, MOST_MULTIPLES + 1)) if family.even), shortest)


def _split_rounds(tables: Tables, of_round: int) -> list[Tables]:
    return [tables[start : start + of_round] for start in range(0, len(tables), of_round)]


def _has_distinct(tables: Sequence[Sequence[int]], of_round: int) -> bool:
    """Whether no round contains a table twice; each round has ``of_round`` tables."""
    sets = [frozenset(table) for table in tables]
    return all(len({*sets[start : start + of_round]}) == of_round for start in range(0, len(sets), of_round))


class _Search:
    """Evens out the differences of ``tables``, sets modulo n, by single changes. A change stays if it makes them no
    more uneven than before, or no more than :data:`TOLERATED_UNEVENNESS` (threshold accepting: G. Dueck and T. Scheuer,
    Journal of Computational Physics 90, 1990). Unevenness is the sum of the squared deviations of the differences'
    counts from their mean. ``best`` are the most even tables so far."""

    def __init__(self, modulus: int, tables: list[list[int]]) -> None:
        self.modulus, self.tables = modulus, tables
        self.counts = [0] * modulus
        self.target = self.tolerated = 0
        for table in tables:
            for place, member in enumerate(table):
                self._count(table[:place], member, 1)
        self.target = sum(self.counts) // (modulus - 1)
        self.unevenness = sum((count - self.target) ** 2 for count in self.counts[1:])
        self.best: Tables = tuple(map(tuple, tables))

    def run(self, change: Callable[[], None], allowed: Callable[[], bool]) -> bool:
        """Make changes until the differences are even or :data:`FAMILY_STEPS` are done; return whether they are even.
        Updates ``best`` only while ``allowed`` returns True."""
        least: int | None = None
        for step in range(FAMILY_STEPS):
            self.tolerated = TOLERATED_UNEVENNESS[step // FAMILY_STRETCH % len(TOLERATED_UNEVENNESS)]
            if (least is None or self.unevenness < least) and allowed():
                least, self.best = self.unevenness, tuple(map(tuple, self.tables))
            if least == 0:
                return True
            change()
        return False

    def replace(self, draws: Draws) -> None:
        """Try to replace a member of a set by another number."""
        table, new = self.tables[draws.draw_below(len(self.tables))], draws.draw_below(self.modulus)
        place = draws.draw_below(len(table))
        if new in table:
            return
        old, unevenness, counts = table[place], self.unevenness, self.counts[:]
        self._put(table, place, new)
        if self.unevenness > max(unevenness, self.tolerated):
            table[place] = old
            self.unevenness, self.counts = unevenness, counts

    def swap(self, draws: Draws, of_round: int) -> None:
        """Try to swap two members of different tables in a round of ``of_round`` tables."""
        first = draws.draw_below(len(self.tables))
        one, other = self.tables[first], self.tables[first - first % of_round + draws.draw_below(of_round)]
        here, there = draws.draw_below(len(one)), draws.draw_below(len(other))
        mine, yours = one[here], other[there]
        if yours in one or mine in other:
            return
        unevenness, counts = self.unevenness, self.counts[:]
        self._put(one, here, yours)
        self._put(other, there, mine)
        if self.unevenness > max(unevenness, self.tolerated):
            one[here], other[there] = mine, yours
            self.unevenness, self.counts = unevenness, counts

    def _put(self, table: list[int], place: int, member: int) -> None:
        others = table[:place] + table[place + 1 :]
        self.unevenness += self._count(others, table[place], -1) + self._count(others, member, 1)
        table[place] = member

    def _count(self, others: Sequence[int], member: int, sign: int) -> int:
        """Add ``sign`` (1 or -1) to the counts of a member's differences to ``others``; return by how much
        the unevenness changes."""
        modulus, counts = self.modulus, self.counts
        if member == modulus:
            return 0
        before = differences = 0
        for other in others:
            if other != modulus:
                difference = member - other  # as an index, a negative one means the same modulo ``modulus``
                one = counts[difference]
                counts[difference] = one + sign
                two = counts[-difference]  # the same entry where the difference is half of the modulus
                counts[-difference] = two + sign
                before += one + two
                differences += 2
        return 2 * sign * (before - differences * self.target) + differences
