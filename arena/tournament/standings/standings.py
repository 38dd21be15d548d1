"""Standings computed from match records: each entrant's measures with intervals, and a crosstable.

Money is never added up over several games; shares of opponents beaten compare across games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import TYPE_CHECKING

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.measures.measures import MEASURES, Measure, MeasureUnit, Number, order_measures
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.schedule import ALL_EDITIONS

if TYPE_CHECKING:
    from arena.tournament.measures.design_cells import CellSums
    from arena.tournament.measures.tally import Tally

Value = Estimate | Number | None
"""The value of a measure: an estimate or a sum; None for a sum that has no value over several games."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One entrant: ``row["win_rate"]`` is the measure of that name. Shares are in 0…1, money is in the game's unit.

    ``values`` and ``parts`` are by the measures' names, in their order; parts are by kind, in the order of the kinds.
    """

    entrant: str
    matches: int
    values: Mapping[str, Value]
    parts: Mapping[str, Mapping[str, int]]

    def __getitem__(self, measure: str) -> Value:
        return self.values[measure]


@dataclass(frozen=True, slots=True)
class StandingsSeatRow:
    """One seat, whoever sat there: its measures with an interval, by name, as :class:`StandingsRow` has those of an
    entrant. ``even_share`` is the win rate it would have if no seat were better than another."""

    seat: int
    matches: int
    even_share: float
    values: Mapping[str, Estimate]

    def __getitem__(self, measure: str) -> Estimate:
        return self.values[measure]


@dataclass(frozen=True, slots=True)
class Pairing:
    """How ``entrant`` did in its matches with ``opponent``: ``score`` is the share of them in which it ranked better,
    an equal rank counting half; ``money_difference`` is the mean of its money less the opponent's. Both have intervals
    clustered by block. Without a common match both have no mean; over several games ``money_difference`` is None."""

    entrant: str
    opponent: str
    matches: int
    score: Estimate
    money_difference: Estimate | None


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings of one edition, of all editions of one game (``edition`` is then the game's name), or of all
    together (``all``).

    ``games`` are the names of the matches' games: one, several for ``all`` of a mixed tournament, none before the first
    match. ``matches`` does not count ``voids``; ``blocks`` counts blocks with at least one match that counts.
    ``even_share`` is the win rate of an entrant exactly as good as the others: 1/seats, averaged over all seats taken
    if tables differ, None before the first match. ``rows`` are ordered by the measures that have a place in the order,
    then by name; entrants without matches come last. ``seats`` has every seat that was taken, from 0, and
    ``crosstable`` every ordered pair, in the order of the rows. ``measures`` are those of the rows. ``design`` has, by
    name, the design factor of each measure with an interval (:mod:`arena.tournament.inference.design_factor`).
    """

    edition: str
    games: tuple[str, ...]
    matches: int
    voids: int
    blocks: int
    even_share: float | None
    rows: tuple[StandingsRow, ...]
    seats: tuple[StandingsSeatRow, ...]
    crosstable: tuple[Pairing, ...]
    measures: Sequence[Measure]
    design: Mapping[str, Estimate]


def fold_standings(
    records: Iterable[MatchRecord],
    names: Iterable[str] = (),
    editions: Iterable[str] = (),
    measures: Sequence[Measure] = MEASURES,
) -> tuple[Standings, ...]:
    """Standings of each edition; if there are several games, of each game that has several editions; and, if there are
    several editions, of all together as the last.

    Every name in ``names`` has a row, with or without matches, and so has every other entrant in the records.
    ``editions`` gives the order of the result and may include editions without records; any others follow by label.
    Over several editions, blocks with the same number are one cluster, because they share the deal's seed, if any.
    ``records`` is read once; memory grows with blocks, entrants and the pairs that meet in a block, by a few machine
    words each, and for matchpoints by some 50 bytes a match. Raises UserError for an edition of two games.
    """
    folding = StandingsFold(names, editions, measures)
    source = iter(records)
    while together := list(islice(source, folding.together)):
        folding.add(together)
    return folding.standings()


class StandingsFold:
    """Standings computed from records as they come in: see :func:`fold_standings`. If no measure is compared by seat
    and deal, standings are available at any time, and more records can be added afterwards."""

    def __init__(
        self, names: Iterable[str] = (), editions: Iterable[str] = (), measures: Sequence[Measure] = MEASURES
    ) -> None:
        from arena.tournament.measures.tally import TALLY_MATCHES, Numberings, Tally  # numpy is slow to load

        self.together, self._measures, self._names = TALLY_MATCHES, measures, set(names)
        self._numberings, self._make = Numberings(), Tally
        self._tallies = {edition: Tally(measures, self._numberings) for edition in editions}
        self._listed = len(self._tallies)

    def add(self, records: Sequence[MatchRecord]) -> None:
        """Count some records; ``together`` is the best number at a time. Raises UserError for an edition of two
        games."""
        for edition, own in _by_edition(records).items():
            if edition not in self._tallies:
                self._tallies[edition] = self._make(self._measures, self._numberings)
            self._tallies[edition].add(own)

    def standings(self, rows_alone: bool = False) -> tuple[Standings, ...]:
        """The standings of all records so far; with ``rows_alone`` without seats, crosstable and design, which take
        most of the time."""
        tallies = self._tallies
        labels = [*list(tallies)[: self._listed], *sorted(list(tallies)[self._listed :])]
        groups = {label: [tallies[label]] for label in labels}
        by_game: dict[str, list[Tally]] = {}
        for label in labels:
            for game in tallies[label].games:
                by_game.setdefault(game, []).append(tallies[label])
        if len(by_game) > 1:
            groups |= {game: group for game, group in by_game.items() if len(group) > 1}
        if len(labels) > 1:
            groups[ALL_EDITIONS] = [tallies[label] for label in labels]
        entrants = {*self._names, *self._numberings.entrants}
        return tuple(
            _make_standings(name, _merge_tallies(group), entrants, rows_alone) for name, group in groups.items()
        )


