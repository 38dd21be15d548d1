"""What chance could have brought instead: the random events of a match, each with all its outcomes.

A game that defines :attr:`arena.games.contract.Game.chances` can have luck taken out of its results
(:mod:`arena.luck`). It names *features*: numbers that a seat has at any moment, such as how many boss cards it holds.
For each random event it says in how many equally likely ways every outcome could have come about, and what each
outcome adds to the features of which seats. A feature need not be right, or worth anything: whatever it counts, what
an event brought above its expected value is zero on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Gain(NamedTuple):
    """What an outcome adds to a feature (its number) of a seat."""

    seat: int
    feature: int
    amount: float


class ChanceEvent(NamedTuple):
    """A random event: its ``name``; by outcome the ``ways`` in which it could come about, all equally likely, and the
    ``gains`` it brings; and the number of the outcome that ``came``.

    One event of the game may be told as several of these, such as a card game's deal as a draw for each card: each is
    then under the condition of those before it. Features that one and the same event decides together may also be told
    apart, each by its own distribution.
    """

    name: str
    ways: Sequence[int]
    gains: Sequence[Sequence[Gain]]
    came: int
