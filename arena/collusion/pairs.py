"""Who gives whom more than others: every pair of a run judged, at one error rate for the whole table.

A pair stands out if both are true: its gifts are more than luck (:mod:`arena.collusion.flips`), and they are out of
line with what all other pairs give each other (an outlier test; R. D. Cook & S. Weisberg, 1982, section 2.2.2). The
second is needed because honest bots differ: one that drives hard bargains with everybody deals otherwise with a soft
bot than with another hard one. How far honest pairs are from the additive model is seen in the other pairs.

Judged are both directions of every pair, and both together. The pair that stands out most is set aside, and what is
usual is estimated again without it, until none is left; at last each is compared with the honest rest once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial

import numpy

from arena.collusion.additive import Additive
from arena.collusion.arrays import Numbers
from arena.collusion.flips import luck_of
from arena.collusion.sums import MONEY, GiftTable
from arena.tournament.intervals import Estimate, clustered_mean
from arena.tournament.student import t_above

LEVEL = 0.01
"""The probability that any honest pair of the whole table stands out."""
LEAST_ENTRANTS = 5
"""With fewer the pairs cannot be told apart: at tables of the same four, gifts between two look like gifts between the
other two."""
LEAST_BLOCKS = 8
"""With fewer luck alone is as clear as anything: of 7 blocks all lie on one side with probability 1 in 128."""
FLAT = 1e-9
"""Money that differs by less from the model does not depend on who sat there."""


class Verdict(StrEnum):
    """What is found of a pair: it ``stands out``; its gifts are more than luck, but honest pairs of this table are as
    far apart (``within the spread``); they may be luck (``nothing shown``); it is too little to tell (``too few``)."""

    STANDS_OUT = "stands out"
    WITHIN = "within the spread"
    NOTHING = "nothing shown"
    TOO_FEW = "too few"


@dataclass(frozen=True)
class Finding:
    """What ``giver`` gave ``receiver`` a match beyond what is usual, or with ``mutual`` both each other, in the game's
    unit. ``parts`` is the same by kind of gift. ``money`` is how much more money the receiver (both, if mutual) had at
    tables with the other than is usual; None if that cannot be told. ``luck`` and ``spread`` are the probabilities
    that luck, and that an honest pair of this table, gives any pair as much; None where it is too little to tell."""

    giver: str
    receiver: str
    mutual: bool
    matches: int
    gift: Estimate
    parts: dict[str, float]
    money: Estimate | None
    luck: float | None
    spread: float | None
    verdict: Verdict


@dataclass(frozen=True)
class _Judged:
    """A statistic: the places of the cells that it adds up, those of its pair, those ``among`` which it was estimated;
    what each group of blocks shows of it, and the probabilities."""

    cells: tuple[int, ...]
    pair: tuple[int, ...]
    among: tuple[int, ...]
    blocks: Numbers
    luck: float
    spread: float

    @property
    def chance(self) -> float:
        """The larger of both probabilities."""
        return max(self.luck, self.spread)


def judge(table: GiftTable, seed: str, level: float = LEVEL) -> list[Finding]:
    """Every pair, those that stand out first, then by gift. ``seed`` names the random flips."""
    if len(table.names) < LEAST_ENTRANTS or table.blocks < LEAST_BLOCKS:
        return _sorted(_unjudged(table))
    everything = frozenset(range(len(table.cells)))
    out: list[tuple[int, ...]] = []
    while True:
        rest = everything.difference(*out)
        judged = _judge(table, sorted(rest), seed)
        best = min(judged, key=lambda each: (each.chance, -each.blocks.sum()), default=None)
        if best is None or best.chance > level:
            break
        out.append(best.pair)
    again = [each for pair in out for each in _judge(table, sorted(rest.union(pair)), seed) if each.pair == pair]
    final = {each.cells: each for each in [*judged, *again]}
    return _sorted(_findings(table, final.values(), level))


def _blocks(table: GiftTable, values: Numbers, among: Sequence[int], model: Additive) -> Numbers:
    """What each group of blocks shows of each cell beyond the model: they add up to how far its mean is from it."""
    cells = list(among)
    counts = table.counts[:, cells]
    met = counts.sum(0)
    chosen = values[:, cells]
    found: Numbers = (chosen - counts * model.parts(chosen.sum(0) / met)) / met
    return found


def _judge(table: GiftTable, cells: Sequence[int], seed: str) -> list[_Judged]:
    """Both directions of every pair of these cells, and both together."""
    model = Additive([table.cells[place] for place in cells])
    means = table.total[:, cells].sum(0) / table.counts[:, cells].sum(0)
    gifts = model.gifts(_blocks(table, table.total, cells, model))
    columns: list[Numbers] = []
    about: list[tuple[tuple[int, ...], tuple[int, ...], float]] = []
    for pair, shown, (scale, weights) in zip(model.pairs, gifts, model.spreads(means), strict=True):
        places = tuple(cells[each] for each in pair)
        for chosen in _directions(len(pair)):
            columns.append(shown[:, chosen].sum(1))
            size = scale * float(weights[numpy.ix_(chosen, chosen)].sum()) ** 0.5
            freedom = model.freedom - len(pair)
            gift = float(columns[-1].sum())
            tail = t_above(gift / size, freedom) if freedom > 0 and size > 0 else 1.0
            about.append((tuple(places[each] for each in chosen), places, tail))
    if not columns:
        return []
    luck = luck_of(numpy.stack(columns, 1), seed)
    return [
        _Judged(chosen, pair, tuple(cells), column, float(by_luck), min(1.0, tail * len(columns)))
        for (chosen, pair, tail), column, by_luck in zip(about, columns, luck, strict=True)
    ]


def _directions(cells: int) -> list[list[int]]:
    return [[0], [1], [0, 1]] if cells == 2 else [[0]]


def _estimate(blocks: Numbers) -> Estimate:
    """A sum over groups of blocks, with its interval."""
    return clustered_mean((float(each) * len(blocks), 1) for each in blocks)


def _findings(table: GiftTable, judged: Iterable[_Judged], level: float) -> Iterator[Finding]:
    shown = cache(partial(_by_kind, table))
    for each in judged:
        blocks = {
            kind: own[:, [each.pair.index(cell) for cell in each.cells]].sum(1)
            for kind, by_pair in shown(each.among).items()
            if (own := by_pair.get(each.pair)) is not None
        }
        parts = {kind: float(blocks[kind].sum()) for kind in table.kinds}
        money = _estimate(blocks[MONEY]) if MONEY in blocks else None
        gift, verdict = _estimate(each.blocks), _verdict(each, level)
        yield _finding(table, each.cells, gift, parts, money, each.luck, each.spread, verdict)


def _by_kind(table: GiftTable, among: tuple[int, ...]) -> dict[str, dict[tuple[int, ...], Numbers]]:
    """By kind of gift and pair what each group of blocks shows of its cells; money only if it depends on who sat
    there."""
    model = Additive([table.cells[place] for place in among])
    pairs = [tuple(among[each] for each in pair) for pair in model.pairs]
    found = {}
    for kind, values in table.values.items():
        blocks = _blocks(table, values, among, model)
        if kind != MONEY or float(numpy.abs(blocks.sum(0)).max()) > FLAT:
            found[kind] = dict(zip(pairs, model.gifts(blocks), strict=True))
    return found


def _verdict(judged: _Judged, level: float) -> Verdict:
    if judged.chance <= level:
        return Verdict.STANDS_OUT
    return Verdict.WITHIN if judged.luck <= level else Verdict.NOTHING


def _unjudged(table: GiftTable) -> Iterator[Finding]:
    """What pairs gave beyond the model, where this is too little to judge them by."""
    model = Additive(table.cells)
    blocks = _blocks(table, table.total, range(len(table.cells)), model)
    for pair, shown in zip(model.pairs, model.gifts(blocks), strict=True):
        for chosen in _directions(len(pair)):
            cells = tuple(pair[each] for each in chosen)
            gift = _estimate(shown[:, chosen].sum(1))
            yield _finding(table, cells, gift, {}, None, None, None, Verdict.TOO_FEW)


def _finding(
    table: GiftTable,
    cells: tuple[int, ...],
    gift: Estimate,
    parts: dict[str, float],
    money: Estimate | None,
    luck: float | None,
    spread: float | None,
    verdict: Verdict,
) -> Finding:
    giver, receiver = (table.names[each] for each in table.cells[cells[0]])
    matches = int(table.counts[:, cells[0]].sum())
    return Finding(giver, receiver, len(cells) == 2, matches, gift, parts, money, luck, spread, verdict)


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    order = list(Verdict)

    def key(found: Finding) -> tuple[int, float, str, str]:
        return order.index(found.verdict), -round(found.gift.mean or 0.0, 9), found.giver, found.receiver

    return sorted(findings, key=key)
