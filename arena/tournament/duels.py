"""How an entrant did against each of its opponents, in the matches that it sat in with it: a paired comparison, because
both have had the same deal, the same others at the table, and, over a block's seat orders, the same seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.tournament.intervals import Estimate, clustered_mean
from arena.tournament.records import MatchRecord, SeatRecord

EVEN = 0.5
"""The score of two that are equally good."""


class Verdict(StrEnum):
    """What a 95 % interval says about two that are compared."""

    BETTER = "better"
    """It lies above what two equally good ones would have."""

    WORSE = "worse"
    """It lies below that."""

    OPEN = "undecided"
    """It holds that, or there is no interval yet."""


@dataclass(frozen=True, slots=True)
class Duel:
    """``entrant`` against ``opponent`` in their common ``matches``, without void ones: the ``score`` is the share of
    them in which it ranked better, an equal rank counting half; ``money_difference`` the mean of its money less the
    opponent's, in the game's unit. Both have their 95 % interval clustered by block."""

    entrant: str
    opponent: str
    matches: int
    score: Estimate
    money_difference: Estimate

    @property
    def verdict(self) -> Verdict:
        """What the score's interval says."""
        return judge(self.score, EVEN)


def judge(estimate: Estimate, even: float) -> Verdict:
    """What an estimate says, of which two that are equally good would have the value ``even``."""
    if estimate.mean is None or estimate.half_width is None or abs(estimate.mean - even) <= estimate.half_width:
        return Verdict.OPEN
    return Verdict.BETTER if estimate.mean > even else Verdict.WORSE


def fold_duels(records: Iterable[MatchRecord], challengers: Sequence[str], field: Sequence[str]) -> tuple[Duel, ...]:
    """Each challenger against each opponent of the ``field``, in these orders; records are of one game. Memory grows
    with pairs and blocks, not with matches."""
    found: dict[tuple[str, str], dict[int, _Sums]] = {(one, two): {} for one in challengers for two in field}
    for record in records:
        if record.void:
            continue
        for one in record.seats:
            for two in record.seats:
                if (blocks := found.get((one.entrant, two.entrant))) is not None:
                    blocks.setdefault(record.block, _Sums()).add(one, two)
    return tuple(_duel(one, two, list(blocks.values())) for (one, two), blocks in found.items())


@dataclass(slots=True)
class _Sums:
    """One pair in one block; a better rank gives 2 ``points``, an equal one 1."""

    matches: int = 0
    points: int = 0
    money: int = 0

    def add(self, one: SeatRecord, two: SeatRecord) -> None:
        self.matches += 1
        self.points += 1 + (one.rank < two.rank) - (one.rank > two.rank)
        self.money += one.money - two.money


def _duel(one: str, two: str, blocks: list[_Sums]) -> Duel:
    score = clustered_mean([(each.points / 2, each.matches) for each in blocks], share=True)
    money = clustered_mean([(float(each.money), each.matches) for each in blocks])
    return Duel(one, two, sum(each.matches for each in blocks), score, money)
