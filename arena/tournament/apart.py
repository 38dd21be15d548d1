"""Tables changed as little as possible, so that those who should not sit together do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Weight = Callable[[int, int], int]
"""How bad it is that two entrants share a table: 0 where it is not."""


def kept_apart(tables: Sequence[Sequence[int]], weight: Weight) -> list[tuple[int, ...]]:
    """The tables after swaps of two entrants each: of those swaps that make the sum of all weights smaller, always one
    of the nearest tables, until there is none. The sum need not be the smallest there is."""
    found = [list(table) for table in tables]
    while swap := _nearest(found, weight):
        (table, place), (other, there) = swap
        found[table][place], found[other][there] = found[other][there], found[table][place]
    return [tuple(table) for table in found]


def _nearest(tables: Sequence[Sequence[int]], weight: Weight) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Two places, each a table and a number there, whose entrants swap."""
    burdened = [
        (table, place)
        for table, sitting in enumerate(tables)
        for place, entrant in enumerate(sitting)
        if _burden(entrant, sitting, entrant, weight)
    ]
    for distance in range(1, len(tables)):
        for table, place in burdened:
            for other in (table + distance, table - distance):
                if 0 <= other < len(tables) and (there := _better(tables, table, place, other, weight)) is not None:
                    return (table, place), (other, there)
    return None


def _better(tables: Sequence[Sequence[int]], table: int, place: int, other: int, weight: Weight) -> int | None:
    """The place at the ``other`` table whose entrant is to swap with this one; None where nobody's swap helps."""
    here, there, mover = tables[table], tables[other], tables[table][place]
    burden = _burden(mover, here, mover, weight)
    for number, candidate in enumerate(there):
        before = burden + _burden(candidate, there, candidate, weight)
        if before > _burden(mover, there, candidate, weight) + _burden(candidate, here, mover, weight):
            return number
    return None


def _burden(entrant: int, table: Sequence[int], without: int, weight: Weight) -> int:
    """What it weighs that an entrant sits with all others of a table but one."""
    return sum(weight(entrant, each) for each in table if each not in (without, entrant))
