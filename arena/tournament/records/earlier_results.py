"""The results of earlier blocks: all that a format may use to choose the tables that play next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from arena.tournament.records.match_record import MatchRecord
from arena.tournament.records.suspension import Suspension


@dataclass(slots=True)
class Score:
    """An entrant's results in matches that count: ``points`` are two for each opponent that ranked behind it and one
    for each of equal rank, ``money`` is in the game's unit."""

    matches: int = 0
    points: int = 0
    money: int = 0

    def add(self, other: Score) -> None:
        """Add the matches of ``other``."""
        self.matches += other.matches
        self.points += other.points
        self.money += other.money


@dataclass(slots=True)
class BlockResults:
    """The results of one block of one edition: the scores by entrant, and the tables that played, each a sorted tuple
    of entrants, with their number of ``matches``, whether or not these count."""

    scores: dict[int, Score] = field(default_factory=dict)
    tables: set[tuple[int, ...]] = field(default_factory=set)
    matches: int = 0

    def add_record(self, entrants: Sequence[int], record: MatchRecord) -> None:
        """Add one match between these entrants, who are in seat order."""
        self.tables.add(tuple(sorted(entrants)))
        self.matches += 1
        if record.void:
            return
        ranks = [seat.rank for seat in record.seats]
        for entrant, seat in zip(entrants, record.seats, strict=True):
            points = 2 * sum(seat.rank < rank for rank in ranks) + ranks.count(seat.rank) - 1
            self.scores.setdefault(entrant, Score()).add(Score(1, points, seat.money))


@dataclass(frozen=True, slots=True)
class EarlierResults:
    """The results of an edition by block number, and for each suspended entrant the first block that it does not
    play."""

    blocks: Mapping[int, BlockResults] = field(default_factory=dict)
    suspended: Mapping[int, int] = field(default_factory=dict)

    def suspended_entrants(self, block: int) -> frozenset[int]:
        """The entrants who are suspended in this block."""
        return frozenset(entrant for entrant, first in self.suspended.items() if first <= block)

    def scores(self, blocks: Iterable[int]) -> dict[int, Score]:
        """The scores over all these blocks, of the entrants who have a match in them."""
        total: dict[int, Score] = {}
        for results in self._of(blocks):
            for entrant, score in results.scores.items():
                total.setdefault(entrant, Score()).add(score)
        return total

    def meeting_counts(self, blocks: Iterable[int]) -> Counter[tuple[int, int]]:
        """For each two entrants (the lower index first), in how many of these blocks they sat at a table together."""
        tables = (table for results in self._of(blocks) for table in results.tables)
        return Counter(pair for table in tables for pair in combinations(table, 2))

    def seated_entrants(self, blocks: Iterable[int]) -> frozenset[int]:
        """The entrants who played in any of these blocks."""
        return frozenset(each for results in self._of(blocks) for table in results.tables for each in table)

    def _of(self, blocks: Iterable[int]) -> Iterable[BlockResults]:
        return (self.blocks[block] for block in blocks if block in self.blocks)


class ResultHistory:
    """The results of all editions as they come in, and the suspensions that follow from them; ``after`` is as in
    :class:`arena.tournament.records.suspension.Suspension`. Keeps a few numbers for each entrant of each block."""

    def __init__(self, editions: int, after: int | None) -> None:
        self._blocks: list[dict[int, BlockResults]] = [{} for _ in range(editions)]
        self._suspension = Suspension(after)
        self._names: dict[str, int] = {}

    def add_record(self, edition: int, entrants: Sequence[int], record: MatchRecord) -> None:
        """Add one match between these entrants, who are in seat order; the order of matches does not matter."""
        self._blocks[edition].setdefault(record.block, BlockResults()).add_record(entrants, record)
        self._suspension.add_record(record)
        self._names.update((seat.entrant, entrant) for entrant, seat in zip(entrants, record.seats, strict=True))

    def results_before(self, edition: int, block: int) -> EarlierResults:
        """The results that a format may use for this block of the edition. All earlier blocks must have been noted."""
        earlier = {number: results for number, results in self._blocks[edition].items() if number < block}
        suspended = {self._names[name]: first for name, first in self._suspension.first_blocks().items()}
        return EarlierResults(earlier, suspended)
