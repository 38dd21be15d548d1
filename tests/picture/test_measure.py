"""Texts fit where they are said to fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.drawing.measure import cut_middle, cut_to_width, flow_in_rows, shorten_middle, text_width, wrap_to_width
from arena.drawing.svg import Svg
from arena.printable import printable_text

TEXTS, ROOMS = st.text(max_size=60), st.floats(20, 400)


@given(TEXTS, ROOMS)
def test_a_text_that_is_cut_fits_and_keeps_its_beginning(text: str, room: float) -> None:
    for made in (cut_to_width(text, room, 12), cut_middle(text, room, 12)):
        assert text_width(made, 12) <= room
        assert made == text or "…" in made
        assert made[:1] in (text[:1], "…", "")


@given(TEXTS, ROOMS, st.integers(1, 4))
def test_lines_fit_and_are_no_more_than_asked(text: str, room: float, most: int) -> None:
    lines = wrap_to_width(text, room, 12, most)
    assert len(lines) <= most
    assert all(text_width(line, 12) <= room for line in lines)
    if text_width(" ".join(text.split()), 12) <= room:
        assert " ".join(lines) == " ".join(text.split())


@given(st.lists(st.floats(1, 90), max_size=30))
def test_things_set_in_lines_keep_their_order_and_fit(widths: list[float]) -> None:
    lines = flow_in_rows(widths, 100, 4)
    assert [index for line in lines for index in line] == list(range(len(widths)))
    assert all(sum(widths[index] + 4 for index in line) - 4 <= 100.001 for line in lines)


@given(st.text(max_size=30), st.integers(1, 30))
def test_a_shortened_name_has_so_many_letters_and_its_end(text: str, letters: int) -> None:
    made = shorten_middle(text, letters)
    assert len(made) <= letters
    assert made == text or "…" in made
    if len(text) > letters >= 6:
        assert made[-2:] == text[-2:]


@given(st.text())
def test_only_printable_letters_are_written_and_marks_are_escaped(text: str) -> None:
    svg = Svg()
    svg.text(0, 0, text)
    (line,) = svg.parts
    inner = line.partition(">")[2].removesuffix("</text>")
    assert "<" not in inner
    assert inner.isprintable()
    assert len(printable_text(text)) == len(text)
