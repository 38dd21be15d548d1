"""The options that are tuned: every value has a place, and every place a value."""

from __future__ import annotations

import pytest

from arena.config.variations import parse_ranges
from arena.tuning.option_space import NumberRange, OptionRange

PLACES = [number / 200 for number in range(201)]


def option(text: str) -> OptionRange:
    (found,) = parse_ranges([text]).ranges
    return found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ripe=1:4", [1, 2, 3, 4]),
        ("ripe=1:9:4", [1, 5, 9]),
        ("bar=0.5:1.25:0.25", [0.5, 0.75, 1.0, 1.25]),
        ("bar=0.0:1.0:0.4", [0.0, 0.4, 0.8]),
        ("style=bold,shy,1,true", ["bold", "shy", 1, True]),
        ("ripe=1:4:log", [1, 2, 3, 4]),
    ],
)
def test_steps_and_lists_have_just_these_values_in_their_order(text: str, values: list[object]) -> None:
    each = option(text)
    found = [each.value_at(place) for place in PLACES]
    assert list(dict.fromkeys((type(value), value) for value in found)) == [(type(value), value) for value in values]
    assert [each.value_at(each.place_of(value)) for value in found] == found


def test_numbers_lie_between_the_ends_which_are_reached_and_have_few_digits() -> None:
    for text, low, high in (
        ("bar=0.5:1.5", 0.5, 1.5),
        ("bar=-3.0:1000.5", -3.0, 1000.5),
        ("rate=0.001:10:log", 0.001, 10),
    ):
        each = option(text)
        values = [each.value_at(place) for place in PLACES]
        assert (values[0], values[-1]) == (low, high)
        assert values == sorted(values, key=float)
        assert all(abs(each.place_of(value) - place) < 0.002 for value, place in zip(values, PLACES, strict=True))
    assert option("bar=0.5:1.5").value_at(1 / 3) == 0.833
    assert option("rate=0.001:10:log").value_at(0.5) == 0.1


def test_equal_factors_are_equally_far_on_a_logarithmic_scale() -> None:
    each = option("rate=0.01:1:log")
    assert [each.place_of(value) for value in (0.01, 0.1, 1)] == pytest.approx([0, 0.5, 1])


def test_values_outside_a_range_or_a_list_have_the_nearest_place() -> None:
    assert (option("ripe=1:4").place_of(0), option("ripe=1:4").place_of(99), option("ripe=1:4").place_of("x")) == (
        0,
        1,
        0.5,
    )
    assert option("style=bold,shy").place_of("odd") == option("style=bold,shy").place_of("bold")


@pytest.mark.parametrize("text", ["ripe=1:4", "bar=0.5:1.5", "bar=0.5:1.25:0.25", "rate=0.1:1:log", "style=bold,shy"])
def test_a_range_is_written_as_it_was_given(text: str) -> None:
    assert f"{option(text).name}={option(text)}" == text


def test_the_grain_is_as_far_as_a_place_has_to_move_for_another_value() -> None:
    for text in ("ripe=1:4", "ripe=1:9:4", "ripe=1:100:log"):
        each = option(text)
        assert isinstance(each, NumberRange)
        inside = [place for place in PLACES if each.grain <= place <= 1 - each.grain]
        assert len(inside) > 100
        for place in inside:
            assert each.value_at(place + each.grain + 1e-9) != each.value_at(place - each.grain)


def test_options_without_a_value_begin_in_the_middle() -> None:
    space = parse_ranges(["bar=1:7", "style=bold,shy", "rate=0.01:1:log"])
    assert space.values_at(space.places_of({})) == {"bar": 4, "style": "bold", "rate": 0.1}
    assert space.values_at(space.places_of({"bar": 2, "style": "shy"})) == {"bar": 2, "style": "shy", "rate": 0.1}
