"""What standings measure: one list. The tally, JSON, CSV, tables and the results page go through it.

To add a measure is to add its entry to `MEASURES`, and its line to the table in ``arena docs results``, which a test
compares with the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from arena.penalties import SeatEnd
from arena.tournament.records import MatchRecord, SeatRecord

Number = int | Fraction


class SeatInMatch(NamedTuple):
    """One seat of one match, as a measure looks at it: its ``number`` from 0, and the ``ranks`` of all seats."""

    record: MatchRecord
    seat: SeatRecord
    number: int
    ranks: tuple[int, ...]


class Unit(StrEnum):
    """What a measure counts in."""

    SHARE = "share"
    """A number in 0…1; tables show it in percent."""

    POINTS = "points"
    """A count that may hold fractions, such as shared wins."""

    COUNT = "count"
    """A whole number."""

    RANK = "rank"
    """1 is best."""

    MONEY = "money"
    """In the unit of the game."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One statistic of an entrant.

    ``name`` is its key in JSON and its column in CSV, ``meaning`` what the results page says. ``of`` gives the number
    of one seat in one match; these are added up exactly. With an ``interval`` the measure is their mean over matches,
    with its 95 % interval clustered by block; without, it is their sum. One that does not go ``across_games`` is not
    known over several games. ``header`` names its column in tables ("" for none), which show ``decimals`` digits.

    Standings are ordered by the measures that have a ``place`` there, 1 first; ``place_across`` is the place over
    several games. More is better, unless ``less_is_better``. ``parts`` splits a count into pairs of kind and number,
    which JSON has as ``NAME_by_kind`` and CSV in columns ``NAME.KIND``.
    """

    name: str
    meaning: str
    of: Callable[[SeatInMatch], Number]
    unit: Unit
    header: str = ""
    decimals: int = 0
    interval: bool = False
    across_games: bool = True
    less_is_better: bool = False
    place: int = 0
    place_across: int = 0
    parts: Callable[[SeatInMatch], Iterable[tuple[str, int]]] | None = None

    def known(self, games: Sequence[str]) -> bool:
        """Whether it can be told over these games together."""
        return self.across_games or len(games) < 2


@cache
def shared_wins(ranks: tuple[int, ...]) -> tuple[Number, ...]:
    """By seat, 1 for the only first rank; where n share it, 1/n each."""
    sharers = ranks.count(1)
    share = Fraction(1, sharers) if sharers > 1 else 1
    return tuple(share if rank == 1 else 0 for rank in ranks)


@cache
def matchpoints(ranks: tuple[int, ...]) -> tuple[Fraction, ...]:
    """What each seat gets for the ``ranks`` of one match, both by seat: the opponents it beat, those of equal rank
    counting half, as a share of all its opponents. So 1 is for beating everybody, 0 for nobody, and the mean over the
    table is 1/2 in every game and at every size of table."""
    opponents = len(ranks) - 1
    return tuple(
        Fraction(2 * sum(own < other for other in ranks) + ranks.count(own) - 1, 2 * opponents) for own in ranks
    )


def _wins(at: SeatInMatch) -> Number:
    return shared_wins(at.ranks)[at.number]


MEASURES = (
    Measure("wins", "first ranks; shared by n, 1/n each", _wins, Unit.POINTS),
    Measure(
        name="win_rate",
        meaning="wins ÷ matches",
        of=_wins,
        unit=Unit.SHARE,
        header="win rate",
        decimals=1,
        interval=True,
        place=1,
        place_across=2,
    ),
    Measure(
        name="mean_rank",
        meaning="1 is best",
        of=lambda at: at.seat.rank,
        unit=Unit.RANK,
        header="mean rank",
        decimals=2,
        interval=True,
        less_is_better=True,
        place=2,
        place_across=3,
    ),
    Measure(
        name="matchpoints",
        meaning="share of opponents beaten, see below",
        of=lambda at: matchpoints(at.ranks)[at.number],
        unit=Unit.SHARE,
        header="matchpoints",
        decimals=1,
        interval=True,
        place_across=1,
    ),
    Measure(
        name="mean_money",
        meaning="in the game's unit, see below",
        of=lambda at: at.seat.money,
        unit=Unit.MONEY,
        header="mean money",
        decimals=1,
        interval=True,
        across_games=False,
        place=3,
    ),
    Measure(
        name="faults",
        meaning="all faults in matches that count",
        of=lambda at: sum(at.seat.faults.values()),
        unit=Unit.COUNT,
        header="faults",
        parts=lambda at: at.seat.faults.items(),
    ),
    Measure(
        name="struck_out",
        meaning="matches in which the bot was put out",
        of=lambda at: at.seat.ended == SeatEnd.STRUCK_OUT,
        unit=Unit.COUNT,
        header="struck out",
    ),
    Measure(
        name="forfeits",
        meaning="matches it forfeited",
        of=lambda at: at.seat.ended == SeatEnd.FORFEIT,
        unit=Unit.COUNT,
        header="forfeits",
    ),
)
"""In the order of columns and fields."""


def ordering(measures: Sequence[Measure], games: Sequence[str]) -> tuple[Measure, ...]:
    """The measures that standings of these games go by, the first before all others."""
    across = len(games) > 1
    places = {each: each.place_across if across else each.place for each in measures if each.known(games)}
    return tuple(sorted((each for each, place in places.items() if place), key=places.__getitem__))
