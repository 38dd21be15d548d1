"""Pictures taken apart again: where their texts and cards stand, as far as that can be known without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from arena.drawing.draw import draw_svg
from arena.drawing.measure import text_width
from arena.drawing.scene import Scene
from arena.drawing.spans import Span
from arena.games.board.presenting.picture import board_scene, find_deals
from arena.games.cards.presenting.picture import cards_scene, find_rounds
from arena.games.contract import Event
from arena.replay.lines import Header
from arena.replay.read import read_replay_lines, rules_of

GOLDEN = Path(__file__).parent.parent / "golden"
REPLAYS = sorted(path.stem for path in GOLDEN.glob("*.jsonl"))
NAME = "{http://www.w3.org/2000/svg}"
SIZES = {"title": 18.0, "name": 13.0, "sum": 16.0, "chip": 11.0}
BOLD = {"title", "name", "sum", "chip", "step", "w"}
SLACK = 1.0
"""Pixels by which two boxes may overlap: the room around letters."""


@cache
def replay(name: str) -> tuple[Header, tuple[Event, ...]]:
    """A replay of tests/golden."""
    header, lines = read_replay_lines((GOLDEN / f"{name}.jsonl").read_bytes())
    return header, tuple(lines)


def names_of(header: Header) -> list[str]:
    return [seat.entrant for seat in header.seats]


def spans(header: Header, lines: Any) -> list[Span]:
    """The negotiations of a replay."""
    return (find_deals if header.game == "board" else find_rounds)(lines, names_of(header))


def scene(header: Header, lines: Any, span: Span, seat: int | None = None, names: Any = None) -> Scene:
    """The scene of one of them."""
    made = board_scene if header.game == "board" else cards_scene
    return made(header, rules_of(header), lines, span, names or names_of(header), seat)


def drawn(header: Header, lines: Any, span: Span, seat: int | None = None, names: Any = None) -> str:
    """The picture of one of them."""
    return draw_svg(scene(header, lines, span, seat, names))


def telling(header: Header, lines: Any) -> list[Span]:
    """Negotiations of a replay in which most can be seen: all rounds; of deals the first, the last, and the longest."""
    found = spans(header, lines)
    if header.game == "cards":
        return found
    return [*dict.fromkeys([found[0], found[-1], *sorted(found, key=lambda span: span.first - span.last)[:4]])]


class Box(NamedTuple):
    """Where something stands, and what it is."""

    left: float
    top: float
    right: float
    bottom: float
    what: str


def elements(svg: str) -> Iterator[ElementTree.Element]:
    """Everything that is painted, cards as they are used."""
    yield from _inside(ElementTree.fromstring(svg))


def _inside(above: ElementTree.Element) -> Iterator[ElementTree.Element]:
    for each in above:
        if each.tag not in (f"{NAME}defs", f"{NAME}style", f"{NAME}title"):
            yield each
            yield from _inside(each)


def boxes(svg: str) -> list[Box]:
    """Where texts and cards stand."""
    symbols = {
        each.attrib["id"]: _text_box(each.find(f"{NAME}text"), 0, 0)
        for each in ElementTree.fromstring(svg).iter(f"{NAME}g")
        if "id" in each.attrib
    }
    found = []
    for each in elements(svg):
        if each.tag == f"{NAME}text":
            found.append(_text_box(each, 0, 0))
        elif each.tag == f"{NAME}use":
            x, y = float(each.attrib["x"]), float(each.attrib["y"])
            box = symbols[each.attrib["href"].removeprefix("#")]
            found.append(Box(x + box.left, y + box.top, x + box.right, y + box.bottom, box.what))
    return found


def _text_box(text: Any, x: float, y: float) -> Box:
    styles = set(text.get("class", "").split())
    size = next((SIZES[style] for style in styles if style in SIZES), 12.0)
    wide = text_width(text.text or "", size, bool(styles & BOLD))
    x, y = x + float(text.get("x")), y + float(text.get("y"))
    left = x if "left" in styles else x - wide / 2
    return Box(left, y - 0.75 * size, left + wide, y + 0.2 * size, text.text or "")


def overlaps(found: list[Box]) -> list[tuple[str, str]]:
    """Which of these cover each other."""
    covering, ordered = list[tuple[str, str]](), sorted(found, key=lambda box: box.left)
    for number, a in enumerate(ordered, 1):
        end = a.right - SLACK
        for b in ordered[number:]:
            if b.left >= end:
                break  # so do all that follow it
            if b.right - b.left > SLACK and min(a.bottom, b.bottom) - max(a.top, b.top) > SLACK:
                covering.append((a.what, b.what))
    return covering


def view_box(svg: str) -> tuple[float, float]:
    """The width and the height of a picture."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found
    return float(found[1]), float(found[2])
