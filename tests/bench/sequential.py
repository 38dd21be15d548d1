"""How often a sequential test errs, and how many blocks it takes, with a look after each block.

    nice python tests/bench/sequential.py [--runs 2000] [--seed 1] [--difference 0.3] [--bounds] [--stops]
                                           [--interval] [--width]

Block differences of several kinds are drawn, without any difference between the versions and with one of exactly the
declared size, twice it and half of it; the test decides each run by itself. The peek-proof interval is right in a run
if it never excluded the true mean. With ``--bounds`` instead: what it costs if the bound lies far from what happens.
With ``--stops``: whether tests stop when it was forecast, and how far off the estimate is after a stop, before and
after it is corrected. With ``--interval``: how often the peek-proof interval is wrong at some look from the tenth to
the thousandth block, verdict or not. With ``--width``: how wide it is beside the ordinary one, and the least that any
such interval can be. One process; prints a row after another.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
from statistics import NormalDist

import numpy
from tabulate import tabulate

from arena.sequential.confidence_sequence import FIRST_LOOK, LAST_LOOK, anytime_intervals
from arena.sequential.likelihood_ratio import Floats
from arena.sequential.sequential_test import SequentialState, likelihood_ratios
from arena.sequential.stopping import corrected_effect, forecast_stop
from arena.sequential.test_settings import SequentialVerdict, Settings
from arena.tournament.inference.intervals import Estimate
from arena.tournament.inference.student_t import t_quantile_975

MOST = 2000
"""Blocks after which a run would count as hanging."""
CHUNK = 8
"""Blocks that are drawn and judged at a time."""


@dataclass(frozen=True)
class Kind:
    """Block differences that take these values with these probabilities, whose mean is 0; those beyond ``bound`` are
    cut."""

    name: str
    bound: float
    values: Floats
    probabilities: Floats

    def tilted(self, effect: float) -> Floats:
        """The nearest probabilities (by exponential tilting) with which the mean is so many deviations."""
        most = float(numpy.abs(self.values).max())
        low, high = -60.0 / most, 60.0 / most
        for _ in range(200):
            middle = (low + high) / 2
            given = self.probabilities * numpy.exp(middle * self.values)
            given /= given.sum()
            mean = given @ self.values
            low, high = (middle, high) if mean < effect * sqrt(given @ (self.values - mean) ** 2) else (low, middle)
        return given


def kinds() -> list[Kind]:
    """Those that are tried."""
    quarters = numpy.arange(-4, 5) / 4
    one = numpy.array([0.2, 0.6, 0.2])
    four = one
    for _ in range(3):
        four = numpy.convolve(four, one)
    money = numpy.arange(-30, 31, 1.5)
    heavy = (1 + (money / 4) ** 2 / 2) ** -1.5
    skewed = numpy.zeros(9)
    skewed[[0, 4, 5]] = 0.1, 0.5, 0.4
    rare = numpy.zeros(9)
    rare[[0, 4, 5]] = 0.02, 0.9, 0.08
    twelfths = numpy.arange(-12, 13) / 12
    beaten = (1 + (twelfths / 0.15) ** 2 / 5) ** -3
    losses = numpy.zeros(25)
    losses[[6, 12, 14]] = 0.1, 0.6, 0.3
    far = numpy.zeros(25)
    far[[0, 11, 12, 14]] = 0.05, 0.3, 0.2, 0.45
    near = numpy.zeros(25)
    near[[0, 10, 12, 14]] = 0.05, 0.3, 0.2, 0.45
    rarer = numpy.zeros(25)
    rarer[[0, 11, 12, 14]] = 0.02, 0.4, 0.28, 0.3
    return [
        Kind("beaten, 4 pairs", 0.5, twelfths, beaten / beaten.sum()),
        Kind("beaten, 30 % +1/6, 10 % -1/2", 0.5, twelfths, losses),
        Kind("wins, 4 pairs", 0.75, quarters, four),
        Kind("three values, 90 % zero", 1, numpy.array([-1.0, 0, 1]), numpy.array([0.05, 0.9, 0.05])),
        Kind("money, heavy tails, clipped", 30, money, heavy / heavy.sum()),
        Kind("40 % +1/4, 10 % -1", 1, quarters, skewed),
        Kind("8 % +1/4, 2 % -1", 1, quarters, rare),
        Kind("45 % +1/6, 30 % -1/12, 5 % -1", 1, twelfths, far),
        Kind("45 % +1/6, 30 % -1/6, 5 % -1", 1, twelfths, near),
        Kind("30 % +1/6, 40 % -1/12, 2 % -1", 1, twelfths, rarer),
    ]


def bounded(deviations: int) -> Kind:
    """Normal differences in a range whose ends lie so many deviations away."""
    values = numpy.arange(-3, 3.01, 0.25)
    likely = numpy.exp(-(values**2) / 2)
    return Kind(f"normal, bound {deviations} deviations", deviations, values, likely / likely.sum())


@dataclass
class Found:
    """Shares of runs that were found better, worse, alike; that hung; whose interval was once wrong; and blocks. Each
    run's end is in ``lengths``, ``said`` (1, -1, or 0 for alike) and ``shown`` (the mean); what was known after a
    number of blocks, of runs without a verdict yet, in ``known``."""

    better: float
    worse: float
    alike: float
    hung: float
    missed: float
    blocks: float
    longest: int
    lengths: Floats
    said: Floats
    shown: Floats
    deviations: Floats
    known: dict[int, dict[int, SequentialState]] = field(default_factory=dict)


def simulate(kind: Kind, effect: float, settings: Settings, runs: int, seed: int, looks: Sequence[int] = ()) -> Found:
    """So many runs of the test on differences of this kind with this effect; ``looks`` are blocks after which what is
    known is kept."""
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    given = kind.tilted(effect)
    values, folded = numpy.unique(numpy.clip(kind.values, -kind.bound, kind.bound), return_inverse=True)
    true = float(numpy.bincount(folded, given) @ values)
    counts, rows = numpy.zeros((runs, len(values))), numpy.arange(runs)
    excluded, missed = numpy.zeros((2, runs), dtype=bool), numpy.zeros(runs, dtype=bool)
    found = Found(0, 0, 0, 0, 0, 0, 0, *(numpy.zeros(runs) for _ in range(4)))
    for before in range(0, MOST, CHUNK):
        drawn = folded[random.choice(len(kind.values), (CHUNK, len(rows)), p=given)]
        all_counts = counts + (drawn[:, :, None] == numpy.arange(len(values))).cumsum(axis=0)
        blocks = before + numpy.arange(1, CHUNK + 1)[:, None]
        means = all_counts @ values / blocks
        squares = all_counts @ (values * values) / blocks - means * means
        flat = all_counts.reshape(-1, len(values))
        both = numpy.array(likelihood_ratios(values, flat, settings)).reshape(2, CHUNK, -1)
        out = numpy.logical_or.accumulate(both <= settings.lower_bound, axis=1) | excluded[:, None]
        shown = (both >= settings.upper_bound) & ~out
        ends = shown.any(axis=0) | out.all(axis=0)
        done, last = ends.any(axis=0), ends.argmax(axis=0)
        last[~done] = CHUNK - 1
        wrong = wrong_intervals(values, flat, kind.bound, true).reshape(CHUNK, -1)
        missed[rows] |= (wrong & (numpy.arange(CHUNK)[:, None] <= last)).any(axis=0)
        ended, at = rows[done], (last[done], numpy.flatnonzero(done))
        found.lengths[ended], found.shown[ended] = before + 1 + last[done], means[at]
        found.deviations[ended] = numpy.sqrt(numpy.maximum(squares[at], 0))
        found.said[ended] = numpy.where(shown[0][at], 1, numpy.where(shown[1][at], -1, 0))
        for look in (each for each in looks if before < each <= before + CHUNK):
            step = look - before - 1
            left = ~ends[: step + 1].any(axis=0)
            states = zip(both[:, step].T, out[:, step].T, means[step], squares[step], strict=True)
            known = {int(row): known_state(look, *each) for row, each in zip(rows, states, strict=True)}
            found.known[look] = {int(row): known[int(row)] for row in rows[left]}
        counts, excluded, rows = all_counts[-1][~done], out[:, -1][:, ~done], rows[~done]
        if not len(rows):
            break
    alike = numpy.ones(runs, dtype=bool)
    alike[rows] = False
    found.better, found.worse = float((found.said > 0).mean()), float((found.said < 0).mean())
    found.alike = float((alike & (found.said == 0)).mean())
    longest = MOST if len(rows) else int(found.lengths.max())
    found.hung, found.missed, found.longest = len(rows) / runs, float(missed.mean()), longest
    found.blocks = float(found.lengths[alike].mean())
    return found


def known_state(
    blocks: int,
    ratios: Floats,
    excluded: Floats,
    mean: float,
    square: float,
    verdict: SequentialVerdict = SequentialVerdict.UNDECIDED,
) -> SequentialState:
    """The state of a test of which only this is known."""
    estimate = Estimate.from_half_width(float(mean), None, blocks)
    told = float(ratios[0]), float(ratios[1]), bool(excluded[0]), bool(excluded[1])
    return SequentialState(blocks, verdict, *told, 0, 0, estimate, sqrt(max(0.0, float(square))), blocks)


def stops(kind: Kind, effect: float, given: argparse.Namespace) -> list[object]:
    """Whether forecasts hold, and what estimates are after *better*, in deviations."""
    settings = Settings(measure=kind.name, bound=kind.bound, difference=given.difference)
    found = simulate(kind, effect, settings, given.runs, given.seed, looks=LOOKS)
    row: list[object] = [kind.name, f"{effect:.2f}"]
    for look in LOOKS:
        seen = [
            (found.lengths[run] - look, forecast)
            for run, state in list(found.known.get(look, {}).items())[: given.forecasts]
            if found.lengths[run] and (forecast := forecast_stop(state, settings, MOST)) is not None
        ]
        if not seen:
            row += ["", ""]
            continue
        for at in range(2):  # the usual number of blocks, the likely most
            row.append(f"{100 * numpy.mean([took <= cast[at] for took, cast in seen]):.0f} %")
    better = numpy.flatnonzero(found.said > 0)
    if not len(better):
        return [*row, "0 %", "", ""]
    corrected = []
    for run in better[: given.forecasts // 4]:
        state = known_state(int(found.lengths[run]), numpy.zeros(2), numpy.zeros(2), found.shown[run],
                            found.deviations[run] ** 2, SequentialVerdict.BETTER)  # fmt: skip
        corrected.append(corrected_effect(state, settings))
    shown = found.shown[better] / found.deviations[better]
    return [*row, f"{100 * len(better) / given.runs:.0f} %", f"{shown.mean():.2f}", f"{numpy.mean(corrected):.2f}"]


LOOKS = 10, 20, 40
"""Blocks after which forecasts are tried."""


def wrong_intervals(values: Floats, counts: Floats, bound: float, true: float) -> Floats:
    """Which rows' peek-proof intervals exclude the true mean."""
    lows, highs = anytime_intervals(values, counts, bound)
    return (true < lows) | (true > highs)


