"""What choosing the tables of a ladder by results is worth, and whether it spoils the ratings. Plays seasons of made-up
versions of known strength, once with tables as they are chosen, once with everybody meeting everybody as evenly as can
be, from the same seeds; prints four tables.

Run: nice python tests/bench/ladder_pairing.py [RUNS [PART...]]     (60 seasons of each kind by default, half an hour of
     one core; parts are apart, newcomers, equal, honest)
"""

from __future__ import annotations

import sys
from math import sqrt

import numpy

from arena.ladder.rating.pairing import PairingRules
from arena.ratings.by_order.orders import POINTS
from arena.ratings.scale import RatingScale
from arena.tournament.inference.student_t import t_quantile_975
from tests.ladder.made_up import MadeUp, Numbers, called

ZONE = 0.05
FIELDS: dict[str, list[float]] = {
    "16, even steps, 3 copies": [*numpy.linspace(-1.2, 1.2, 13).tolist(), -0.8, 0.0, 0.0],
    "24, far apart, 8 near": [*numpy.linspace(-3, 3, 16).tolist(), 0.1, 0.2, 0.2, 0.2, 0.3, 0.5, 0.6, 0.7],
    "40, normal": (numpy.random.default_rng(7).normal(size=40) * 0.8).tolist(),
}
LEVELS = (0.8, 0.9, 0.95)
ROUNDS = 60


def ratio(one: Numbers, two: Numbers) -> str:
    """How many times as much the first is as the second, run by run: the geometric mean with its 95 % interval."""
    logs = numpy.log(one / two)
    half = t_quantile_975(len(logs) - 1) * logs.std(ddof=1) / sqrt(len(logs))
    low, high = numpy.exp(logs.mean() - half), numpy.exp(logs.mean() + half)
    return f"{numpy.exp(logs.mean()):.2f} ({low:.2f} to {high:.2f})"


def mean(values: Numbers, unit: float = 1.0) -> str:
    """The mean with half of its 95 % interval."""
    values = numpy.asarray(values, dtype=float) * unit
    half = t_quantile_975(len(values) - 1) * values.std(ddof=1) / sqrt(len(values))
    return f"{values.mean():.3g} ±{half:.2g}"


def told_apart(runs: int) -> None:
    """How many tables it takes until so many of the pairs that truly differ are told apart."""
    print("rounds until a share of the pairs outside the zone is told apart; evenly ÷ chosen")
    for name, worths in FIELDS.items():
        first = {
            chosen: numpy.array([first_rounds(worths, seed, chosen) for seed in range(runs)])
            for chosen in (True, False)
        }
        for at, level in enumerate(LEVELS):
            even, chosen = first[False][:, at], first[True][:, at]
            never = f"{(even > ROUNDS).sum()}/{(chosen > ROUNDS).sum()}"
            print(
                f"{name:<26} {level:>4.0%}  even {even.mean():5.1f}  chosen {chosen.mean():5.1f}  "
                f"ratio {ratio(even, chosen)}  not within {ROUNDS} rounds: {never}",
                flush=True,
            )


def first_rounds(worths: list[float], seed: int, chosen: bool) -> list[int]:
    """By level the first round after which it is reached; one more than there are if it is not."""
    season = MadeUp(worths, seed, chosen=chosen, wanted=PairingRules(12, ZONE))
    outside, found = season.outside(ZONE), [ROUNDS + 1] * len(LEVELS)
    for number in range(1, ROUNDS + 1):
        season.play()
        share = season.known(ZONE).apart[outside].mean()
        found = [min(each, number) if share >= level else each for each, level in zip(found, LEVELS, strict=True)]
    return found


def newcomers(runs: int) -> None:
    """How many tables of all are played until a newcomer's interval is so narrow, and what becomes of its rating."""
    print("one joins 40 others after 8 rounds of 40 tables: rounds until its interval is ±70, ±50 points")
    worths = [*FIELDS["40, normal"], 0.3]
    waits: dict[bool, list[list[int]]] = {}
    for chosen in (True, False):
        waits[chosen] = []
        off, held = [], []
        for seed in range(runs):
            season = MadeUp(worths, seed, chosen=chosen, joins={40: 8}, count=40, wanted=PairingRules(24, ZONE))
            season.play(8)
            wait = [31, 31]
            for number in range(1, 31):
                season.play()
                half = half_width(season, 40)
                wait = [min(each, number) if half <= to else each for each, to in zip(wait, (70, 50), strict=True)]
                if number in (1, 6):
                    error, sure = newcomer_error(season, 40)
                    off.append((number, error))
                    held.append((number, sure))
                if wait[1] < 31 and number >= 6:
                    break
            waits[chosen].append(wait)
        for number in (1, 6):
            errors = numpy.array([each for at, each in off if at == number and each is not None])
            sure = numpy.array([each for at, each in held if at == number and each is not None])
            print(
                f"  {'chosen' if chosen else 'even':<7} after {number} rounds: off by {mean(errors, POINTS)} points, "
                f"intervals hold {mean(sure, 100)} %",
                flush=True,
            )
    for at, to in enumerate((70, 50)):
        even, with_results = (numpy.array([each[at] for each in waits[way]]) for way in (False, True))
        print(f"  ±{to}: even {even.mean():.1f}, chosen {with_results.mean():.1f}, ratio {ratio(even, with_results)}")


