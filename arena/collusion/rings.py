"""Three entrants that all give each other: together they change what is usual, so that none of their pairs stands out.

So if no pair stands out by itself, this module looks for the three without whom the others fit the additive model best
in the direction of gifts: those whose six cells together lie farthest above the model estimated without them.
"""

from __future__ import annotations

from itertools import combinations

import numpy

from arena.collusion.additive import FLAT_SPREAD, SINGULAR_DETERMINANT, Additive
from arena.collusion.arrays import Numbers, Places

MOST_ENTRANTS = 24
"""The most entrants among whom rings are looked for: among more, three are too few to change what is usual."""


def clearest_ring(model: Additive, values: Numbers) -> tuple[int, ...]:
    """The indices of the six cells of the three entrants who together give each other most clearly. Empty if there are
    too many entrants, or no three of whom all met and without whom the others can be judged."""
    rings = _ring_cells(model)
    if not len(rings) or model.freedom <= rings.shape[1]:
        return ()
    left = values - model.fitted_values(values)
    own = left[rings]
    block = model.residual_diagonals(rings)
    judged = numpy.linalg.det(block) > SINGULAR_DETERMINANT
    if not judged.any():
        return ()
    rings, own, weights = rings[judged], own[judged], numpy.linalg.inv(block[judged])
    gifts = (weights @ own[:, :, None])[:, :, 0]
    rest = numpy.maximum((left * left).sum() - (own * gifts).sum(1), 0.0) / (model.freedom - rings.shape[1])
    errors = numpy.sqrt(rest * weights.sum((1, 2)))
    clear = numpy.divide(gifts.sum(1), errors, out=numpy.zeros(len(rings)), where=errors > FLAT_SPREAD)
    return tuple(rings[int(clear.round(9).argmax())].tolist())


def _ring_cells(model: Additive) -> Places:
    """For each three entrants who all met, the indices of their six cells (rings × 6)."""
    count = len(model.entrants)
    if count > MOST_ENTRANTS:
        return numpy.zeros((0, 6), dtype=numpy.int64)
    places: Places = numpy.full((count, count), -1)
    places[model.givers, model.receivers] = numpy.arange(len(model.givers))
    one, two, three = numpy.array(list(combinations(range(count), 3)), dtype=numpy.int64).reshape(-1, 3).T
    ways = ((one, two), (two, one), (one, three), (three, one), (two, three), (three, two))
    found = numpy.stack([places[way] for way in ways], 1)
    return found[(found >= 0).all(1)]
