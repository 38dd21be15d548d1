"""What a finding is: a question, the tournament whose matches answer it, and tables of estimates."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.measures.measures import MeasureUnit
from arena.tournament.records.match_record import MatchRecord

Key = TypeVar("Key", bound=Hashable)


class StudyMatch(NamedTuple):
    """A match that counts, and the rows of its game's tables by name (``arena docs tables``); no rows without a
    replay."""

    record: MatchRecord
    tables: Mapping[str, Sequence[Any]]


class StudyColumn(msgspec.Struct, frozen=True):
    """A column of estimates: its ``head``, their ``unit``, and the ``even`` value that they would have if there were
    nothing to find (None: there is no such value)."""

    head: str
    unit: MeasureUnit
    even: float | None = None


class StudyLine(msgspec.Struct, frozen=True):
    """A line: its ``label``, one text for each of the table's label heads, and its ``values``, one a column."""

    label: tuple[str, ...]
    values: tuple[Estimate | None, ...]


class StudyTable(msgspec.Struct, frozen=True):
    """A table of a finding."""

    title: str
    heads: tuple[str, ...]
    columns: tuple[StudyColumn, ...]
    lines: tuple[StudyLine, ...]

    def count_clear(self) -> tuple[int, int]:
        """How many intervals do not hold the even value of their column, and how many intervals have an even value."""
        pairs = [
            (value, column.even)
            for line in self.lines
            for value, column in zip(line.values, self.columns, strict=True)
            if column.even is not None
        ]
        told = [(each, even) for each, even in pairs if each is not None and each.low is not None]
        return sum(not interval_holds(each, even) for each, even in told), len(told)


class StudyAnswer(msgspec.Struct, frozen=True):
    """The answer to a question: ``tables``, and ``words``, each a sentence or two."""

    matches: int
    tables: tuple[StudyTable, ...]
    words: tuple[str, ...]


class StudyQuestion(NamedTuple):
    """A question. ``tournament`` is the name of the bundled tournament that answers it, and ``fold`` computes the
    answer from its matches, which come in the schedule's order; ``game`` is the game whose tables ``fold`` needs ("":
    it needs none)."""

    name: str
    question: str
    tournament: str
    fold: Callable[[Iterable[StudyMatch]], StudyAnswer]
    game: str = ""


class MeansByKey(Generic[Key]):
    """Means by key, clustered by block."""

    def __init__(self) -> None:
        self._sums: dict[Key, dict[int, list[float]]] = {}

    def add(self, key: Key, block: int, value: float) -> None:
        """Add an observation."""
        sums = self._sums.setdefault(key, {}).setdefault(block, [0.0, 0])
        sums[0] += value
        sums[1] += 1

    def __iter__(self) -> Iterator[Key]:
        """The keys, in the order of their first values."""
        return iter(self._sums)

    def mean(self, key: Key, share: bool = False) -> Estimate:
        """The mean of the values of this key; ``share`` is as in :func:`clustered_mean`."""
        return clustered_mean([(total, int(count)) for total, count in self._sums.get(key, {}).values()], share)

    def difference_from(self, key: Key, other: Key) -> Estimate:
        """How much larger the mean of ``key`` is than that of ``other``, over the blocks that both have."""
        first, second = self._sums.get(key, {}), self._sums.get(other, {})
        both = [(first[block], second[block]) for block in first if block in second]
        return clustered_mean([(one[0] / one[1] - two[0] / two[1], 1) for one, two in both])


def interval_holds(estimate: Estimate, value: float) -> bool:
    """Whether the interval holds this value; true without an interval."""
    return estimate.low is None or estimate.high is None or estimate.low <= value <= estimate.high


def chance_words(tables: Iterable[StudyTable]) -> str:
    """A sentence on how many intervals exclude the even value, and how many would if there were nothing to find."""
    counts = [table.count_clear() for table in tables]
    out, all = sum(each for each, _ in counts), sum(each for _, each in counts)
    chance = all * 0.05
    by_chance = f"if there were no effects, about {chance:.{0 if chance >= 1 else 1}f} would"
    return f"{out} of {all} intervals exclude 0, the even value; {by_chance}."
