"""Which decisions should `arena branch --scan` look at, and how often, if not all can be looked at often?

    nice python tests/bench/scan_rule.py [--rules card-game] [--bots dealmaker,greedy,fair,hard] [--seat 1] [--seed 1]
                                         [--few 12] [--repeat 32] [--draws 100]

Plays one match, and from every decision of the seat with few answers all other answers, so many times (minutes). Half
of the repetitions then choose ten decisions as a scan would, in two rounds, with each rule and number of decisions; the
other half tell what these ten truly cost together. Prints that for each rule, as a part of what is found where all
decisions are looked at, with halves drawn many times.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.random import PCG64, Generator
from numpy.typing import NDArray
from tabulate import tabulate

from arena.commands.branch.branches import Variant, open_match
from arena.commands.branch.inference.candidates import Candidate, choose_candidates
from arena.commands.branch.inference.dearest import OtherAnswer, kept_after_first, told_after_second
from arena.commands.branch.scan import ScanOptions, plan_scan
from arena.executors.serial import Serial
from arena.match.following.branch import BranchAnswer
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from arena.runs.single_match import MatchSetup, play_match, set_up_match
from tests.branch.played import play_branches

SIZES = ((1000, 2), (50, 2), (20, 4), (10, 8))
"""Decisions that are looked at, and how often in the first round."""
SECOND = 8
Gains = dict[OtherAnswer, NDArray[numpy.int64]]


class Found(NamedTuple):
    """All decisions of a seat, and what every other answer brought in each repetition."""

    candidates: list[Candidate]
    gains: Gains


def latest(candidates: Sequence[Candidate], most: int, draw: Generator) -> list[Candidate]:
    return sorted(candidates, key=lambda each: -each.ask)[:most]


def fewest(candidates: Sequence[Candidate], most: int, draw: Generator) -> list[Candidate]:
    return sorted(candidates, key=lambda each: (each.legal, -each.ask))[:most]


def at_random(candidates: Sequence[Candidate], most: int, draw: Generator) -> list[Candidate]:
    return [candidates[at] for at in draw.permutation(len(candidates))[:most]]


def in_turns(candidates: Sequence[Candidate], most: int, draw: Generator) -> list[Candidate]:
    return choose_candidates(candidates, most)


RULES: dict[str, Callable[[Sequence[Candidate], int, Generator], list[Candidate]]] = {
    "hooks take turns": in_turns,
    "latest first": latest,
    "fewest answers first": fewest,
    "at random": at_random,
}


def find(rules: str, bots: Sequence[str], seat: int, seed: str, few: int, repeat: int) -> Found:
    """Play everything."""
    with tempfile.TemporaryDirectory() as folder, closing(Serial()) as executor:
        path = Path(folder) / "match.jsonl"
        path.write_bytes(play_match(set_up_match(bots, MatchSetup(rules=rules, seed=seed), here=True)).replay)
        match = open_match(path, {}, TRUSTED_ISOLATION)
        planned = plan_scan(match, ScanOptions(seat, asks=100_000, few=few))
        candidates = [each.candidate for each in planned.chosen if each.candidate.all]
        gains: Gains = {}
        for each in candidates:
            variants = [Variant(each.ask), *(Variant(each.ask, BranchAnswer.GIVEN, move) for move in each.others)]
            played = play_branches(match, variants, range(1, repeat + 1), executor)
            money = [numpy.array([by_seat[seat] for by_seat in played[variant]]) for variant in variants]
            gains |= {
                OtherAnswer(each.ask, v.move): one - money[0] for v, one in zip(variants[1:], money[1:], strict=True)
            }
    return Found(candidates, gains)


def worth(found: Found, rule: str, most: int, times: int, draw: Generator) -> float:
    """What the ten decisions truly cost that are found with this rule, by other repetitions than have found them."""
    order = draw.permutation(next(iter(found.gains.values())).size)
    half = order.size // 2
    asks = {each.ask for each in RULES[rule](found.candidates, most, draw)}
    first = {other: gains[order[:times]].tolist() for other, gains in found.gains.items() if other.ask in asks}
    kept = kept_after_first(first)
    told = told_after_second({other: found.gains[other][order[: times + SECOND]].tolist() for other in kept})
    return float(sum(found.gains[other][order[half:]].mean() for other in told))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", default="card-game")
    parser.add_argument("--bots", default="dealmaker,greedy,fair,hard")
    parser.add_argument("--seat", type=int, default=1)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--few", type=int, default=12)
    parser.add_argument("--repeat", type=int, default=32)
    parser.add_argument("--draws", type=int, default=100)
    given = parser.parse_args()
    found = find(given.rules, given.bots.split(","), given.seat, given.seed, given.few, given.repeat)
    means: dict[tuple[str, int, int], float] = defaultdict(float)
    for rule in RULES:
        for most, times in SIZES:
            draw = Generator(PCG64(1))
            means[rule, most, times] = numpy.mean([worth(found, rule, most, times, draw) for _ in range(given.draws)])
    whole = means["hooks take turns", *SIZES[0]]
    print(f"{len(found.candidates)} decisions, {len(found.gains)} other answers; all looked at: {whole:.1f}")
    rows = [[rule, *(f"{means[rule, *size]:.1f}" for size in SIZES)] for rule in RULES]
    print(tabulate(rows, ["rule", *(f"{most} × {times}" for most, times in SIZES)], disable_numparse=True))


if __name__ == "__main__":
    main()
