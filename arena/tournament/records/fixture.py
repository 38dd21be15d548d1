"""One match of a schedule: its place, edition, block, seats and id."""

from __future__ import annotations

import msgspec


class Fixture(msgspec.Struct, frozen=True, gc=False):
    """One match to be played.

    ``id`` is unique in its schedule and a relative path, ``LABEL/bBLOCK/ENTRANTS``; it does not depend on how
    many blocks or entrants there are. ``edition`` is an index into the schedule's editions; ``entrants``
    are indices of entrants in seat order. ``block`` is numbered from the schedule's ``first_block``.
    """

    index: int
    id: str
    edition: int
    block: int
    entrants: tuple[int, ...]