def looks_until(last: int) -> list[int]:
    """The blocks after which intervals are looked at: each up to the hundredth, then after 2 % more."""
    looks = list(range(FIRST_LOOK, 100))
    while looks[-1] < last:
        looks.append(max(looks[-1] + 1, int(looks[-1] * 1.02)))
    return looks


def wrong_share(kind: Kind, effect: float, runs: int, seed: int, last: int = LAST_LOOK) -> float:
    """The share of runs in which the peek-proof interval excludes the true mean at some look."""
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    given = kind.tilted(effect)
    values, folded = numpy.unique(numpy.clip(kind.values, -kind.bound, kind.bound), return_inverse=True)
    given = numpy.bincount(folded, given)
    counts, wrong, before = numpy.zeros((runs, len(values))), numpy.zeros(runs, dtype=bool), 0
    for look in looks_until(last):
        counts += random.multinomial(look - before, given, runs)
        wrong |= wrong_intervals(values, counts, kind.bound, float(given @ values))
        before = look
    return float(wrong.mean())


EFFECTS = 0.0, 0.3, -0.3, 0.6, -0.6, 1.0


def interval_row(kind: Kind, given: argparse.Namespace) -> list[object]:
    """How often the peek-proof interval is wrong at some look, for each effect."""
    wrong = (wrong_share(kind, effect, given.runs, given.seed) for effect in EFFECTS)
    return [kind.name, *(f"{100 * share:.1f} %" for share in wrong)]


