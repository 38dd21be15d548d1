"""A sequential test of block differences: its verdicts, on degenerate samples too, and how often it errs."""

from __future__ import annotations

import itertools

import msgspec
import numpy
import pytest

from arena.errors import UserError
from arena.sequential.sequential_test import SequentialState, SequentialTest
from arena.sequential.test_settings import SequentialVerdict, Settings
from arena.tournament.inference.intervals import clustered_mean
from tests.bench import sequential as bench

WINS = Settings(measure="win_rate", bound=1)


def told(*differences: float, settings: Settings = WINS, times: int = 1) -> SequentialState:
    return SequentialTest(settings).feed(itertools.chain.from_iterable([differences] * times))


@pytest.mark.parametrize(
    ("always", "verdict", "within"),
    [
        (1.0, SequentialVerdict.BETTER, 20),
        (-0.25, SequentialVerdict.WORSE, 40),
        (0.0, SequentialVerdict.ALIKE, 45),
        (0.05, SequentialVerdict.BETTER, 200),
    ],
)
def test_blocks_that_are_all_alike_end_with_the_right_verdict(
    always: float, verdict: SequentialVerdict, within: int
) -> None:
    state = told(always, times=1000)
    assert state.verdict is verdict
    assert 5 < state.blocks <= within


def test_money_that_is_always_the_same_ends_too() -> None:
    money = Settings(measure="mean_money", bound=60)
    assert told(5.0, settings=money, times=1000).verdict is SequentialVerdict.BETTER
    assert told(-60.0, settings=money, times=1000).verdict is SequentialVerdict.WORSE
    assert told(0.0, settings=money, times=1000).verdict is SequentialVerdict.ALIKE


def test_wins_and_losses_in_turn_show_no_difference() -> None:
    state = told(0.5, -0.5, times=500)
    assert state.verdict is SequentialVerdict.ALIKE
    assert state.better_excluded
    assert state.worse_excluded


def test_with_a_declared_null_effect_better_means_more_than_that() -> None:
    strict = Settings(measure="win_rate", bound=1, null=0.4, difference=0.8)
    weak = [1.0, -0.75, 0.75, -0.5]  # an effect of 0.16
    assert told(*weak, settings=strict, times=100).verdict is SequentialVerdict.ALIKE
    assert told(1.0, 0.75, 0.0, settings=strict, times=100).verdict is SequentialVerdict.BETTER


def test_ratios_do_not_depend_on_the_order_of_blocks_nor_on_the_unit() -> None:
    one = [0.5, -0.25, 0.0, 0.25, 0.25, -0.5, 1.0]
    first, other = told(*one), told(*reversed(one))
    assert (first.better, first.worse) == pytest.approx((other.better, other.worse), abs=1e-9)
    in_money = told(*(60 * each for each in one), settings=Settings(measure="mean_money", bound=60))
    assert (in_money.better, in_money.worse) == pytest.approx((first.better, first.worse), abs=1e-9)
    assert (in_money.low, in_money.high) == pytest.approx((60 * first.low, 60 * first.high))


def test_mirrored_blocks_give_the_mirrored_state() -> None:
    one = [0.5, -0.25, 0.0, 0.25, 0.25, 0.75, 1.0]
    first, mirrored = told(*one), told(*(-each for each in one))
    assert (first.better, first.worse) == pytest.approx((mirrored.worse, mirrored.better), abs=1e-9)
    assert (first.low, first.high) == pytest.approx((-mirrored.high, -mirrored.low))


def test_the_state_has_the_ordinary_mean_beside_the_interval_that_may_be_watched() -> None:
    seen = [0.5, -0.25, 0.0, 0.25, 0.25]
    state = told(*seen)
    assert state.mean == clustered_mean([(each, 1) for each in seen])
    assert state.low < 0.15 < state.high
    assert state.blocks == 5
    assert not state.has_verdict


def test_the_interval_is_cut_off_at_the_bound_and_narrows_with_blocks() -> None:
    wide, narrow = told(0.5, -0.25, 0.0, times=3), told(0.5, -0.25, 0.0, times=14)
    assert (told(0.5, -0.25).low, told(0.5, -0.25).high) == (-1, 1)
    assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)
    assert narrow.low < narrow.mean.mean < narrow.high  # type: ignore[operator]


