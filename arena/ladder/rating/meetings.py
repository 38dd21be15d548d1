"""How often each entrant of some matches sat at a table, and how often each two shared one."""

from __future__ import annotations

from itertools import combinations

import numpy

from arena.ratings.order_columns import Numbers, RatingMatches, RatingTables, in_sequence

Pair = tuple[str, str]
"""Two entrants, in the order of their names."""


def met_and_tables(matches: RatingMatches) -> tuple[dict[Pair, int], dict[str, int]]:
    """Return at how many tables each pair of entrants sat together (names in order), and at how many each entrant sat;
    those that never did are missing. A table is a block with its entrants: its matches count as one, whatever the
    seats."""
    size = len(matches.names)
    pairs = [numpy.zeros(0, dtype=numpy.int64)]
    singles = [numpy.zeros(0, dtype=numpy.int64)]
    for tables in matches.tables:
        sat = _distinct_tables(tables)
        singles += list(sat.T)
        pairs += [sat[:, one] * size + sat[:, two] for one, two in combinations(range(tables.players), 2)]
    names = matches.names
    each, counts = numpy.unique(numpy.concatenate(singles), return_counts=True)
    taken = {names[at]: count for at, count in zip(each.tolist(), counts.tolist(), strict=True)}
    each, counts = numpy.unique(numpy.concatenate(pairs), return_counts=True)
    met = {
        (names[at // size], names[at % size]): count for at, count in zip(each.tolist(), counts.tolist(), strict=True)
    }
    return met, taken


def _distinct_tables(tables: RatingTables) -> Numbers:
    """Return the distinct tables, a row each, with the numbers of their entrants in ascending order."""
    sat = numpy.sort(tables.entrants, axis=1).astype(numpy.int64)
    keys = [*sat.T, tables.block]
    order = in_sequence(keys)
    new = numpy.zeros(len(order), dtype=bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[order[1:]] != key[order[:-1]]
    return sat[order[new]]
