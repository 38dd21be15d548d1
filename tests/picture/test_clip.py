"""``arena picture --from --to``: a clip has the events of its span, each as ``arena show`` tells it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from .drawings import GOLDEN, NAME

BOARD, CARDS = GOLDEN / "schmidt-1994-3p.jsonl", GOLDEN / "card-game-3p.jsonl"


def frames_of(svg: str) -> list[str]:
    """The labels of the events, in order."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{NAME}text") if each.get("class") == "step"]


@pytest.mark.parametrize("replay", [BOARD, CARDS])
def test_a_clip_has_the_events_of_its_span_and_no_others(arena: Any, replay: Path) -> None:
    made = arena("picture", str(replay), "--from", "40", "--to", "90")
    assert (made.code, made.err) == (0, "")
    shown = re.findall(r"^ +([0-9]+) {2,}", arena("show", str(replay), "--from", "40", "--to", "90").out, re.MULTILINE)
    assert frames_of(made.out) == [f"event {number}" for number in dict.fromkeys(shown)]
    assert made.out == arena("picture", str(replay), "--from", "40", "--to", "90").out
    assert not re.search(r"<script|<a |href=.(?!#)|onload", made.out)


def test_each_event_is_shown_for_a_time_of_its_own_and_the_last_one_without_movement(arena: Any) -> None:
    svg = arena("picture", str(BOARD), "--from", "40", "--to", "70").out
    spans = re.findall(
        r"@keyframes m[0-9]+\{(?:0%\{visibility:hidden\})?([0-9.]+)%\{visibility:visible\}(?:([0-9.]+)%)?", svg
    )
    single = [(float(start), float(end or 100)) for start, end in spans]
    assert all(start < end for start, end in single)
    starts = {start for start, _ in single}
    assert len(starts) >= len(frames_of(svg))
    before = svg.partition("@media (prefers-reduced-motion")[0]
    hidden = set(re.findall(r"\.(m[0-9]+)\{visibility:hidden\}", before))
    last = [
        group.get("class")
        for group in ElementTree.fromstring(svg).iter(f"{NAME}g")
        if any(each.text == frames_of(svg)[-1] for each in group.findall(f"{NAME}text"))
    ]
    assert last
    assert not hidden & {*last}


def test_a_clip_for_a_seat_counts_and_knows_as_that_seat_did(arena: Any) -> None:
    svg = arena("picture", str(BOARD), "--from", "30", "--to", "60", "--seat", "1").out
    told = arena("show", str(BOARD), "--from", "30", "--to", "60", "--seat", "1").out
    shown = list(dict.fromkeys(re.findall(r"^ +([0-9]+) {2,}", told, re.MULTILINE)))
    assert frames_of(svg) == [f"seen {number}" for number in shown]
    assert "seed" not in svg
    assert "as random-legal (seat 1) knew it" in svg or "(seat 1) knew it" in svg


def test_with_one_end_a_clip_is_of_usual_length_and_is_written_to_a_file(arena: Any, tmp_path: Path) -> None:
    ran = arena("picture", str(BOARD), "--from", "40", "--out", "clip.svg")
    assert (ran.code, ran.out, ran.err) == (0, "", "clip clip.svg\n")
    written = (tmp_path / "clip.svg").read_text(encoding="utf-8")
    assert written == arena("picture", str(BOARD), "--from", "40", "--to", "99").out
    assert written == arena("picture", str(BOARD), "--to", "99", "--from", "40").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--from", "9", "--to", "3"), "expected 1 to 200 events, got --from 9 --to 3"),
        (("--from", "1", "--to", "900"), "expected 1 to 200 events, got --from 1 --to 900"),
        (("--from", "99999"), "the events 99999 to 100058 have no sentences"),
        (("--from", "9", "--deal", "2"), "--from and --to make a clip of events; leave them out, or leave out --deal"),
        (("--from", "9", "--seat", "3"), "there is no seat 3; seats are 0 to 2"),
        (("--from", "x"), "expected an event (a line of the replay, from 1) such as 412, or an ask such as ask47"),
    ],
)
def test_mistakes_are_answered_in_a_line(arena: Any, words: tuple[str, ...], message: str) -> None:
    ran = arena("picture", str(BOARD), *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
