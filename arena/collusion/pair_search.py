"""Who gives whom more than others: every pair of a run judged, at one error rate for the whole table.

A pair stands out if three are true: its gifts are more than luck (:mod:`arena.collusion.flip_test`); they are out of
line with what all other pairs give each other (an outlier test; R. D. Cook & S. Weisberg, 1982, section 2.2.2); and
honest bots with reasons are seldom as far out of line (:mod:`arena.collusion.honest_tables`). The second and third test
are needed because honest bots differ: one that drives hard bargains with everybody deals differently with a soft bot
than with another hard one. The other pairs show how far honest pairs are from the additive model.

Every pair is judged in each direction, and in both together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import numpy

from arena.collusion.arrays import Numbers
from arena.collusion.collusion_search import PairSearch
from arena.collusion.gift_sums import MONEY_COLUMN, GiftTable
from arena.collusion.usual_gifts import PAIR_WAYS, UsualGifts
from arena.tournament.inference.intervals import Estimate, clustered_mean

ERROR_LEVEL = 0.01
"""The probability that any honest pair of the whole table stands out."""
LEAST_ENTRANTS = 5
"""With fewer entrants the pairs cannot be told apart: at tables of the same four, gifts between two look like gifts
between the other two."""
LEAST_BLOCKS = 8
"""With fewer blocks luck alone is as clear as anything: all of 7 blocks lie on one side with probability 1 in 128."""
FLAT_MONEY = 1e-9
"""If money differs by less from the model, it does not depend on who sat there."""


class PairVerdict(StrEnum):
    """The verdict on a pair: it ``stands out``; its gifts are more than luck, but honest pairs of this table are as far
    apart (``within the spread``); its gifts may be luck (``nothing shown``); or there is too little data (``too
    few``)."""

    STANDS_OUT = "stands out"
    WITHIN = "within the spread"
    NOTHING = "nothing shown"
    TOO_FEW = "too few"


@dataclass(frozen=True)
class PairFinding:
    """What ``giver`` gave ``receiver`` a match beyond what is usual, in the game's unit (``gift``); if ``mutual``, what
    both gave each other. ``parts`` is the same by kind of gift. ``money`` is how much more money than usual the
    receiver (both, if mutual) had at tables with the other; None if that is not known. ``luck`` is the probability that
    luck gives any pair as much, ``spread`` the probability that an honest pair of this table does; None if there is too
    little data."""

    giver: str
    receiver: str
    mutual: bool
    matches: int
    gift: Estimate
    parts: dict[str, float]
    money: Estimate | None
    luck: float | None
    spread: float | None
    verdict: PairVerdict


def judge_pairs(table: GiftTable, seed: str, level: float = ERROR_LEVEL) -> list[PairFinding]:
    """Judge every pair: findings that stand out come first, then the others by verdict; within a verdict the largest
    gift is first. ``seed`` determines the random flips and tables."""
    if len(table.names) < LEAST_ENTRANTS or table.blocks < LEAST_BLOCKS:
        return _sort_findings(_unjudged_pairs(UsualGifts(table, range(len(table.cells)), seed)))
    search = PairSearch(table, seed, level)
    found = list(_assess_pairs(search.rest, range(len(search.rest.pairs)), search.among_honest(search.rest), level))
    for usual, pair, honest in search.set_aside_pairs():
        found.extend(_assess_pairs(usual, [pair], honest, level))
    return _sort_findings(found)


def _assess_pairs(usual: UsualGifts, pairs: Iterable[int], honest: Numbers, level: float) -> Iterator[PairFinding]:
    """The findings on these pairs, each in three ways; ``honest`` has their probabilities among honest tables, nan
    where not computed."""
    kinds = {kind: usual.gifts(usual.table.values[kind]) for kind in usual.table.kinds}
    money = usual.table.values[MONEY_COLUMN]
    earned = usual.way_sums(money) if float(numpy.abs(usual.blocks(money).sum(0)).max()) > FLAT_MONEY else None
    for pair, way in product(pairs, range(PAIR_WAYS)):
        at = pair, way
        luck, spread = float(usual.luck[at]), float(numpy.fmax(usual.normal_tail(*at), honest[at]))
        if max(luck, spread) <= level:
            verdict = PairVerdict.STANDS_OUT
        else:
            verdict = PairVerdict.WITHIN if luck <= level else PairVerdict.NOTHING
        yield PairFinding(
            *_pair_names(usual, pair, way),
            gift=_estimate_sum(usual.block_deviations[:, pair, way]),
            parts={kind: float(gifts[at]) for kind, gifts in kinds.items()},
            money=None if earned is None else _estimate_sum(earned[:, pair, way]),
            luck=luck,
            spread=spread,
            verdict=verdict,
        )


def _unjudged_pairs(usual: UsualGifts) -> Iterator[PairFinding]:
    """The findings if there is too little data to judge: only the gifts beyond the model."""
    for pair, way in product(range(len(usual.pairs)), range(PAIR_WAYS)):
        gift = _estimate_sum(usual.block_deviations[:, pair, way])
        yield PairFinding(*_pair_names(usual, pair, way), gift, {}, None, None, None, PairVerdict.TOO_FEW)


def _pair_names(usual: UsualGifts, pair: int, way: int) -> tuple[str, str, bool, int]:
    """The giver, the receiver, whether this way is both directions together, and in how many matches they met."""
    cell = usual.pairs[pair][1 if way == 1 else 0]
    giver, receiver = (usual.table.names[each] for each in usual.table.cells[cell])
    return giver, receiver, way == PAIR_WAYS - 1, int(usual.table.counts[:, cell].sum())


def _estimate_sum(blocks: Numbers) -> Estimate:
    """A sum over groups of blocks, with its interval."""
    return clustered_mean((float(each) * len(blocks), 1) for each in blocks)


def _sort_findings(findings: Iterable[PairFinding]) -> list[PairFinding]:
    order = list(PairVerdict)

    def key(found: PairFinding) -> tuple[int, float, str, str]:
        return order.index(found.verdict), -round(found.gift.mean or 0.0, 9), found.giver, found.receiver

    return sorted(findings, key=key)
