"""Which tables a ladder plays next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.ratings.scale import Scale


@dataclass(frozen=True, slots=True)
class Player:
    """A version that plays."""

    name: str
    team: str
    tables: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted."""

    newcomer_tables: int
    indifference: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """A table."""

    names: tuple[str, ...]
    why: str


def choose_tables(
    players: Sequence[Player],
    met: Mapping[tuple[str, str], int],
    scale: Scale | None,
    seats: int,
    count: int,
    wanted: Wanted,
    seed: str,
) -> list[Chosen]:
    """To come."""
    names = sorted(each.name for each in players)
    return [
        Chosen(tuple(names[(at + k) % len(names)] for k in range(seats)), "everybody plays on") for at in range(count)
    ]
