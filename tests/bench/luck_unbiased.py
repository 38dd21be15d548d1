"""Whether chance brings nothing on average in the matches of runs, whose tables have deals of their own.

    nice python tests/bench/luck_unbiased.py FOLDER ...

For each edition: the mean excess of every feature of every seat, in standard errors (how many there are, the share
beyond 1.96, which should be 5 %, and the largest), and so the mean correction of every seat with the weights that ship
with arena and with 200 sets of random ones. Matches of one deal share rolls and draws: they are one observation.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
from tabulate import tabulate

from arena.commands.luck.corrected_money import excess_parts, load_value

RANDOM = 200


def scores(values: Any) -> Any:
    """Means over matches (the first axis) in standard errors, of those that vary."""
    errors = values.std(axis=0, ddof=1) / len(values) ** 0.5
    moved = errors > 1e-9
    return abs(values.mean(axis=0)[moved] / errors[moved])


def told(found: Any) -> list[str]:
    return [f"{found.size}", f"{(found > 1.96).mean() * 100:.1f} %", f"{found.max():.2f}"]


def corrected(excess: Any, own: Any, others: Any) -> Any:
    """The corrections by match and seat."""
    whole = excess.sum(axis=1, keepdims=True)
    return excess @ own + (whole - excess) @ others


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    given = parser.parse_args(arguments)
    editions: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for folder in given.folders:
        for some in excess_parts(folder):
            for record, excess in zip(some.records, some.excess, strict=True):
                if excess is not None:
                    editions.setdefault((record.game, record.edition), {}).setdefault(record.seed, []).append(excess)
    rows = []
    for (game, edition), deals in sorted(editions.items()):
        excess = numpy.array([numpy.mean(each, axis=0) for each in deals.values()])
        weights = load_value(None).weights_for(game, excess.shape[1])
        assert weights is not None
        fixed = scores(corrected(excess, numpy.array(weights.own), numpy.array(weights.others)))
        draws = numpy.random.default_rng(1).standard_normal((RANDOM, 2, excess.shape[2]))
        wrong = numpy.concatenate([scores(corrected(excess, own, others)) for own, others in draws])
        matches = sum(map(len, deals.values()))
        rows.append([edition, matches, len(deals), *told(scores(excess)), f"{fixed.max():.2f}", *told(wrong)[1:]])
    headers = [
        "edition",
        "matches",
        "deals",
        "features",
        "beyond 1.96",
        "largest",
        "shipped weights",
        "random: beyond",
        "largest",
    ]
    print(tabulate(rows, headers, disable_numparse=True))


if __name__ == "__main__":
    main()
