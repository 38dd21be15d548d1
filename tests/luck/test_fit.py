"""A value function: fitted to matches, written, read, and checked before it is used."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy
import pytest

from arena.commands.luck.corrected_money import load_value
from arena.errors import UserError
from arena.games import load_game
from arena.luck.ridge_fit import LEAST_MATCHES, ValueFit
from arena.luck.value import (
    LUCK_FORMAT,
    MONEY_UNITS,
    ValueFunction,
    ValueSource,
    Weights,
    luck_corrections,
    read_value,
    write_value,
)

FEATURES = ("cards", "rolls")
SOURCE = ValueSource("pilot", "1", 400)


def fitted(matches: int, seed: int = 1) -> ValueFit:
    """Matches of two strong and two weak bots: a card is worth 3 to the seat that has it and -1 to each other, a roll 2
    and 0."""
    rng, made = numpy.random.default_rng(seed), ValueFit()
    for _ in range(matches):
        excess = rng.standard_normal((4, 2))
        money = 40 + 3 * excess[:, 0] - (excess[:, 0].sum() - excess[:, 0]) + 2 * excess[:, 1]
        money += numpy.array([20, 20, 0, 0])
        money += rng.standard_normal(4)
        made.add("mine", FEATURES, "mine-4p", ["a", "b", "c", "d"], [round(each) for each in money], excess.tolist())
    return made


def test_the_weights_are_what_features_are_worth() -> None:
    (weights,) = fitted(2000).value("pilot", [SOURCE]).weights
    assert (weights.game, weights.players, weights.matches, weights.features) == ("mine", 4, 2000, FEATURES)
    assert weights.own == pytest.approx((3, 2), rel=0.08, abs=0.1)
    assert weights.others == pytest.approx((-1, 0), rel=0.08, abs=0.1)


def test_what_is_fitted_is_written_the_same_every_time_and_read_as_it_was() -> None:
    once, again = (write_value(fitted(300).value("pilot", [SOURCE])) for _ in range(2))
    assert once == again
    value = read_value(once.replace(b'"mine"', b'"my.game"'), "values.json")
    assert value.sources == (SOURCE,)
    assert all(float(f"{each:.4g}") == each for each in value.weights[0].own)


def test_too_few_matches_are_not_fitted() -> None:
    with pytest.raises(UserError, match=f"expected {LEAST_MATCHES} matches or more, of one game .* got 99"):
        fitted(99).value("pilot", [SOURCE])
    with pytest.raises(UserError, match="got 0"):
        ValueFit().value("pilot", [])


def test_a_correction_adds_what_a_seat_has_and_what_the_others_have() -> None:
    weights = Weights("mine", 3, 1, FEATURES, (3.0, 2.0), (-1.0, 0.5))
    found = luck_corrections([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]], weights)
    assert found == (4 * MONEY_UNITS, 3 * MONEY_UNITS, 0)
    with pytest.raises(ValueError, match="expected the excess of 2 features, got 1"):
        luck_corrections([[1.0]] * 3, weights)


def value(**changes: object) -> bytes:
    features = load_game("board").chances.features  # type: ignore[union-attr]
    numbers: Sequence[float] = (0.0,) * len(features)
    weights = msgspec.to_builtins(Weights("board", 4, 1, features, tuple(numbers), tuple(numbers)))
    whole = {"format": LUCK_FORMAT, "name": "x", "sources": [], "weights": [{**weights, **changes}]}
    return msgspec.json.encode(whole)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"hello", "v.json: expected a value function, as arena luck --fit writes it: "),
        (b"\xff\xfe", "v.json: expected a value function"),
        (b"[" * 5000, "v.json: expected a value function"),
        (value().replace(LUCK_FORMAT.encode(), b"arena-luck/9"), "format: expected 'arena-luck/1', got 'arena-luck/9'"),
        (value(own=[1.0]), r"expected \d+ numbers each, for \d+ features, got 1 own"),
        (value(features=["a"], own=[1.0], others=[1.0]), "made for features that this version of board does not have"),
        (value(game="chess"), "there is no game 'chess'"),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_fitting_value_function_is_refused_in_one_line(content: bytes, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        read_value(content, "v.json")


def test_the_function_that_ships_with_arena_knows_both_games_with_every_number_of_players() -> None:
    shipped = load_value(None)
    known = {(each.game, each.players) for each in shipped.weights}
    assert known == {("board", players) for players in range(2, 7)} | {("cards", players) for players in range(3, 7)}
    assert all(each.matches >= 250 for each in shipped.weights)
    assert {source.seed for source in shipped.sources} == {"luck-1"}
    assert len(shipped.digest) == 64


def test_the_digest_tells_functions_apart() -> None:
    one = ValueFunction(LUCK_FORMAT, "x", (), (Weights("mine", 2, 1, ("a",), (1.0,), (0.0,)),))
    two = ValueFunction(LUCK_FORMAT, "x", (), (Weights("mine", 2, 1, ("a",), (1.1,), (0.0,)),))
    assert one.digest != two.digest
