"""Tests whether ratings fit: whether the results of pairs are those that the ratings predict, for all pairs at once.

Ratings, one number for each entrant, assume that entrants can be ordered. If A beats B, B beats C and C beats A, no
ratings describe the matches, and their intervals contain the true value less often than they should. So for each pair,
what its common matches show beyond the prediction is added up by block. Because ratings are fitted, these sums have no
part that depends on one entrant alone, so such parts are removed from each block as well. Then the signs of blocks are
flipped at random, all pairs of a block together, which shows how large the sum of all squares is by chance (P. Kline
and A. Santos, A score based approach to wild bootstrap inference, Journal of Econometric Methods 1, 2012).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from arena.ratings.order_columns import Numbers, RatingMatches

LEAST_BLOCKS_TESTED = 8
"""With fewer blocks there are too few ways to flip signs."""
MOST_TESTED = 80
"""Of more entrants, those with most matches are tested: the number of pairs grows with the square."""
BLOCK_GROUPS = 200
"""Blocks are combined into at most so many groups, which share no deal either."""
SIGN_FLIPS = 999
SHOWN_CHANCE = 0.05
"""Match-ups count as shown where chance gives as much with at most this probability."""


@dataclass(frozen=True, slots=True)
class MatchUps:
    """What pairs show beyond their ratings: the probability (``chance``) that chance alone gives as much; and the
    clearest pair, in which ``one`` does better against ``two`` than the ratings predict: ``found`` instead of
    ``expected``, as the share of matches in which it ranks better, or in money (then ``expected`` is 0)."""

    chance: float
    one: str
    two: str
    found: float
    expected: float

    @property
    def shown(self) -> bool:
        """Whether there are match-ups that the ratings do not describe."""
        return self.chance <= SHOWN_CHANCE


def order_match_ups(
    matches: RatingMatches, worths: Numbers, seats: list[Numbers], component: Numbers
) -> MatchUps | None:
    """The match-ups beyond ratings by order of finish: ``worths`` by entrant, effects of the ``seats`` of each group,
    and the ``component`` of each entrant, beyond which nothing is compared. None where too little is known."""
    sums = _PairSums(matches)
    for tables in matches.tables:
        effects = numpy.array([each if len(each) == tables.players else numpy.zeros(tables.players) for each in seats])
        values = worths[tables.entrants] + effects[tables.group]
        for one in range(tables.players):
            for two in range(tables.players):
                first, second = tables.entrants[:, one], tables.entrants[:, two]
                told = (tables.ranks[:, one] != tables.ranks[:, two]) & (component[first] == component[second])
                if one == two or not told.any():
                    continue
                ahead = (tables.ranks[told, one] < tables.ranks[told, two]).astype(float)
                likely = 1 / (1 + numpy.exp(values[told, two] - values[told, one]))
                sums.add(first[told], second[told], tables.block[told], ahead, likely)
    return sums.test()


def money_match_ups(matches: RatingMatches, residuals: list[Numbers]) -> MatchUps | None:
    """The match-ups beyond ratings in money, from the money of each seat that these leave unexplained, by table."""
    sums = _PairSums(matches)
    for tables, left in zip(matches.tables, residuals, strict=True):
        for one in range(tables.players):
            for two in range(tables.players):
                if one != two:
                    nothing = numpy.zeros(tables.matches)
                    sums.add(tables.entrants[:, one], tables.entrants[:, two], tables.block, left[:, one], nothing)
    return sums.test()


class _PairSums:
    """What is seen and expected of each ordered pair of entrants, by group of blocks."""

    def __init__(self, matches: RatingMatches) -> None:
        counts = matches.match_counts()
        chosen = numpy.sort(numpy.argsort(-counts, kind="stable")[:MOST_TESTED])
        self._names = [matches.names[at] for at in chosen]
        self._place = numpy.full(len(matches.names), -1)
        self._place[chosen] = numpy.arange(len(chosen))
        self._groups = min(matches.blocks, BLOCK_GROUPS)
        self._size = len(chosen)
        self._found, self._expected, self._met = (
            numpy.zeros((self._groups, self._size * self._size)) for _ in range(3)
        )

    def add(self, one: Numbers, two: Numbers, block: Numbers, found: Numbers, expected: Numbers) -> None:
        """Add what matches show of their pairs."""
        first, second = self._place[one], self._place[two]
        there = (first >= 0) & (second >= 0)
        keys = (block[there] % self._groups) * self._size**2 + first[there] * self._size + second[there]
        for sums, values in ((self._found, found), (self._expected, expected), (self._met, numpy.ones(len(found)))):
            sums += numpy.bincount(keys, values[there], minlength=sums.size).reshape(sums.shape)

    def test(self) -> MatchUps | None:
        """The test over all pairs that met in enough groups; None with too few blocks, or pairs that are as few as what
        ratings fit."""
        cells = numpy.flatnonzero((self._met > 0).sum(0) >= LEAST_BLOCKS_TESTED)
        if self._groups < LEAST_BLOCKS_TESTED or not len(cells):
            return None
        one, two = numpy.divmod(cells, self._size)
        fitted = numpy.zeros((len(cells), 2 * self._size))
        fitted[numpy.arange(len(cells)), one] = fitted[numpy.arange(len(cells)), self._size + two] = 1
        normal = fitted.T @ fitted
        inverse = numpy.linalg.pinv(normal, hermitian=True)
        if len(cells) - round(float((inverse * normal).sum())) < 1:
            return None
        beyond = (self._found - self._expected)[:, cells]
        beyond = beyond - (beyond @ fitted) @ inverse @ fitted.T
        norms = numpy.sqrt((beyond * beyond).sum(0))
        kept = norms > 1e-9 * max(1.0, float(norms.max()))
        if not kept.any():
            return None
        scaled = beyond[:, kept] / norms[kept]
        seen = scaled.sum(0)
        generator = numpy.random.Generator(numpy.random.PCG64(1))
        signs = generator.integers(0, 2, (SIGN_FLIPS, self._groups)) * 2.0 - 1.0
        flipped = ((signs @ scaled) ** 2).sum(1)
        reached = int((flipped >= float((seen * seen).sum()) - 1e-9).sum())
        at = cells[kept][int(seen.round(9).argmax())]
        met = self._met[:, at].sum()
        giver, receiver = divmod(int(at), self._size)
        return MatchUps(
            (1 + reached) / (1 + SIGN_FLIPS),
            self._names[giver],
            self._names[receiver],
            float(self._found[:, at].sum() / met),
            float(self._expected[:, at].sum() / met),
        )
