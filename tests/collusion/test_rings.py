"""Three that all give each other are found together, where each of their pairs hides the others."""

from __future__ import annotations

import numpy

from arena.collusion.additive import Additive
from arena.collusion.rings import MOST_ENTRANTS, clearest_ring

RING = (1, 4, 6)


def cells_of(entrants: int) -> list[tuple[int, int]]:
    return [(one, two) for one in range(entrants) for two in range(entrants) if one != two]


def ring_of(cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    noise = numpy.random.Generator(numpy.random.PCG64(3)).normal(0, 1, len(cells))
    means = noise + [9.0 * (one in RING and two in RING) + one for one, two in cells]
    return [cells[place] for place in clearest_ring(Additive(cells), means)]


def test_the_ring_is_found_by_pairs_each_with_both_ways() -> None:
    assert ring_of(cells_of(8)) == [(1, 4), (4, 1), (1, 6), (6, 1), (4, 6), (6, 4)]


def test_three_of_whom_two_never_met_are_no_ring() -> None:
    found = ring_of([cell for cell in cells_of(8) if set(cell) != {1, 4}])
    assert len(found) == 6
    assert {1, 4} - {entrant for cell in found for entrant in cell}


def test_among_few_or_very_many_no_ring_is_looked_for() -> None:
    assert ring_of(cells_of(4)) == []
    assert ring_of(cells_of(MOST_ENTRANTS + 1)) == []