def test_blocks_that_were_all_alike_so_far_leave_room_for_what_has_not_happened_yet() -> None:
    state = told(0.0, times=30)
    assert state.differing == 0
    assert state.deviation == 0
    assert state.low < -0.02
    assert state.high > 0.02


def test_the_state_counts_the_blocks_that_differ_and_says_how_much_they_do() -> None:
    state = told(0.5, 0.0, 0.0, -0.5)
    assert state.differing == 2
    assert state.deviation == pytest.approx(0.125**0.5)


def test_before_the_first_block_nothing_is_known() -> None:
    state = SequentialTest(WINS).state
    assert (state.blocks, state.verdict, state.low, state.high) == (0, SequentialVerdict.UNDECIDED, -1, 1)
    assert state.mean.mean is None


def test_blocks_behind_the_verdict_are_not_looked_at() -> None:
    test = SequentialTest(WINS)
    blocks = iter([1.0] * 500)
    state = test.feed(blocks)
    assert test.feed([-1.0]) == state
    assert len(list(blocks)) >= 500 - state.blocks - 1
    with pytest.raises(ValueError, match=r"the test has ended after \d+ blocks: better"):
        test.add(1.0)


@pytest.mark.parametrize("difference", [1.01, -2.0, float("nan"), float("inf")])
def test_a_difference_beyond_the_bound_is_refused_and_changes_nothing(difference: float) -> None:
    test = SequentialTest(WINS)
    before = test.add(0.5)
    with pytest.raises(UserError, match=r"^block difference 2 of win_rate: expected a number within ±1, got "):
        test.add(difference)
    assert test.state == before
    assert test.add(0.25).blocks == 2


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bound": 0.0}, "bound: expected a number above 0 that no difference exceeds, got 0"),
        ({"bound": float("nan")}, "bound: expected a number above 0 that no difference exceeds, got nan"),
        ({"difference": 0.0}, "difference: expected more than 0 and at most 2 deviations, got 0"),
        ({"difference": 2.5}, "difference: expected more than 0 and at most 2 deviations, got 2.5"),
        ({"null": 0.3}, r"null: expected 0 or more and less than the difference \(0.3\), got 0.3"),
        ({"alpha": 0.0}, "alpha: expected more than 0 and at most 0.4, got 0"),
        ({"beta": 0.6}, "beta: expected more than 0 and at most 0.4, got 0.6"),
    ],
)
def test_settings_that_make_no_test_are_refused(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(UserError, match=f"^{message}$"):
        Settings(**{"measure": "win_rate", "bound": 1.0, **wrong})


def test_settings_are_plain_data() -> None:
    data = msgspec.json.encode(WINS)
    assert msgspec.json.decode(data, type=Settings) == WINS
    assert WINS.lower_bound < 0 < WINS.upper_bound


KINDS = [kind for kind in bench.kinds() if kind.name in ("three values, 90 % zero", "beaten, 4 pairs")]
"""Those with which 40 runs show a test that stops too early, at a bound of 1.3."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_errors_are_as_rare_as_declared_with_a_look_after_each_block(kind: bench.Kind) -> None:
    """The same simulation with 2,000 runs is in the page `measured`."""
    settings = Settings(measure=kind.name, bound=kind.bound, difference=0.6)
    null, true = (bench.simulate(kind, effect, settings, runs=40, seed=5) for effect in (0.0, 0.6))
    assert null.better + null.worse <= 0.1  # the draws are always the same
    assert true.better >= 0.85
    assert true.worse == 0
    assert null.hung == true.hung == 0
    assert null.missed + true.missed <= 0.14
    skewed = bool(abs(kind.probabilities @ kind.values**3) > 1e-9)  # what a fixed number of blocks does there is wrong
    assert max(null.blocks, true.blocks) < bench.fixed(settings) * (2 if skewed else 1)


def test_the_simulation_decides_as_the_test_itself() -> None:
    (kind,) = (each for each in bench.kinds() if each.name == "three values, 90 % zero")
    one = bench.simulate(kind, 0.6, Settings(measure="x", bound=1, difference=0.6), runs=1, seed=9)
    stream = numpy.random.Generator(numpy.random.PCG64(9))
    given = kind.tilted(0.6)
    test = SequentialTest(Settings(measure="x", bound=1, difference=0.6))
    while not test.state.has_verdict:
        test.add(float(kind.values[stream.choice(len(kind.values), 1, p=given)[0]]))
    assert (test.state.blocks, test.state.verdict is SequentialVerdict.BETTER) == (one.longest, one.better == 1)
