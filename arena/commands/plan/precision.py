"""Estimates from a pilot how long a run must be to reach a wanted precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from arena.commands.plan.pilot import Pilot
from arena.errors import UserError, nearest_hint
from arena.tournament.inference.blocks_needed import (
    MOST_NEEDED,
    Blocks,
    BlocksNeeded,
    Deviation,
    deviation_of_difference,
    deviation_of_mean,
    for_difference,
    for_half_width,
    widest_deviation,
)
from arena.tournament.inference.student_t import t_quantile_975
from arena.tournament.measures.measures import Measure, MeasureUnit
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.schedule import ALL_EDITIONS

PAIR_SHARE, PAIR_MONEY = "pair's share", "pair's money"
"""Two numbers planned for pairs: the share of common matches in which one ranks better, and how much more money it
has."""

if TYPE_CHECKING:
    from arena.tournament.measures.design_cells import CellSums
    from arena.tournament.measures.tally import Tally


class PrecisionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The wanted precision: ``half_widths`` of 95 % intervals by unit, for every entrant's measures and every pair;
    and, for the two entrants in ``between``, ``differences`` by unit that are to be found with the probability
    ``power``. Each number is to be reached with the probability ``assurance``."""

    half_widths: Mapping[MeasureUnit, float]
    between: tuple[str, str] | None = None
    differences: Mapping[MeasureUnit, float] = {}
    power: float = 0.9
    assurance: float = 0.8


class ForecastRow(msgspec.Struct, frozen=True):
    """The forecast for one number: ``what`` it is, and of ``whom`` (the entrant that varied most, or both that are
    compared); its ``unit``; the ``wanted`` half-width, or with ``to_find`` the wanted difference; the half-width after
    the pilot (``now``); the necessary number of ``blocks``, in whole cycles, with the ends of its 95 % interval
    (``low``, ``high``); how many of them are still to be played (``more``); and the ``matches``, ``seconds`` and
    ``bytes`` of these. None means more than any machine can play."""

    what: str
    whom: tuple[str, ...]
    unit: MeasureUnit
    wanted: float
    to_find: bool
    now: float
    blocks: int | None
    low: int
    high: int | None
    more: int | None
    matches: int | None
    seconds: float | None
    bytes: float | None


class Forecast(msgspec.Struct, frozen=True):
    """The forecast from a pilot of ``blocks`` whole blocks for the standings called ``edition``: a row for each number.
    ``same`` names the numbers that did not vary in the pilot, about which nothing can be said; ``cycle`` and ``host``
    are as in :class:`Pilot`. The seconds are for ``jobs`` processes."""

    edition: str
    blocks: int
    cycle: int
    jobs: int
    host: str
    rows: tuple[ForecastRow, ...]
    same: tuple[str, ...]

    @property
    def longest_row(self) -> ForecastRow | None:
        """The row that needs most blocks; None without rows."""
        return max(self.rows, key=lambda row: row.blocks or MOST_NEEDED, default=None)

    @property
    def most_of_one(self) -> ForecastRow | None:
        """The row that needs most blocks, apart from those of pairs; None if there is none."""
        alone = (row for row in self.rows if row.what not in (PAIR_SHARE, PAIR_MONEY))
        return max(alone, key=lambda row: row.blocks or MOST_NEEDED, default=None)


def forecast_precision(pilot: Pilot, wanted: PrecisionOptions, label: str | None, jobs: int) -> Forecast:
    """Make the forecast for the standings of the edition with this label, or of all editions. Raises UserError for a
    pilot with too few blocks, and for unknown names."""
    labels = pilot.labelled_editions(label)
    for name in wanted.between or ():
        if name not in pilot.names:
            raise UserError(f"--between: no entrant {name!r}{nearest_hint(name, pilot.names)}")
    whole = pilot.whole_blocks(labels)
    tally = _tally_blocks(pilot, labels, whole)
    rows, same = [], []
    for question in _questions(tally, pilot, wanted):
        if question.deviation is None:
            same.append(question.what)
        else:
            rows.append(
                _forecast_row(
                    pilot, question, question.deviation, _blocks_needed(question, wanted, pilot.kept), len(whole), jobs
                )
            )
    edition = labels[0] if len(labels) == 1 else ALL_EDITIONS
    return Forecast(edition, len(whole), pilot.cycle, jobs, pilot.host, tuple(rows), tuple(same))


class _Question(NamedTuple):
    """A number to forecast: ``what`` it is, of ``whom``, in which unit; its ``deviation`` between blocks (None: it did
    not vary); the ``wanted`` half-width, or with ``to_find`` the wanted difference."""

    what: str
    whom: tuple[str, ...]
    unit: MeasureUnit
    deviation: Deviation | None
    wanted: float
    to_find: bool = False


def _blocks_needed(question: _Question, wanted: PrecisionOptions, kept: bool) -> BlocksNeeded:
    assert question.deviation is not None
    if question.to_find:
        return for_difference(question.deviation, question.wanted, wanted.power, wanted.assurance)
    return for_half_width(question.deviation, question.wanted, wanted.assurance, kept)


