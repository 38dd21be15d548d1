"""Every picture, whatever it shows, is well-formed, lies within its frame, and no text covers another."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from arena.drawing.draw import MOST_BYTES, SCENE_WIDTH
from arena.games.board import Agreement, Family, Offer, TakeOver, Travel, events
from arena.replay.lines import Answered

from .drawings import NAME, REPLAYS, boxes, drawn, elements, overlaps, replay, spans, telling, view_box

TAGS = {f"{NAME}{tag}" for tag in ("rect", "line", "polygon", "text", "use", "g")}
HOSTILE = [
    "<script>alert(1)</script>",
    "a" * 90,
    'Größe & "Co" ]]>',
    "名前がとても長いボット",
    "😀" * 12,
    "\u202eevil\x00&amp;",
]
FAMILIES = tuple(Family)


def check(svg: str) -> None:
    """The laws of every picture."""
    wide, high = view_box(svg)
    assert wide == SCENE_WIDTH
    assert len(svg.encode()) <= MOST_BYTES
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    for each in elements(svg):
        assert each.tag in TAGS
        assert not [key for key in each.attrib if key.startswith("on")]
        assert each.get("href", "#").startswith("#")
        for x, y in _corners(each):
            assert -0.1 <= x <= wide + 0.1, each.attrib
            assert -0.1 <= y <= high + 0.1, each.attrib
    found = boxes(svg)
    assert found
    for box in found:
        assert box.left >= 0, box
        assert box.right <= wide, box
        assert box.top >= 0, box
        assert box.bottom <= high, box
    assert overlaps(found) == []


def _corners(each: Any) -> list[tuple[float, float]]:
    numbers = {key: float(value) for key, value in each.attrib.items() if re.fullmatch(r"-?[\d.]+", value)}
    if "points" in each.attrib:
        return [tuple(map(float, point.split(","))) for point in each.attrib["points"].split()]  # type: ignore[misc]
    if "x1" in numbers:
        return [(numbers["x1"], numbers["y1"]), (numbers["x2"], numbers["y2"])]
    if "width" in numbers:
        x, y = numbers["x"], numbers["y"]
        assert numbers["width"] >= 0
        assert numbers["height"] >= 0
        return [(x, y), (x + numbers["width"], y + numbers["height"])]
    return []


@pytest.mark.parametrize("name", REPLAYS)
def test_pictures_of_replays_keep_the_laws(name: str) -> None:
    header, lines = replay(name)
    for number, span in enumerate(telling(header, lines)):
        check(drawn(header, lines, span, seat=(None, 1)[number % 2]))


@pytest.mark.parametrize("name", ["face2face-2003-short-game-6p", "card-game-no-cousins-6p"])
def test_hostile_names_and_words_are_only_words(name: str) -> None:
    header, lines = replay(name)
    said = "<b onload='x'>&\u202e ]]> " * 8
    loud = [replace(line, say=said, note=said) if isinstance(line, Answered) else line for line in lines]
    for span in telling(header, loud):
        svg = drawn(header, loud, span, names=HOSTILE)
        check(svg)
        assert "<script" not in svg
        assert "&lt;script&gt;" in svg
        assert "\u202e" not in svg
        assert "\x00" not in svg


@pytest.mark.parametrize(("boss", "cards", "offers"), [(5, 3, 1), (5, 1, 12), (0, 3, 12)])
def test_a_crowded_negotiation_stays_readable(boss: int, cards: int, offers: int) -> None:
    header, lines = replay("face2face-2003-short-game-6p")
    (span, *_) = spans(header, lines)
    crowd = [*lines[: span.first], *_crowd(boss, cards, offers)]
    check(drawn(header, crowd, spans(header, crowd)[-1]))


def _crowd(boss: int, cards: int, offers: int) -> list[Any]:
    """Sixteen ticks in which every seat offers, plays and says as much as it can."""
    random = Random(7)
    found: list[Any] = [events.Opened(boss, 0, 100)]
    others = [seat for seat in range(6) if seat != boss]
    for tick in range(1, 17):
        found.append(events.TickBegan(tick))
        for seat in range(6):
            made = tuple(
                Offer(
                    random.choice(others) if seat == boss else boss,
                    random.randint(0, 100),
                    tuple(random.sample(FAMILIES, random.randint(0, cards))),
                    tuple(random.sample(FAMILIES, random.randint(0, cards))),
                )
                for _ in range(offers)
            )
            found.append(events.Offered(seat, made))
            first = made[0]
            if random.random() < 0.3:
                partner = first.to if seat == boss else seat
                found.append(events.Agreed(Agreement(partner, first.price, first.placards, first.clans)))
        found.append(events.Laid(random.choice(others), FAMILIES))
        found += [events.Played(seat, TakeOver()) for seat in others[:1]]
        found.append(events.Stopped(others[-1]))
        found.append(events.Played(others[1], Travel(random.choice(FAMILIES), others[2])))
    return [*found, events.Failed(boss)]