def half_width(season: MadeUp, at: int) -> float:
    """Half of the interval of a version, in points; infinite where it has none."""
    for scale in season.scales:
        if called(at) in scale.names:
            half = scale.estimate(scale.names.index(called(at))).half_width
            return numpy.inf if half is None else half * POINTS
    return float(numpy.inf)


def newcomer_error(season: MadeUp, at: int) -> tuple[float | None, bool | None]:
    """By how much a version's value is too high, and whether its interval holds the truth."""
    for scale in season.scales:
        if called(at) in scale.names and len(scale.names) == season.size:
            found = scale.estimate(scale.names.index(called(at)))
            truth = season.worths[at] - season.worths.mean()
            if found.mean is None or found.low is None or found.high is None:
                return None, None
            return found.mean - truth, found.low <= truth <= found.high
    return None, None


def equal_ones(runs: int) -> None:
    """What two equal versions cost, of 20 that are else far apart, in rounds of 20 tables."""
    print("two equal ones among 20 that are far apart: their share of all seats (two of 20 are 10 %)")
    worths = [*numpy.linspace(-3, 3, 19).tolist(), 0.0]
    shares, states = [], []
    for seed in range(runs):
        season = MadeUp(worths, seed, count=20, wanted=PairingRules(12, ZONE))
        row = []
        for _ in range(8):
            season.play(15)
            row.append(season.seats_of(len(season.rounds) - 15)[[9, 19]].sum() / (15 * 20 * 4))
        known = season.known(ZONE)
        states.append((known.equal[9, 19], known.apart[9, 19], ~(known.equal | known.apart)[9, 19]))
        shares.append(row)
    for number, column in enumerate(numpy.array(shares).T):
        print(f"  rounds {number * 15 + 1:>3} to {number * 15 + 15:>3}: {mean(column, 100)} %", flush=True)
    equal, apart, still = numpy.array(states).mean(axis=0)
    print(f"  in the end as good as equal {equal:.0%}, told apart (wrongly) {apart:.0%}, open {still:.0%}")


def honest(runs: int) -> None:
    """Whether intervals hold the truth, whether ratings are biased, who has played how much, who has met whom."""
    print("after 30 rounds; * by the halves of the field: those truly below and above the mean, in points")
    print("field                              entrants   pairs  equal apart   wrong     off below     off above")
    for name, worths in FIELDS.items():
        for chosen in (True, False):
            found = numpy.array([one_season(worths, seed, chosen) for seed in range(runs)])
            held, pairs, equal, wrong, _, _, least, most, seldom, often, _ = found.mean(axis=0)
            below, above = (mean(found[:, column], POINTS) for column in (4, 5))
            way = "chosen" if chosen else "even"
            print(
                f"{name:<26} {way:<7} {held:>8.1%} {pairs:>7.1%} {equal:>12.1%} {wrong:>7.2%} {below:>13} {above:>13}"
            )
            print(
                f"    tables {least:.2f} to {most:.2f} × the mean, {found[:, 10].min():.0f} or more in each round; met "
                f"{seldom:.2f} to {often:.2f} × the mean",
                flush=True,
            )


def one_season(worths: list[float], seed: int, chosen: bool) -> list[float]:
    """The figures of one season."""
    season = MadeUp(worths, seed, chosen=chosen, wanted=PairingRules(12, ZONE))
    season.play(30)
    scale = next(each for each in season.scales if len(each.names) == season.size)
    truth = season.worths - season.worths.mean()
    values = [scale.estimate(at) for at in range(season.size)]
    held = [each.low <= true <= each.high for each, true in zip(values, truth, strict=True) if each.low is not None]
    off = numpy.array([each.mean for each in values]) - truth
    errors = without_truth(scale, season.worths)
    pairs = [
        0.025 <= chance <= 0.975
        for one in range(season.size)
        for two in range(one)
        if (chance := errors.above(one, two)) is not None
    ]
    known, alike = season.known(ZONE), numpy.triu(season.worths[:, None] == season.worths[None, :], 1)
    outside = season.outside(ZONE)
    met = numpy.array(
        [season.met.get((called(one), called(two)), 0) for two in range(season.size) for one in range(two)]
    )
    tables = season.tables / season.tables.mean()
    rounds = [season.seats_of(at, at + 1).min() for at in range(30)]
    return [
        numpy.mean(held),
        numpy.mean(pairs),
        known.apart[alike].mean() if alike.any() else numpy.nan,
        known.wrong[outside].mean(),
        off[truth < 0].mean(),
        off[truth > 0].mean(),
        tables.min(),
        tables.max(),
        met.min() / met.mean(),
        met.max() / met.mean(),
        min(rounds),
    ]


def without_truth(scale: RatingScale, worths: Numbers) -> RatingScale:
    """The same scale less the true values: on it all are equal, but for errors."""
    return RatingScale(scale.names, scale.values - worths, scale.covariance, scale.blocks, scale.equal)


PARTS = {"apart": told_apart, "newcomers": newcomers, "equal": equal_ones, "honest": honest}


def main(runs: int, parts: list[str]) -> None:
    """Print the tables."""
    for part in parts or PARTS:
        PARTS[part](runs)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 60, sys.argv[2:])
