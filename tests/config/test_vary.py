"""Values of options to be tried, as the command line names them."""

from __future__ import annotations

import pytest

from arena.config.variations import MOST_VALUES, parse_all
from arena.errors import UserError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("greed=0.1:0.3:0.1", [0.1, 0.2, 0.3]),
        ("greed=0.1:0.35:0.1", [0.1, 0.2, 0.3]),
        ("greed=0.9:0.1:-0.4", [0.9, 0.5, 0.1]),
        ("patience=1:5:2", [1, 3, 5]),
        ("patience=1:1:1", [1]),
        ("mood=calm,wild", ["calm", "wild"]),
        ("bold=true,false", [True, False]),
        ("mixed=1,1.5,one,true", [1, 1.5, "one", True]),
    ],
)
def test_values_are_exact_steps_or_a_list(text: str, values: list[object]) -> None:
    key = text.partition("=")[0]
    found = parse_all([text])
    assert found == [{key: value} for value in values]
    assert [type(each[key]) for each in found] == [type(value) for value in values]


def test_several_options_give_all_combinations_the_last_changing_fastest() -> None:
    assert parse_all(["a=1,2", "b=x,y"]) == [{"a": a, "b": b} for a in (1, 2) for b in ("x", "y")]


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        (["greed"], "--vary greed: expected KEY=FROM:TO:STEP or KEY=a,b,c, such as greed=0.1:0.9:0.1"),
        (["greed="], "--vary greed=: expected KEY=FROM:TO:STEP"),
        (["=1,2"], "--vary =1,2: expected KEY=FROM:TO:STEP"),
        (["greed=1:2"], "--vary greed: expected numbers FROM:TO:STEP, such as 0.1:0.9:0.1, got '1:2'"),
        (["greed=a:b:c"], "--vary greed: expected numbers"),
        (["greed=0:inf:1"], "--vary greed: expected numbers"),
        (["greed=0:1e99:1"], "--vary greed: expected numbers"),
        (["greed=0:1:0"], "--vary greed: the step 0 never leads from 0 to 1"),
        (["greed=0:1:-0.1"], "--vary greed: the step -0.1 never leads from 0 to 1"),
        (["greed=0:1:0.0001"], f"--vary greed: 10,001 values, at most {MOST_VALUES} are played at once"),
        (["greed=1,1"], "--vary greed: a value occurs twice in 1,1"),
        (["greed=1,,2"], "--vary greed: expected text, a number, true or false, got ''"),
        (["greed=1&x=2"], "--vary greed: expected text, a number, true or false, got '1&x=2'"),
        (["a=1,2", "a=3"], "--vary a: it occurs twice; give all values in one option"),
        (["a=1:50:1", "b=1,2,3"], f"--vary: 150 combinations of values, at most {MOST_VALUES} are played at once"),
    ],
)
def test_mistakes_are_told_in_one_line(texts: list[str], problem: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_all(texts)
    assert str(raised.value).startswith(problem)
    assert "\n" not in str(raised.value)