def width_rows(drawn: int = 400) -> list[list[object]]:
    """The mean width of the peek-proof interval beside the ordinary one, of normal differences whose bound lies so many
    deviations off."""
    random = numpy.random.Generator(numpy.random.PCG64(1))
    rows: list[list[object]] = []
    for deviations in (3, 4, 6):
        kind = bounded(deviations)
        row: list[object] = [deviations]
        for blocks in (10, 15, 20, 30, 50, 100, 200, 500, 1000):
            counts = random.multinomial(blocks, kind.probabilities, drawn).astype(float)
            lows, highs = anytime_intervals(kind.values, counts, kind.bound)
            means = counts @ kind.values / blocks
            errors = numpy.sqrt((counts @ kind.values**2 / blocks - means**2) / (blocks - 1))
            ordinary = 2 * t_quantile_975(blocks - 1) * errors.mean()
            row.append(f"{(highs - lows).mean() / ordinary:.2f}")
        rows.append(row)
    return rows


def least_rows(runs: int, seed: int) -> list[list[object]]:
    """The least multiple of the ordinary interval that holds 95 % of normal runs from one look to another: no interval
    that holds at all of these looks stays below it at each of them."""
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    quantiles = numpy.array([t_quantile_975(blocks - 1) for blocks in range(2, LAST_LOOK + 1)])
    blocks = numpy.arange(1, LAST_LOOK + 1)
    far = numpy.zeros((runs, LAST_LOOK - 1))
    for run in range(runs):
        seen = random.normal(0, 1, LAST_LOOK)
        means = seen.cumsum() / blocks
        errors = numpy.sqrt(((seen * seen).cumsum() / blocks - means**2)[1:] / blocks[:-1])
        far[run] = numpy.abs(means[1:]) / errors / quantiles
    rows: list[list[object]] = []
    for first in (10, 20, 50):
        found = (numpy.quantile(far[:, first - 2 : last - 1].max(1), 0.95) for last in (100, 300, LAST_LOOK))
        rows.append([first, *(f"{each:.2f}" for each in found)])
    return rows


