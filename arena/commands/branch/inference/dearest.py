"""Finds the decisions that cost most: few repetitions select them, new repetitions measure them.

A decision that seems the dearest of many after a few repetitions does so partly by chance. So the reported cost of a
decision comes from repetitions that had no part in selecting it, and its interval holds as if nothing had been
selected. The selection has two rounds, because few repetitions show that an answer would have gained nothing, and more
are needed to rank the dearest decisions (successive halving: K. Jamieson and A. Talwalkar, AISTATS 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import fsum
from typing import NamedTuple

from arena.tournament.inference.intervals import Estimate

LISTED_DECISIONS = 10
"""At most this number of decisions is reported."""
SECOND_ROUND_ANSWERS = 2 * LISTED_DECISIONS
"""At most this number of other answers goes on to the second round."""
EQUAL_REPEATS = 100
"""If a cost was the same in all repetitions, this number of them is enough to take it for certain: an event with a
probability of 3 % or more would have occurred (:func:`arena.commands.branch.inference.decision_worth.unseen_share`)."""
ROUND_OFFSET = 1_000_000
"""Offset between the repetition numbers of two rounds, and before the first: no round shares random events with another
round or with other branches of the match."""


class OtherAnswer(NamedTuple):
    """An answer that was not given: ``move``, as JSON, at ``ask`` (from 1)."""

    ask: int
    move: bytes


class ScanRounds(NamedTuple):
    """The numbers of the repetitions in each round: of all other answers, of those kept after the first round, and of
    those chosen after the second."""

    first: range
    second: range
    last: range

    def branches(self, asks: int, others: int) -> int:
        """The greatest number of branches in a scan of ``asks`` asks with ``others`` other answers in all."""
        kept, told = min(others, SECOND_ROUND_ANSWERS), min(asks, LISTED_DECISIONS)
        second = (min(asks, kept) + kept) * len(self.second)
        return (asks + others) * len(self.first) + second + 2 * told * len(self.last)


def rounds_of(repeat: int) -> ScanRounds:
    """The rounds of a scan whose last round has ``repeat`` repetitions. The first has a fifteenth of them, because a
    look at twice as many decisions finds more than twice as many repetitions; the second has a quarter."""
    sizes = max(2, round(repeat / 15)), max(4, round(repeat / 4)), repeat
    return ScanRounds(
        *(range(ROUND_OFFSET * place + 1, ROUND_OFFSET * place + 1 + size) for place, size in enumerate(sizes, 1))
    )


def kept_after_first(gains: Mapping[OtherAnswer, Sequence[int]]) -> list[OtherAnswer]:
    """Choose the other answers for the second round: those with the best mean gain, at most
    :data:`SECOND_ROUND_ANSWERS`, in the order of asks. ``gains`` has for each answer its gain over the recorded one in
    each repetition."""
    return sorted(_sort_answers(gains)[:SECOND_ROUND_ANSWERS])


def told_after_second(gains: Mapping[OtherAnswer, Sequence[int]]) -> list[OtherAnswer]:
    """Choose the other answers for the last round: the best of each ask, if its mean gain over the recorded answer is
    positive; at most :data:`LISTED_DECISIONS`, in the order of asks. ``gains`` are those of both rounds."""
    found: dict[int, OtherAnswer] = {}
    for other in _sort_answers(gains):
        if _mean_gain(gains[other]) > 0:
            found.setdefault(other.ask, other)
    return sorted(list(found.values())[:LISTED_DECISIONS])


class CostVerdict(StrEnum):
    """How certain it is that a decision cost something."""

    CLEAR = "clear"
    """The cost is certain: its 95 % interval lies above 0, or it was the same in :data:`EQUAL_REPEATS` repetitions or
    more."""

    ALIKE = "alike"
    """There was a cost, the same in all repetitions; they are too few to rule out rare exceptions."""

    UNCLEAR = "unclear"
    """There seems to be a cost, but it cannot be distinguished from 0."""

    NOTHING = "nothing"
    """There seems to be no cost: the estimate is 0 or less."""


def cost_verdict(cost: Estimate) -> CostVerdict:
    """The verdict on a cost, which is estimated from one number per repetition."""
    if cost.mean is None or cost.mean <= 0:
        return CostVerdict.NOTHING
    if cost.alike:
        return CostVerdict.CLEAR if cost.clusters >= EQUAL_REPEATS else CostVerdict.ALIKE
    return CostVerdict.CLEAR if cost.low is not None and cost.low > 0 else CostVerdict.UNCLEAR


def _sort_answers(gains: Mapping[OtherAnswer, Sequence[int]]) -> list[OtherAnswer]:
    """The answers, those with the greatest mean gain first; of equal ones the earlier first."""
    return sorted((other for other in gains if gains[other]), key=lambda other: (-_mean_gain(gains[other]), other))


def _mean_gain(gains: Sequence[int]) -> float:
    return fsum(gains) / len(gains)
