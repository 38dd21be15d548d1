"""The measures of the standings, as one list, which the tally, JSON, CSV, tables and the results page use.

To add a measure, add its entry to `MEASURES` and its line to the table in ``arena docs results``; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache

import msgspec

from arena.penalties import SeatEnd
from arena.tournament.records.match_record import MatchRecord, SeatRecord

Number = int | Fraction


class SeatInMatch(msgspec.Struct, frozen=True, gc=False):
    """One seat of one match, as a measure sees it: its ``number`` from 0, and the ``ranks`` of all seats."""

    record: MatchRecord
    seat: SeatRecord
    number: int
    ranks: tuple[int, ...]


class MeasureUnit(StrEnum):
    """The unit of a measure."""

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


def no_step(seats: int) -> float:
    """0: the step of numbers that may differ by arbitrarily little."""
    return 0.0


def whole_step(seats: int) -> float:
    """1: the step of wins, losses and ranks."""
    return 1.0


def step_of_beaten(seats: int) -> float:
    """The step of the share of opponents beaten: one opponent more or less."""
    return 1 / (seats - 1)


@dataclass(frozen=True, slots=True)
class Measure:
    """One statistic of an entrant.

    ``name`` is its key in JSON and its column in CSV, ``meaning`` what the results page says. ``of`` gives the number
    of one seat in one match; these numbers are added up exactly. With an ``interval`` the measure is their mean over
    matches, with its 95 % interval clustered by block; without, it is their sum. A measure that is not ``across_games``
    has no value over several games. ``header`` names its column in tables ("" for none), which show ``decimals``
    digits.

    With ``same_seat`` the number of a match is not what ``of`` gives but how that compares: the share of all others in
    the same seat of the same deal for whom ``of`` gives less (:mod:`arena.tournament.measures.same_seat`). Such a
    measure has an interval. Seats do not have it, because its mean over all who held a seat is always 1/2.

    Standings are ordered by the measures with a ``place``, 1 first; ``place_across`` is the place in standings over
    several games. More is better, unless ``less_is_better``. ``parts`` splits a count into pairs of kind and number,
    which JSON has as ``NAME_by_kind`` and CSV in columns ``NAME.KIND``. Measures ``made`` for a tournament have a table
    of their own on terminals. ``step`` gives the least difference between two unequal numbers at tables of so many
    seats: 1 for what is won or lost; 0 if they may differ by little.
    """

    name: str
    meaning: str
    of: Callable[[SeatInMatch], Number]
    unit: MeasureUnit
    header: str = ""
    decimals: int = 0
    interval: bool = False
    same_seat: bool = False
    across_games: bool = True
    less_is_better: bool = False
    place: int = 0
    place_across: int = 0
    parts: Callable[[SeatInMatch], Iterable[tuple[str, int]]] | None = None
    made: bool = False
    step: Callable[[int], float] = no_step

    @property
    def by_seat(self) -> bool:
        """Whether seats have this measure, too."""
        return self.interval and not self.same_seat

    def has_value(self, games: Sequence[str]) -> bool:
        """Whether the measure has a value over these games together."""
        return self.across_games or len(games) < 2


@cache
def shared_wins(ranks: tuple[int, ...]) -> tuple[Number, ...]:
    """Each seat's share of the win: 1 for a single first rank; if n share it, 1/n each."""
    sharers = ranks.count(1)
    share = Fraction(1, sharers) if sharers > 1 else 1
    return tuple(share if rank == 1 else 0 for rank in ranks)


@cache
def beaten_shares(ranks: tuple[int, ...]) -> tuple[Number, ...]:
    """The share of its opponents that each seat beat, for the ``ranks`` of one match, both by seat; equal ranks count
    half. A seat that beat everybody has 1, one that beat nobody 0, and the mean over the table is 1/2 in every game and
    at every table size."""
    opponents = len(ranks) - 1
    return tuple(
        Fraction(2 * sum(own < other for other in ranks) + ranks.count(own) - 1, 2 * opponents) for own in ranks
    )


def wins_of(at: SeatInMatch) -> Number:
    """The seat's share of the win."""
    return shared_wins(at.ranks)[at.number]


def rank_of(at: SeatInMatch) -> Number:
    """The seat's rank."""
    return at.seat.rank


def beaten_of(at: SeatInMatch) -> Number:
    """The share of its opponents that the seat beat."""
    return beaten_shares(at.ranks)[at.number]


def money_of(at: SeatInMatch) -> Number:
    """The seat's money."""
    return at.seat.money


def fault_total(at: SeatInMatch) -> Number:
    """The number of all faults of the seat."""
    return sum(at.seat.faults.values())


def kinds_of_faults(at: SeatInMatch) -> Iterable[tuple[str, int]]:
    """The seat's faults by kind."""
    return at.seat.faults.items()


def struck_out_of(at: SeatInMatch) -> Number:
    """Whether the seat was put out for its faults."""
    return at.seat.ended == SeatEnd.STRUCK_OUT


def forfeits_of(at: SeatInMatch) -> Number:
    """Whether the seat forfeited the match."""
    return at.seat.ended == SeatEnd.FORFEIT


MEASURES = (
    Measure("wins", "first ranks; 1/n each if n seats share one", wins_of, MeasureUnit.POINTS),
    Measure(
        name="win_rate",
        meaning="wins ÷ matches",
        of=wins_of,
        unit=MeasureUnit.SHARE,
        header="win rate",
        decimals=1,
        interval=True,
        place=1,
        place_across=2,
        step=whole_step,
    ),
    Measure(
        name="mean_rank",
        meaning="1 is best",
        of=rank_of,
        unit=MeasureUnit.RANK,
        header="mean rank",
        decimals=2,
        interval=True,
        less_is_better=True,
        place=2,
        place_across=3,
        step=whole_step,
    ),
    Measure(
        name="beaten",
        meaning="share of opponents beaten, equal ranks half",
        of=beaten_of,
        unit=MeasureUnit.SHARE,
        header="beaten",
        decimals=1,
        interval=True,
        place_across=1,
        step=step_of_beaten,
    ),
    Measure(
        name="mean_money",
        meaning="in the game's unit, see below",
        of=money_of,
        unit=MeasureUnit.MONEY,
        header="mean money",
        decimals=1,
        interval=True,
        across_games=False,
        place=3,
    ),
    Measure(
        name="matchpoints",
        meaning="share beaten in the same seat and deal",
        of=money_of,
        unit=MeasureUnit.SHARE,
        header="matchpoints",
        decimals=1,
        interval=True,
        same_seat=True,
    ),
    Measure(
        name="faults",
        meaning="all faults in matches that count",
        of=fault_total,
        unit=MeasureUnit.COUNT,
        header="faults",
        parts=kinds_of_faults,
    ),
    Measure(
        name="struck_out",
        meaning="matches in which the bot was put out",
        of=struck_out_of,
        unit=MeasureUnit.COUNT,
        header="out",
    ),
    Measure(
        name="forfeits",
        meaning="matches it forfeited",
        of=forfeits_of,
        unit=MeasureUnit.COUNT,
        header="forfeits",
    ),
)
"""All measures, in the order of columns and fields."""


def order_measures(measures: Sequence[Measure], games: Sequence[str]) -> tuple[Measure, ...]:
    """The measures by which standings of these games are ordered, the most important first."""
    across = len(games) > 1
    places = {each: each.place_across if across else each.place for each in measures if each.has_value(games)}
    return tuple(sorted((each for each, place in places.items() if place), key=places.__getitem__))