def fixed(settings: Settings) -> int:
    """The blocks of a test whose number of blocks is settled before, with the same chances of error."""
    normal = NormalDist()
    return ceil(
        ((normal.inv_cdf(1 - settings.alpha / 2) + normal.inv_cdf(1 - settings.beta)) / settings.difference) ** 2
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="runs of each kind and effect")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is drawn")
    parser.add_argument("--difference", type=float, default=0.3, help="the declared difference, in deviations")
    parser.add_argument("--bounds", action="store_true", help="try bounds that lie near and far")
    parser.add_argument("--stops", action="store_true", help="try forecasts and estimates after a stop")
    parser.add_argument("--forecasts", type=int, default=300, help="with --stops: forecasts of each kind")
    parser.add_argument("--interval", action="store_true", help="how often the peek-proof interval is wrong")
    parser.add_argument("--width", action="store_true", help="the width of the peek-proof interval")
    given = parser.parse_args(arguments)
    if given.width:
        print(tabulate(width_rows(), ["bound ÷ deviation", 10, 15, 20, 30, 50, 100, 200, 500, 1000]))
        print(tabulate(least_rows(given.runs, given.seed), ["from block", "to 100", "to 300", f"to {LAST_LOOK}"]))
        return
    if given.interval:
        rows = []
        for kind in [*kinds(), bounded(3), bounded(6)]:
            rows.append(interval_row(kind, given))
            print(*rows[-1], sep="  ", flush=True)
        print(tabulate(rows, ["block differences", *(f"{effect:+.1f}" for effect in EFFECTS)]))
        return
    d = given.difference
    if given.stops:
        rows = []
        for kind in (kinds()[0], bounded(3)):
            for effect in (0.0, d / 2, d, 2 * d):
                rows.append(stops(kind, effect, given))
                print(*rows[-1], sep="  ", flush=True)
        looks = [f"{name} at {look}" for look in LOOKS for name in ("usual", "most")]
        print(tabulate(rows, ["block differences", "effect", *looks, "better", "shown", "corrected"]))
        return
    rows = []
    for kind in [bounded(each) for each in (3, 6, 12, 25)] if given.bounds else kinds():
        settings = Settings(measure=kind.name, bound=kind.bound, difference=d)
        for effect in (0.0, d, -d, 2 * d, d / 2):
            found = simulate(kind, effect, settings, given.runs, given.seed)
            shares = [
                f"{100 * share:.1f} %" for share in (found.better, found.worse, found.alike, found.hung, found.missed)
            ]
            rows.append([kind.name, f"{effect:+.2f}", *shares, f"{found.blocks:.0f}", found.longest])
            print(*rows[-1], sep="  ", flush=True)
    headers = ["block differences", "effect", "better", "worse", "alike", "hung", "off", "blocks", "longest"]
    print(tabulate(rows, headers, disable_numparse=True))
    print(f"with a fixed number of blocks: {fixed(settings)}")


if __name__ == "__main__":
    main()