def _questions(tally: Tally, pilot: Pilot, wanted: PrecisionOptions) -> Iterator[_Question]:
    """The numbers to forecast: each measure for the entrant that varied most, the numbers of pairs, and the differences
    of the two that are compared."""
    measures = [each for each in tally.measures if each.interval and each.has_value(tally.games)]
    for measure in measures:
        if (goal := wanted.half_widths.get(measure.unit)) is None:
            continue
        own = ((name, deviation_of_mean(_entrant_blocks(tally, name, measure))) for name in pilot.names)
        name, deviation = widest_deviation(own) or ("", None)
        yield _Question(_measure_title(measure), (name,), measure.unit, deviation, goal)
    yield from _pair_questions(tally, pilot.names, wanted)
    if wanted.between is None:
        return
    for measure in measures:
        if (goal := wanted.differences.get(measure.unit)) is None:
            continue
        one, two = (_entrant_blocks(tally, name, measure) for name in wanted.between)
        deviation = deviation_of_difference(one, two)
        yield _Question(_measure_title(measure), wanted.between, measure.unit, deviation, goal, to_find=True)


def _pair_questions(tally: Tally, names: Sequence[str], wanted: PrecisionOptions) -> Iterator[_Question]:
    """The share of common matches in which one of a pair ranks better, and how much more money it has, by the pair that
    varied most."""
    columns = [(PAIR_SHARE, MeasureUnit.SHARE)] + ([(PAIR_MONEY, MeasureUnit.MONEY)] if tally.has_money else [])
    met = {pair: tally.meetings(*pair) for pair in combinations(names, 2)}
    for column, (what, unit) in enumerate(columns):
        if (goal := wanted.half_widths.get(unit)) is None:
            continue
        told = {" and ".join(pair): pair for pair in met}
        each = ((name, deviation_of_mean(_by_block(met[pair], column))) for name, pair in told.items())
        name, deviation = widest_deviation(each) or ("", None)
        yield _Question(what, told.get(name, ()), unit, deviation, goal)


def _measure_title(measure: Measure) -> str:
    return measure.header or measure.name


def _forecast_row(
    pilot: Pilot, question: _Question, deviation: Deviation, needed: BlocksNeeded, whole: int, jobs: int
) -> ForecastRow:
    """The forecast for one number, with the matches, seconds and bytes of the necessary blocks. ``needed`` counts
    blocks in which the entrants play; if they miss some blocks of the pilot (``whole`` in all), more blocks are
    needed."""
    scale = whole / deviation.clusters
    now = t_quantile_975(deviation.clusters - 1) * deviation.value / deviation.clusters**0.5
    blocks, low, high = (_whole_cycles(each * scale, pilot.cycle) for each in (needed.blocks, needed.low, needed.high))
    matches = seconds = bytes = more = None
    if blocks is not None:
        have = min(blocks, whole) if pilot.kept else 0
        more = blocks - have
        try:
            sizes = [each - there for each, there in zip(pilot.sizes(blocks), _edition_sizes(pilot, have), strict=True)]
        except UserError:  # more than any machine plays
            blocks = more = None
        else:
            matches = sum(sizes)
            each = [pilot.seconds.get(label, 0.0) for label in pilot.labels]
            seconds = sum(size * took for size, took in zip(sizes, each, strict=True)) / jobs
            bytes = matches * pilot.bytes
    return ForecastRow(
        what=question.what,
        whom=question.whom,
        unit=question.unit,
        wanted=question.wanted,
        to_find=question.to_find,
        now=now,
        blocks=blocks,
        low=low or MOST_NEEDED,
        high=high,
        more=more,
        matches=matches,
        seconds=seconds,
        bytes=bytes,
    )


def _edition_sizes(pilot: Pilot, blocks: int) -> list[int]:
    return pilot.sizes(blocks) if blocks else [0] * len(pilot.labels)


def _whole_cycles(blocks: float, cycle: int) -> int | None:
    """The least multiple of ``cycle`` that is at least ``blocks``; None if it is more than can be played."""
    found = -int(-blocks // cycle) * cycle
    return found if found < MOST_NEEDED else None


def _tally_blocks(pilot: Pilot, labels: Sequence[str], whole: frozenset[int]) -> Tally:
    """The combined counts of these editions in the blocks ``whole``."""
    from arena.tournament.measures.tally import TALLY_MATCHES, Numberings, Tally  # numpy is slow to load

    numberings = Numberings()
    tallies = {label: Tally(pilot.measures, numberings) for label in labels}
    waiting: dict[str, list[MatchRecord]] = {label: [] for label in labels}
    for record in pilot.records():
        if record.edition not in waiting or record.block not in whole:
            continue
        waiting[record.edition].append(record)
        if len(waiting[record.edition]) == TALLY_MATCHES:
            tallies[record.edition].add(waiting[record.edition])
            waiting[record.edition] = []
    for label, rest in waiting.items():
        if rest:
            tallies[label].add(rest)
    if len(labels) == 1:
        return tallies[labels[0]]
    together = Tally(
        pilot.measures, numberings, tuple(sorted({game for each in tallies.values() for game in each.games}))
    )
    for each in tallies.values():
        together.absorb(each)
    return together


def _entrant_blocks(tally: Tally, name: str, measure: Measure) -> Blocks:
    """An entrant's results in a measure, by block."""
    return _by_block(tally.results(name, measure), 0)


def _by_block(sums: CellSums, column: int) -> Blocks:
    """A column of sums by block, in the order in which blocks were numbered."""
    from arena.tournament.measures.design_cells import BLOCK_BITS

    blocks = (sums.keys & ((1 << BLOCK_BITS) - 1)).tolist()
    return dict(zip(blocks, sums.clusters(column), strict=True))
