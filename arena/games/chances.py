"""What chance could have brought instead: the random events of a match, each with all its possible outcomes.

With :attr:`arena.games.contract.Game.chances`, luck can be taken out of a game's results (:mod:`arena.luck`). The game
names *features*: numbers that a seat has at any moment, such as how many boss cards it holds. For each random event the
game gives the number of equally likely ways in which each outcome can come about, and what each outcome adds to the
features of which seats. A feature may be any number, even one without value for winning: the difference between what an
event adds to it and the expected value is zero on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Gain(NamedTuple):
    """The ``amount`` that an outcome adds to a feature, given by its number, of a seat."""

    seat: int
    feature: int
    amount: float


class ChanceEvent(NamedTuple):
    """A random event with its ``name``. For each outcome, ``ways`` has the number of equally likely ways in which it
    comes about, and ``gains`` what it adds to features; ``came`` is the index of the actual outcome.

    A game may split one event into several, such as a deal into a draw for each card; the distribution of each is then
    conditional on those before it. It may also report several features that the same event decides as separate events,
    each with its own distribution.
    """

    name: str
    ways: Sequence[int]
    gains: Sequence[Sequence[Gain]]
    came: int
