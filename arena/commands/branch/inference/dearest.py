"""Which of many decisions cost most: found with few repetitions, told with others.

Whatever seems dearest among many after a few repetitions does so partly by chance. So what is told of a decision comes
from repetitions that had no part in choosing it, and its interval holds as if nothing had been chosen. The choice is
made in two rounds, because it takes few repetitions to see that an answer would have brought nothing, and more to tell
the dearest from the next (successive halving: K. Jamieson and A. Talwalkar, AISTATS 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import fsum
from typing import NamedTuple

from arena.tournament.inference.intervals import Estimate

LISTED_DECISIONS = 10
"""Decisions that are told of."""
SECOND_ROUND_ANSWERS = 2 * LISTED_DECISIONS
"""Other answers that are left after the first round."""
EQUAL_REPEATS = 100
"""Repetitions from which on a cost that was the same in all is taken for one: what comes in 3 % of repetitions or more
would have come (:func:`arena.commands.branch.inference.decision_worth.unseen_share`)."""
ROUND_OFFSET = 1_000_000
"""Between the numbers of two rounds' repetitions, and before the first: no round, and no other branches of the match,
have chance in common with another."""


class OtherAnswer(NamedTuple):
    """An answer that was not given: ``move``, as JSON, at ``ask`` (from 1)."""

    ask: int
    move: bytes


class ScanRounds(NamedTuple):
    """The numbers of the repetitions in each round: of all other answers, of those kept, and of those told."""

    first: range
    second: range
    last: range

    def branches(self, asks: int, others: int) -> int:
        """How many branches are played at most, for so many asks with so many other answers in all."""
        kept, told = min(others, SECOND_ROUND_ANSWERS), min(asks, LISTED_DECISIONS)
        second = (min(asks, kept) + kept) * len(self.second)
        return (asks + others) * len(self.first) + second + 2 * told * len(self.last)


def rounds_of(repeat: int) -> ScanRounds:
    """The rounds of a scan that repeats what it tells ``repeat`` times: a fifteenth as often at first, because to look
    at twice as many decisions finds more than to look at each twice as often, then a quarter."""
    sizes = max(2, round(repeat / 15)), max(4, round(repeat / 4)), repeat
    return ScanRounds(
        *(range(ROUND_OFFSET * place + 1, ROUND_OFFSET * place + 1 + size) for place, size in enumerate(sizes, 1))
    )


def kept_after_first(gains: Mapping[OtherAnswer, Sequence[int]]) -> list[OtherAnswer]:
    """Of all other answers those that go on: what they would have brought more in each repetition is ``gains``. The
    best in the mean, at most :data:`SECOND_ROUND_ANSWERS`, in the order of asks."""
    return sorted(_sort_answers(gains)[:SECOND_ROUND_ANSWERS])


def told_after_second(gains: Mapping[OtherAnswer, Sequence[int]]) -> list[OtherAnswer]:
    """Of those kept the best of each ask, if it seems to bring more than what was answered; at most
    :data:`LISTED_DECISIONS`, in the order of asks. ``gains`` are those of both rounds."""
    found: dict[int, OtherAnswer] = {}
    for other in _sort_answers(gains):
        if _mean_gain(gains[other]) > 0:
            found.setdefault(other.ask, other)
    return sorted(list(found.values())[:LISTED_DECISIONS])


class CostVerdict(StrEnum):
    """What can be told of a cost."""

    CLEAR = "clear"
    """It is one: its 95 % interval lies above 0, or it was the same in :data:`EQUAL_REPEATS` repetitions or more."""

    ALIKE = "alike"
    """It was one, the same in all repetitions, which are too few to rule out that it seldom comes otherwise."""

    UNCLEAR = "unclear"
    """It cannot be told from 0, and seems to be one."""

    NOTHING = "nothing"
    """It does not seem to be one: it is 0 or less."""


def cost_verdict(cost: Estimate) -> CostVerdict:
    """What can be told of a cost, an estimate of one number a repetition."""
    if cost.mean is None or cost.mean <= 0:
        return CostVerdict.NOTHING
    if cost.alike:
        return CostVerdict.CLEAR if cost.clusters >= EQUAL_REPEATS else CostVerdict.ALIKE
    return CostVerdict.CLEAR if cost.low is not None and cost.low > 0 else CostVerdict.UNCLEAR


def _sort_answers(gains: Mapping[OtherAnswer, Sequence[int]]) -> list[OtherAnswer]:
    """The answers with the greatest mean first; of equals the earlier."""
    return sorted((other for other in gains if gains[other]), key=lambda other: (-_mean_gain(gains[other]), other))


def _mean_gain(gains: Sequence[int]) -> float:
    return fsum(gains) / len(gains)
