"""Over many matches chance brings nothing on average, whatever the bots do and however wrong the weights are."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy
import pytest

from arena.games.chance import Chance
from arena.games.contract import Event
from arena.luck.excess import excess_of
from arena.luck.value import MONEY_UNITS, Weights, luck_corrections
from tests.laws.cases import PLAIN, Case, game_of, rules_of

MATCHES = 80
CASES = [case for case in PLAIN if (case.edition, case.players) in {("outline", 3), ("card-game", 3)}]
ASKS = 160
"""Each match is played so far: that is enough chance, and at any moment the expected value is 0."""


@cache
def excesses(case: Case) -> Any:
    """The excess of matches by match, seat and feature, of seats that play at random where something must be done."""
    game, draw, found = game_of(case), Random(1), []
    assert game.chances is not None
    for match in range(MATCHES):
        log: list[Event] = []
        state = game.start(rules_of(case), case.players, Chance(f"unbiased {match}"), log)
        for _ in range(ASKS):
            if not state.asks:
                break
            index = state.pending[0]
            idle = game.hooks[state.asks[index].hook].idle
            moves = state.legal(index) if idle is None or draw.random() < 0.2 else (idle,)
            state.apply(index, draw.choice(moves), log)
        found.append(excess_of(game.chances, rules_of(case), case.players, log))
    return numpy.array(found)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_feature_of_any_seat_is_above_its_expected_value_on_average(case: Case) -> None:
    found = excesses(case)
    errors = found.std(axis=0, ddof=1) / MATCHES**0.5
    moved = errors > 0
    assert moved.sum() > 3 * 8
    scores = abs(found.mean(axis=0)[moved] / errors[moved])
    assert scores.max() < 4.5
    assert (scores > 1.96).mean() < 0.15


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_wrong_weights_take_nothing_out_on_average(case: Case, seed: int) -> None:
    features = game_of(case).chances.features  # type: ignore[union-attr]
    own, others = numpy.random.default_rng(seed).standard_normal((2, len(features))).tolist()
    weights = Weights(game_of(case).name, case.players, 1, features, tuple(own), tuple(others))
    luck = numpy.array([luck_corrections(each, weights) for each in excesses(case).tolist()]) / MONEY_UNITS
    errors = luck.std(axis=0, ddof=1) / MATCHES**0.5
    assert (errors > 0.1).all()  # they do take something out of single matches
    assert (abs(luck.mean(axis=0)) < 3.5 * errors).all()
