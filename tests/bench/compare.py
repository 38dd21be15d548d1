"""What `arena compare` costs to tell two versions apart, and what other ways of playing them would.

    nice python tests/bench/compare.py [--deals 80] [--timed 15] [--seed 1]

Plays versions of bundled bots in each other's place, in one process. Of each pair it prints:

- the difference of the share of opponents beaten, and what pairing is worth: the variance of the difference between two
  versions that play as many independent matches, divided by that of the pairs;
- deals and matches until `arena compare` had its verdict, over the same deals in many random orders (so also beyond
  them: drawn with replacement), and how often which;
- matches that a test of fixed size needs for a difference of the same size (0.3 deviations of a deal, 5 % errors on
  each side, as the sequential test has them): pairs, and two gauntlets or a round robin without common deals;
- milliseconds of CPU time for a pair played wholly, and played as far as it differs, as long as that is worth it; of
  the pairs that were asked first, how many never differ, and how much was answered alike before.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import NormalDist, fmean, pvariance
from time import process_time
from typing import NamedTuple

import numpy
from tabulate import tabulate

from arena.commands.compare.comparison import ComparisonOptions, ComparisonQuestion, ComparisonResult, set_up_comparison
from arena.commands.compare.paired_run import PairedRun
from arena.executors.serial import Serial
from arena.sequential.sequential_test import SequentialTest
from arena.storage.store import MemoryStore
from arena.tournament.inference.paired import PairedBlock, PairedMeasure, paired_figures
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.tables.rounded_figures import signed_text

MEASURE = PairedMeasure.BEATEN
ORDERS = 60
"""Random orders of the deals in which the test is run."""
MOST = 600
"""Deals after which one is given up."""


class Case(NamedTuple):
    """A new version, an old one, and the field."""

    new: str
    old: str
    field: tuple[str, ...]


CASES = (
    Case("greedy?greed=0.6", "greedy?greed=0.4", ("fair", "hard", "dealmaker")),
    Case("greedy?greed=0.42", "greedy?greed=0.4", ("fair", "hard", "dealmaker")),
    Case("dealmaker?ripe=5", "dealmaker?ripe=4", ("greedy", "fair", "hard")),
    Case("hoarder?ripe=5", "hoarder?ripe=4", ("greedy", "fair", "hard")),
)

ITSELF = Case("greedy", "greedy", ("fair", "hard", "dealmaker"))


def play(case: Case, deals: int, seed: int, lazy: bool) -> tuple[ComparisonResult, float, list[MatchRecord]]:
    """All deals, whatever they show, the seconds of CPU time they took, and the records of their matches."""
    asked = ComparisonQuestion(new="", old="", measure=MEASURE, difference=0.001, most=deals, lazy=lazy)
    wanted = ComparisonOptions(new=case.new, old=case.old, field=case.field, trust=True)
    plan, asked = set_up_comparison(wanted, asked, f"compare-{seed}")
    executor, store = Serial(), MemoryStore(records_only=True)
    began = process_time()
    try:
        found = PairedRun(plan, asked, store, executor, lambda run: None).start("bench")
    finally:
        executor.close()
    return found, process_time() - began, list(store.records())


def variance_apart(records: Iterable[MatchRecord], names: Sequence[str]) -> float:
    """The variance of the difference of one match of each version, where these have nothing in common."""
    shares: dict[str, list[float]] = {name: [] for name in names}
    for record in records:
        for number, seat in enumerate(record.seats):
            if seat.entrant in shares:
                shares[seat.entrant].append(float(MEASURE.seat_value(record, number)))
    return sum(pvariance(each) for each in shares.values())


def until_verdict(blocks: Sequence[PairedBlock], seed: int) -> tuple[float, Counter[str]]:
    """Deals until there was a verdict, in the mean, and the verdicts."""
    differences = numpy.array([each.difference(MEASURE, 1) for each in blocks])
    rng = numpy.random.Generator(numpy.random.PCG64(seed))
    settings = ComparisonQuestion(new="", old="", measure=MEASURE).settings
    lengths, verdicts = [], Counter[str]()
    for _ in range(ORDERS):
        state = SequentialTest(settings).feed(rng.choice(differences, MOST).tolist())
        lengths.append(state.blocks)
        verdicts[state.verdict.name.lower()] += 1
    return fmean(lengths), verdicts


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=80)
    parser.add_argument("--timed", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    normal = NormalDist()
    fixed = ((normal.inv_cdf(0.975) + normal.inv_cdf(0.95)) / 0.3) ** 2
    worth, times = [], []
    for case in CASES:
        found, _, records = play(case, given.deals, given.seed, lazy=True)
        paired = pvariance([each.difference(MEASURE, 1) for each in found.blocks])
        apart = variance_apart(records, [found.asked.new, found.asked.old]) / found.blocks[0].pairs
        mean, verdicts = until_verdict(found.blocks, given.seed)
        each = found.matches / len(found.blocks)
        told = ", ".join(f"{name} {100 * count / ORDERS:.0f} %" for name, count in verdicts.most_common())
        difference = signed_text(paired_figures(found.blocks, MEASURE).difference, share=True)
        gain = apart / paired
        name = f"{case.new} / {case.old}"
        worth.append([name, difference, f"{gain:.1f}", told, f"{mean:.0f}", f"{mean * each:.0f}",
                      f"{fixed * each:.0f}", f"{fixed * each * gain:.0f}"])  # fmt: skip
        times.append(timed(name, case, given.timed, given.seed))
        print(tabulate(worth, ["new / old", "beaten", "pairing", "verdicts", "deals", "matches", "fixed", "apart"]))
        print(flush=True)
    times.append(timed("itself / greedy", ITSELF, given.timed, given.seed))
    headers = ["new / old", "asked first", "never differ", "answers before", "ms wholly", "ms as it is"]
    print(tabulate(times, headers))


def timed(name: str, case: Case, deals: int, seed: int) -> list[object]:
    """A row of what playing only what differs costs and saves."""
    lazy, short, _ = play(case, deals, seed, lazy=True)
    eager, long, _ = play(case, deals, seed, lazy=False)
    differences = [[one.difference(MEASURE, 1) for one in found.blocks] for found in (lazy, eager)]
    assert differences[0] == differences[1]
    savings, pairs = lazy.savings, lazy.matches / 2
    assert savings is not None
    never, before = f"{savings.never / savings.pairs:.0%}", f"{savings.before / savings.asks:.0%}"
    return [name, savings.pairs, never, before, f"{1000 * long / pairs:.1f}", f"{1000 * short / pairs:.1f}"]


if __name__ == "__main__":
    main()