def _by_edition(records: Sequence[MatchRecord]) -> dict[str, list[MatchRecord]]:
    found: dict[str, list[MatchRecord]] = {}
    for record in records:
        found.setdefault(record.edition, []).append(record)
    return found


def _merge_tallies(tallies: list[Tally]) -> Tally:
    """Merge all tallies into one."""
    if len(tallies) == 1:
        return tallies[0]
    games = sorted({game for tally in tallies for game in tally.games})
    first = tallies[0]
    together = type(first)(first.measures, first.numberings, tuple(games))
    for tally in tallies:
        together.absorb(tally)
    return together


def _make_standings(edition: str, tally: Tally, entrants: set[str], rows_alone: bool) -> Standings:
    order = sorted(entrants, key=lambda entrant: _sort_key(entrant, tally))
    return Standings(
        edition=edition,
        games=tally.games,
        matches=tally.matches,
        voids=tally.voids,
        blocks=tally.blocks,
        even_share=tally.matches / tally.seats if tally.seats else None,
        rows=tuple(_standings_row(entrant, tally) for entrant in order),
        seats=() if rows_alone else tuple(_seat_row(seat, tally) for seat in tally.taken_seats()),
        crosstable=() if rows_alone else _crosstable(order, tally),
        measures=tally.measures,
        design={} if rows_alone else _design_worths(order, tally),
    )


def _design_worths(entrants: Iterable[str], tally: Tally) -> dict[str, Estimate]:
    """The design factor of each measure, by the measure's name."""
    from arena.tournament.inference.design_factor import by_block, design_factor  # numpy is slow to load

    names = sorted(entrants)
    return {
        measure.name: design_factor([by_block(tally.results(name, measure)) for name in names])
        for measure in tally.measures
        if measure.interval and measure.has_value(tally.games)
    }


def _sort_key(entrant: str, tally: Tally) -> tuple[bool, list[Fraction], str]:
    """The sort key of an entrant. It uses exact fractions because rounding could make two equal means differ."""
    matches = tally.of_entrant(entrant).match_count
    numbers = []
    for measure in order_measures(tally.measures, tally.games):
        number = Fraction(tally.total(entrant, measure))
        if measure.interval:
            number /= tally.results(entrant, measure).match_count or 1
        numbers.append(number if measure.less_is_better else -number)
    return not matches, numbers, entrant


def _standings_row(entrant: str, tally: Tally) -> StandingsRow:
    return StandingsRow(
        entrant=entrant,
        matches=tally.of_entrant(entrant).match_count,
        values={measure.name: _measure_value(measure, entrant, tally) for measure in tally.measures},
        parts={
            measure.name: dict(sorted(tally.parts.get((entrant, measure.name), {}).items()))
            for measure in tally.measures
            if measure.parts is not None
        },
    )


def _measure_value(measure: Measure, entrant: str, tally: Tally) -> Value:
    known = measure.has_value(tally.games)
    if not measure.interval:
        return tally.total(entrant, measure) if known else None
    return _measure_estimate(measure, tally.results(entrant, measure), 0, tally) if known else clustered_mean(())


def _measure_estimate(measure: Measure, sums: CellSums, column: int, tally: Tally) -> Estimate:
    """The mean of a measure with its interval, from its ``column`` of these sums by block."""
    most = max(tally.tables, default=1)
    step = measure.step(most) if most > 1 else 0.0
    match measure.unit:
        case MeasureUnit.SHARE:
            return clustered_mean(sums.clusters(column), share=True, step=step)
        case MeasureUnit.RANK if most > 1:
            return clustered_mean(sums.clusters(column), bounds=(1, most), step=step)
    return clustered_mean(sums.clusters(column))


def _seat_row(seat: int, tally: Tally) -> StandingsSeatRow:
    sums = tally.of_seat(seat)
    shares = (Fraction(matches, players) for players, matches in tally.tables.items() if players > seat)
    measures = (measure for measure in tally.measures if measure.by_seat and measure.has_value(tally.games))
    values = {measure.name: _measure_estimate(measure, sums, tally.column(measure), tally) for measure in measures}
    return StandingsSeatRow(seat, sums.match_count, float(sum(shares) / sums.match_count), values)


def _crosstable(order: Sequence[str], tally: Tally) -> tuple[Pairing, ...]:
    """Every ordered pair. Each pair is computed in one direction only; the other is its mirror image."""
    found: dict[tuple[str, str], Pairing] = {}
    for one, two in combinations(order, 2):
        found[one, two] = pair = _pairing(one, two, tally)
        money = pair.money_difference
        found[two, one] = Pairing(
            two, one, pair.matches, pair.score.mirror(1), None if money is None else money.mirror(0)
        )
    return tuple(found[one, two] for one in order for two in order if one != two)


def _pairing(entrant: str, opponent: str, tally: Tally) -> Pairing:
    met = tally.meetings(entrant, opponent)
    return Pairing(
        entrant,
        opponent,
        matches=met.match_count,
        score=clustered_mean(met.clusters(0), share=True, step=1.0),
        money_difference=clustered_mean(met.clusters(1)) if tally.has_money else None,
    )
