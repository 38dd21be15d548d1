"""Charts and scales: figures lie where they must, and strange names do no harm."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from arena.tournament.inference.intervals import Estimate
from arena.web.report.charts.chart_scale import linear_scale, log_scale, whole_numbers
from arena.web.report.charts.dots import Dot, dot_chart
from arena.web.report.charts.line_chart import IN_COLOUR, Curve, line_chart
from arena.web.report.charts.shades import shade_step
from arena.web.report.charts.times import Times, time_chart
from arena.web.report.charts.whisker import draw_whisker, whisker_scale

EVIL = '</text><script>"&'
NOTHING = Estimate(None, None, None, 0)


def test_a_scale_begins_and_ends_on_a_tick_and_holds_all_values() -> None:
    scale = linear_scale([0.13, 0.47], 100, 0)
    assert scale.ticks == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert scale.coordinate(0.1) == 100
    assert scale.coordinate(0.3) == pytest.approx(50)
    assert scale.coordinate(9) == 0, "what is beyond stands at the end"
    assert [scale.tick_label(tick) for tick in scale.ticks] == ["0.1", "0.2", "0.3", "0.4", "0.5"]


@pytest.mark.parametrize("values", [[], [3.0], [-2.0, -2.0], [0.0]])
def test_a_scale_of_few_or_equal_values_is_one(values: list[float]) -> None:
    scale = linear_scale(values, 0, 10)
    assert scale.low < scale.high
    assert all(0 <= scale.coordinate(value) <= 10 for value in values)


def test_powers_of_ten_are_as_far_from_each_other() -> None:
    scale = log_scale([0.2, 70], 0, 30)
    assert scale.ticks == [0.1, 1, 10, 100]
    assert [scale.coordinate(tick) for tick in scale.ticks] == pytest.approx([0, 10, 20, 30])


def test_whole_numbers_have_whole_ticks() -> None:
    assert whole_numbers(2, 6, 0, 1).ticks == [2, 3, 4, 5, 6]
    assert whole_numbers(0, 23, 0, 1).ticks == list(range(0, 24, 2))
    assert whole_numbers(1, 1, 0, 1).ticks == [1, 2]


def test_a_shade_says_on_which_side_of_even_a_value_lies_and_how_far() -> None:
    assert [shade_step(each, 0.5, 0.5) for each in (0.0, 0.25, 0.5, 1.0, 7.0)] == [-10, -5, 0, 10, 10]
    assert shade_step(None, 0.5, 0.5) is None
    assert shade_step(0.3, 0.3, 0.0) == 0


def test_a_whisker_reaches_from_one_end_of_the_interval_to_the_other() -> None:
    estimates = [Estimate(0.5, 0.4, 0.6, 9), Estimate(0.1, 0.0, 0.2, 9)]
    scale = whisker_scale(estimates, 0.25)
    drawn = draw_whisker(estimates[0], scale, 0.25)
    (low, high), (middle,) = re.findall(r"M([\d.]+) 5H([\d.]+)", drawn)[0], re.findall(r'cx="([\d.]+)"', drawn)
    assert [float(each) for each in (low, middle, high)] == pytest.approx(
        [scale.coordinate(0.4), scale.coordinate(0.5), scale.coordinate(0.6)], abs=0.06
    )
    assert draw_whisker(NOTHING, scale) == ""
    assert "H" not in draw_whisker(Estimate(0.5, None, None, 1), scale), "no interval, no line"


def test_lines_are_drawn_with_their_bands_and_named_beyond_their_ends() -> None:
    points = [(0, Estimate(0.0, None, None, 3)), (1, Estimate(5.0, 4.0, 6.0, 3)), (2, Estimate(8.0, 6.0, 10.0, 3))]
    drawn = line_chart("Money", [Curve(EVIL, 3, points), Curve("b", 4, points[:2])], "deals", "$M")
    root = ElementTree.fromstring(drawn)
    curve = next(each for each in root.iter("g") if each.get("data-e") == "3" and "curve" in (each.get("class") or ""))
    assert len(curve.find("polyline").get("points").split()) == 3  # type: ignore[union-attr]
    assert len(curve.find("polygon").get("points").split()) == 4  # type: ignore[union-attr]
    assert f"{EVIL}: 8.0 ±2.0 at the end" in curve.find("title").text  # type: ignore[union-attr,operator]
    assert root.find("desc").text.startswith("Lines by deals: ")  # type: ignore[union-attr]
    assert line_chart("Money", [Curve("a", 0, [(0, NOTHING)])], "deals", "$M") == ""


def test_of_many_lines_the_first_are_in_colour() -> None:
    curves = [Curve(f"bot{number}", number, [(0, Estimate(1.0, None, None, 1))]) for number in range(IN_COLOUR + 5)]
    drawn = line_chart("Money", curves, "deals", "$M")
    assert drawn.count(" other") == 5
    assert drawn.count('class="lead"') == IN_COLOUR


def test_dots_and_times_tell_their_figures_in_words() -> None:
    drawn = dot_chart(
        "Seats", [Dot("seat 0", Estimate(0.25, 0.2, 0.3, 9), even=0.25), Dot("seat 1", NOTHING)], "win rate"
    )
    assert ElementTree.fromstring(drawn).find("desc").text == "win rate: seat 0 0.25 (0.2 to 0.3)."  # type: ignore[union-attr]
    assert dot_chart("Seats", [Dot("seat 1", NOTHING)], "win rate") == ""
    drawn = time_chart("Time", [Times(EVIL, 0, 0.001, 0.002, 0.5)], 1.0)
    told = ElementTree.fromstring(drawn).find("desc").text  # type: ignore[union-attr]
    assert told == f"Milliseconds an ask: {EVIL}: typical 1, mean 2, longest 500."
    assert time_chart("Time", [], 1.0) == ""
