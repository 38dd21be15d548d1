"""A null run: all entrants are the same bot, so that any difference between them is chance.

It shows whether a design and its intervals hold what they promise. Entrants of one bot may change places within a block
without changing what is likely: their results are *exchangeable*. Seats may differ, entrants may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum

from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import MeasureUnit, Number, shared_wins
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings

MOST_SHUFFLES = 9999
"""The largest number of shuffles, in each of which the entrants change places."""
LEAST_SHUFFLES = 999
MOST_NUMBERS = 30_000_000
"""The most numbers that all shuffles together may handle: long runs are shuffled less often."""
AT_ONCE = 1_000_000
"""Numbers that are shuffled at once."""
UNLIKELY_CHANCE = 0.01
"""Below this probability, a run does not look like chance."""
EXPECTED_MISSES = 0.05
"""The share of 95 % intervals that miss the truth."""
EQUAL_NUMBERS = 1e-9
"""Numbers that differ by less are the same but for rounding."""


@dataclass(frozen=True, slots=True)
class MissedIntervals:
    """The intervals of one kind: their ``name``, the ``even`` value that they should hold, how many are printed
    (``shown``), and how many of these do not hold the value (``missed``). Of all ``total`` intervals, printed or not,
    ``alike`` have the very same value in all blocks. ``varied`` is how many printed ones are not alike, and
    ``varied_missed`` how many of those miss the value."""

    name: str
    even: float
    shown: int
    missed: int
    alike: int
    total: int
    varied: int
    varied_missed: int


@dataclass(frozen=True, slots=True)
class NullRun:
    """What a null run has shown: its intervals by kind; and for each result added up (by its name) the probability that
    chance alone makes entrants differ as much as they did, computed with ``shuffles``. ``same`` names the results that
    are exactly equal for all entrants in every block, as for bots that repeat themselves where every entrant sits in
    every seat of each deal; ``identical`` says that this holds for all results."""

    matches: int
    blocks: int
    intervals: tuple[MissedIntervals, ...]
    probabilities: dict[str, float]
    shuffles: int
    identical: bool
    same: tuple[str, ...] = ()

    @property
    def interval_count(self) -> int:
        """The number of printed intervals of all kinds."""
        return sum(each.shown for each in self.intervals)

    @property
    def missed_intervals(self) -> int:
        """The number of printed intervals of all kinds that miss."""
        return sum(each.missed for each in self.intervals)

    @property
    def probability(self) -> float | None:
        """The probability that chance alone makes entrants differ as much in any of the results, after C. E.
        Bonferroni; None if there are no results."""
        found = self.probabilities.values()
        return min(1.0, len(found) * min(found)) if found else None

    @property
    def by_chance(self) -> bool:
        """Whether the run looks like chance alone."""
        return self.probability is None or self.probability >= UNLIKELY_CHANCE


def judge_null(standings: Standings, records: Iterable[MatchRecord], seed: str) -> NullRun:
    """What the matches of one edition show, whose entrants are all the same bot. The ``seed`` of the run determines the
    shuffles. The order of the records does not matter."""
    wins, money = _by_block(records, standings.edition)
    results = {"wins": wins} if len(standings.games) != 1 else {"wins": wins, "money": money}
    shuffles = _count_shuffles(wins)
    found = {
        name: _permutation_probability(blocks, shuffles, f"{seed}/null run/{name}") for name, blocks in results.items()
    }
    same = tuple(name for name, blocks in results.items() if _has_equal_means(blocks))
    return NullRun(
        matches=standings.matches,
        blocks=standings.blocks,
        intervals=tuple(_missed_intervals(standings)),
        probabilities={name: each for name, each in found.items() if each is not None},
        shuffles=shuffles,
        identical=bool(standings.matches) and len(same) == len(results),
        same=same,
    )


def _missed_intervals(standings: Standings) -> Iterable[MissedIntervals]:
    """Every kind of interval of entrants and pairs whose even value is known."""
    for measure in standings.measures:
        if not measure.interval or not measure.has_value(standings.games):
            continue
        if measure.unit is not MeasureUnit.SHARE:
            continue  # what copies have on average depends on ties, or on the bot
        even = standings.even_share if measure.name == "win_rate" else 0.5
        values = [value for row in standings.rows if isinstance(value := row[measure.name], Estimate)]
        if even is not None:
            yield _count_missed(measure.header or measure.name, even, values)
    pairs = [pair for pair in standings.crosstable if pair.entrant < pair.opponent]
    yield _count_missed("pair's share", 0.5, [pair.score for pair in pairs])
    money = [pair.money_difference for pair in pairs if pair.money_difference is not None]
    if money:
        yield _count_missed("pair's money", 0.0, money)


def _count_missed(name: str, even: float, estimates: Sequence[Estimate]) -> MissedIntervals:
    shown = [each for each in estimates if each.low is not None and each.high is not None]
    missed = [each for each in shown if not _holds_value(each, even)]
    return MissedIntervals(
        name=name,
        even=even,
        shown=len(shown),
        missed=len(missed),
        alike=sum(each.alike for each in estimates),
        total=len(estimates),
        varied=sum(not each.alike for each in shown),
        varied_missed=sum(not each.alike for each in missed),
    )


def _holds_value(interval: Estimate, even: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low - EQUAL_NUMBERS <= even <= interval.high + EQUAL_NUMBERS


Blocks = list[dict[str, tuple[float, int]]]
"""For each block, by entrant's name: the entrant's total there, and its number of matches."""


def _by_block(records: Iterable[MatchRecord], edition: str) -> tuple[Blocks, Blocks]:
    """The wins, and the money, of each entrant in each block: blocks in order of number, entrants in order of name."""
    wins: dict[int, dict[str, tuple[Number, int]]] = {}
    money: dict[int, dict[str, tuple[Number, int]]] = {}
    for record in records:
        if record.void or record.edition != edition:
            continue
        shares = shared_wins(tuple([seat.rank for seat in record.seats]))
        for seat, share in zip(record.seats, shares, strict=True):
            for found, more in ((wins, share), (money, seat.money)):
                block = found.setdefault(record.block, {})
                total, matches = block.get(seat.entrant, (0, 0))
                block[seat.entrant] = (total + more, matches + 1)
    return _in_order(wins), _in_order(money)


def _in_order(found: dict[int, dict[str, tuple[Number, int]]]) -> Blocks:
    return [
        {name: (float(total), matches) for name, (total, matches) in sorted(block.items())}
        for _, block in sorted(found.items())
        if len(block) > 1
    ]


def _has_equal_means(blocks: Blocks) -> bool:
    """Whether the entrants of each block have the same mean."""
    means = [[total / matches for total, matches in block.values()] for block in blocks]
    return all(max(block) - min(block) <= EQUAL_NUMBERS for block in means)


def _count_shuffles(blocks: Blocks) -> int:
    numbers = sum(len(block) for block in blocks)
    return max(LEAST_SHUFFLES, min(MOST_SHUFFLES, MOST_NUMBERS // max(numbers, 1)))


def _permutation_probability(blocks: Blocks, shuffles: int, seed: str) -> float | None:
    """A permutation test (R. A. Fisher, The Design of Experiments, 1935): the probability that the entrants, after
    changing places at random in each block, differ at least as much as observed. Their difference is the sum over
    entrants of the square of how much more than its even share each got over all blocks."""
    import numpy  # slow to load

    names = sorted({name for block in blocks for name in block})
    if len(names) < 2:
        return None
    width = max(len(block) for block in blocks)
    above, empty = numpy.zeros((len(blocks), width)), numpy.ones((len(blocks), width))
    whose = numpy.zeros((len(blocks), width, len(names)))
    for number, block in enumerate(blocks):
        even = fsum(total for total, _ in block.values()) / sum(matches for _, matches in block.values())
        for place, (name, (total, matches)) in enumerate(block.items()):
            above[number, place], empty[number, place] = total - even * matches, 0
            whose[number, place, names.index(name)] = 1
    by_name = whose.reshape(-1, len(names))
    seen = float(((above.ravel() @ by_name) ** 2).sum())
    source = numpy.random.Generator(numpy.random.PCG64(int(sha256(seed.encode()).hexdigest(), 16)))
    as_large, left = 0, shuffles
    while left:
        together = min(left, max(1, AT_ONCE // above.size))
        keys = source.random((together, *above.shape)) + empty  # empty places stay behind the others
        moved = numpy.take_along_axis(numpy.broadcast_to(above, keys.shape), keys.argsort(axis=2), axis=2)
        sums = moved.reshape(together, -1) @ by_name
        as_large += int(((sums**2).sum(1) >= seen * (1 - EQUAL_NUMBERS) - EQUAL_NUMBERS).sum())
        left -= together
    return (as_large + 1) / (shuffles + 1)
