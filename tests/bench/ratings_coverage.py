"""Do the 95 % intervals of ratings hold the truth in 95 % of runs? Draws runs of entrants of known strength, whose
matches resemble each other within a block, rates them, and counts; prints a table, with how often the test of match-ups
says that ratings do not describe who beats whom. Then the same test where they do not: each entrant is as much better
than two others as it is worse than two, beyond its strength.

Run: python tests/bench/ratings_coverage.py [RUNS]     (500 runs of each kind by default; some minutes on one core)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy

from arena.ratings.by_money.money_ratings import rate_money
from arena.ratings.by_order.orders import rate_orders
from arena.ratings.order_columns import RatingMatches
from arena.ratings.scale import RatingScale
from tests.ratings.simulated import (
    Numbers,
    all_tables,
    matches_of,
    ranks_with_ties,
    ranks_without_ties,
    resembling,
    some_tables,
)

COUNT = 6
WORTHS = numpy.array([0.8, 0.4, 0.0, 0.0, -0.4, -0.8])
OWN, OTHERS = numpy.array([6.0, 3.0, 0.0, 0.0, -3.0, -6.0]), numpy.array([-1.0, 2.0, 0.0, 0.0, -2.0, 1.0])
SEATS = numpy.array([0.3, 0.0, -0.1, -0.2])


def tables(design: str, blocks: int, random: numpy.random.Generator) -> tuple[Numbers, Numbers]:
    """Who sits where, and the block."""
    return all_tables(COUNT, blocks) if design == "all tables" else some_tables(COUNT, blocks, random)


def in_order(design: str, blocks: int, random: numpy.random.Generator) -> RatingMatches:
    """Matches without ties, whose noise is a third the block's."""
    entrants, block = tables(design, blocks, random)
    noise = resembling(entrants, block, 1 / 3, random)
    return matches_of(entrants, ranks_without_ties(WORTHS[entrants] + SEATS, noise), block)


def with_ties(design: str, blocks: int, random: numpy.random.Generator) -> RatingMatches:
    """The same with shared ranks in a quarter of the matches."""
    entrants, block = tables(design, blocks, random)
    noise = resembling(entrants, block, 1 / 3, random)
    return matches_of(entrants, ranks_with_ties(WORTHS[entrants] + SEATS, noise, -1.5, random), block)


def in_money(design: str, blocks: int, random: numpy.random.Generator, several: bool = True) -> RatingMatches:
    """Money with heavy tails (Student's t with 3 degrees of freedom), different by deal and, a third of it, by the
    entrant in the block. ``several``: all tables of a block play one deal; else each plays its own."""
    entrants, block = tables(design, blocks, random)
    deal = block if several else numpy.arange(len(block))
    shift = 10 * random.normal(size=int(deal.max()) + 1)[deal][:, None]
    left = OTHERS[entrants]
    others = left.sum(axis=1, keepdims=True) - left
    noise = 5 * resembling(entrants, block, 1 / 3, random) + 3 * random.standard_t(3, size=entrants.shape)
    money = OWN[entrants] + others + SEATS + shift + noise
    return matches_of(entrants, numpy.ones(entrants.shape, dtype=int), block, money, deal)


def coverage(scale: RatingScale, truth: Numbers) -> tuple[int, int, int, int]:
    """How many intervals of entrants hold the truth, of how many; the same of differences of two."""
    held = number = pairs_held = pairs = 0
    for at in range(len(truth)):
        estimate = scale.estimate(at)
        if estimate.low is not None and estimate.high is not None:
            held += estimate.low <= truth[at] - truth.mean() <= estimate.high
            number += 1
        for other in range(at):
            moved = RatingScale(scale.names, scale.values - truth, scale.covariance, scale.blocks, scale.equal)
            above = moved.above(at, other)
            if above is not None:
                pairs_held += 0.025 <= above <= 0.975
                pairs += 1
    return held, number, pairs_held, pairs


KINDS: dict[str, Callable[[str, int, numpy.random.Generator], RatingMatches]] = {
    "order": in_order,
    "order, ties": with_ties,
    "money, common deals": in_money,
    "money, own deals": lambda design, blocks, random: in_money(design, blocks, random, several=False),
}


def cyclic(amount: float, blocks: int, random: numpy.random.Generator) -> RatingMatches:
    """Matches in which each of the entrants has ``amount`` more of a log-worth for each of the next two at its table,
    and as much less for each of the two before it."""
    entrants, block = tables("all tables", blocks, random)
    apart = (entrants[:, None, :] - entrants[:, :, None]) % COUNT
    gains = numpy.isin(apart, (1, 2)).sum(axis=2) - numpy.isin(apart, (COUNT - 2, COUNT - 1)).sum(axis=2)
    noise = resembling(entrants, block, 1 / 3, random)
    return matches_of(entrants, ranks_without_ties(WORTHS[entrants] + SEATS + amount * gains, noise), block)


def scales(kind: str, matches: RatingMatches) -> Iterator[tuple[str, RatingScale, Numbers]]:
    """The scales of a run with the truth."""
    if kind.startswith("order"):
        for scale in rate_orders(matches).scales:
            yield "log-worth", scale, WORTHS
        return
    for rating in rate_money(matches).ratings:
        assert rating.others is not None
        yield "own", rating.own, OWN
        yield "others", rating.others, OTHERS
        yield "lead", rating.lead, OWN - OTHERS


def main(runs: int) -> None:
    """Print the table."""
    print("kind                 design       blocks  runs  of             entrants  differences  match-ups")
    for kind, draw in KINDS.items():
        for design in ("all tables", "some tables"):
            for blocks in (3, 5, 10, 30):
                random = numpy.random.default_rng(blocks)
                held: dict[str, Numbers] = {}
                rated = said = 0
                for _ in range(runs):
                    matches = draw(design, blocks, random)
                    found = list(scales(kind, matches))
                    fit = (rate_orders if kind.startswith("order") else rate_money)(matches).match_ups
                    said += fit is not None and fit.shown
                    rated += bool(found)
                    for name, scale, truth in found:
                        if len(scale.names) == COUNT:
                            held[name] = held.get(name, numpy.zeros(4)) + coverage(scale, truth)
                for name, (own, number, pairs, count) in held.items():
                    print(
                        f"{kind:<20} {design:<12} {blocks:>6} {rated:>5}  {name:<12} "
                        f"{own / number * 100:>8.1f} % {pairs / count * 100:>9.1f} %  {said / runs * 100:>9.1f} %",
                        flush=True,
                    )
    for blocks in (10, 30, 100):
        for amount in (0.2, 0.4, 0.6):
            random = numpy.random.default_rng(blocks)
            fits = [rate_orders(cyclic(amount, blocks, random)).match_ups for _ in range(runs)]
            said = 100 * sum(fit is not None and fit.shown for fit in fits) / runs
            print(f"in a circle, {amount:.1f}     all tables   {blocks:>6} {runs:>5}  match-ups {said:>8.1f} %")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 500)
