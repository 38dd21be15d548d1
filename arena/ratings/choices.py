"""Orders of finish as choices: who comes first of all, who of the rest, and so on.

Each choice has the seats that are still there, those that were chosen first. Seats of different circles
(:mod:`arena.ratings.connected`) say nothing about each other's worth, so each circle has an order of its own. A choice
of one seat that is alone says nothing, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from arena.ratings.columns import Matches, Numbers, Tables


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices of ``tied`` seats, which share a rank, out of ``size``, a row each, sorted by block. ``worths`` are the
    numbers of the parameters that are added up to the log-worth of each seat, the chosen seats first: an entrant and,
    where there are effects of seats, a place at the table."""

    size: int
    tied: int
    worths: tuple[Numbers, ...]
    block: Numbers


def choices_of(matches: Matches, circle: Numbers, seats: Sequence[int | None], nothing: int) -> list[Choices]:
    """All choices of these matches. ``circle`` gives each entrant's; ``seats`` gives for each group the number of the
    parameter of its seat 0, the others following, or None where its seats have no effect: they get the number
    ``nothing``."""
    found: dict[tuple[int, int], list[Choices]] = {}
    with_seats = any(first is not None for first in seats)
    for tables in matches.tables:
        offsets = None
        if with_seats:
            rows = [
                numpy.full(tables.players, nothing) if first is None else first + numpy.arange(tables.players)
                for first in seats
            ]
            offsets = numpy.array(rows)
        for each in _choices(tables, circle, offsets):
            found.setdefault((each.size, each.tied), []).append(each)
    return [_joined(found[key]) for key in sorted(found)]


def _choices(tables: Tables, circle: Numbers, seats: Numbers | None) -> Iterator[Choices]:
    """The choices of tables of one size. Tables whose ranks and circles break at the same places are taken together."""
    circles = circle[tables.entrants]
    order = numpy.lexsort((tables.ranks, circles), axis=1)
    entrants, ranks, circles = (
        numpy.take_along_axis(column, order, axis=1) for column in (tables.entrants, tables.ranks, circles)
    )
    places = order if seats is None else seats[tables.group[:, None], order]
    new_circle = circles[:, 1:] != circles[:, :-1]
    new_rank = new_circle | (ranks[:, 1:] != ranks[:, :-1])
    bits = 1 << numpy.arange(tables.players - 1)
    patterns = (new_circle @ bits) << tables.players | new_rank @ bits
    for pattern in numpy.unique(patterns).tolist():
        rows = numpy.flatnonzero(patterns == pattern)
        for first, tied, end in _runs(pattern >> tables.players, pattern, tables.players):
            worths = [entrants[rows, first:end]]
            if seats is not None:
                worths.append(places[rows, first:end])
            yield Choices(end - first, tied, tuple(worths), tables.block[rows])


def _runs(circles: int, ranks: int, players: int) -> Iterator[tuple[int, int, int]]:
    """The choices of an order that breaks where these bits are set: the first place, how many share it, and where the
    circle ends."""
    circle_ends = [at + 1 for at in range(players - 1) if circles >> at & 1] + [players]
    rank_ends = [at + 1 for at in range(players - 1) if ranks >> at & 1] + [players]
    first = 0
    for rank_end in rank_ends:
        end = min(each for each in circle_ends if each > first)
        if end - first > 1:
            yield first, rank_end - first, end
        first = rank_end


def _joined(parts: Sequence[Choices]) -> Choices:
    """All rows of these, which are of one size and as many are tied, by block."""
    block = numpy.concatenate([each.block for each in parts])
    order = numpy.argsort(block, kind="stable")
    columns = zip(*(each.worths for each in parts), strict=True)
    worths = tuple(numpy.concatenate(column)[order].astype(numpy.int32) for column in columns)
    return Choices(parts[0].size, parts[0].tied, worths, block[order])
