"""Pages by their layout, in the sizes of ``screenshots.py``: what must be in sight is, nothing covers a word, nothing
is cut. Pixels are compared with nothing: they differ from machine to machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from arena.web.picture.render_clip import draw_events
from tests.browser.conftest import GOLDEN, PHONE, SCREEN, GoldenPage, OpenPage

pytestmark = pytest.mark.slow

BOARD = ["eagle-gryphon-4p", "face2face-2003-short-game-6p", "outline-reported-board-3p"]
CARDS = ["card-game-4p"]
WRONG = """(sights) => {
    const { course } = viewer, root = document.getElementById("table"), wrong = new Set();
    const boxes = (part) => [...root.querySelectorAll(part)]
        .map((each) => [each.textContent, each.getBoundingClientRect()]);
    const traced = new Map();  // the points along each path: most are drawn again at many events
    const trace = (path) => {
        const drawn = path.getAttribute("d"), long = traced.has(drawn) ? 0 : path.getTotalLength();
        if (long) traced.set(drawn, Array.from({ length: 41 }, (_, at) => path.getPointAtLength(long * at / 40)));
        return traced.get(drawn) || [];
    };
    const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
    const bottom = root.getBoundingClientRect().bottom + 1;
    for (const at of course.visible.filter((_, index) => index % 60 === 0)) {  // neighbours differ little
        showTable(root, course.table(at), course.match, course.options(at));
        const say = (what) => wrong.add(`event ${course.frames[at].n}: ${what}`);
        for (const part of root.querySelectorAll(sights)) {
            const box = part.getBoundingClientRect();
            if (box.bottom > bottom || box.height < 1) say(`${part.className || part.tagName} is out of sight`);
        }
        if (!root.querySelector(".board")) continue;
        const place = root.querySelector(".board").getScreenCTM();
        const words = boxes(".between text, .between .family, .space text");
        for (const path of root.querySelectorAll(".lines path, .plays path:not(.glyph)")) {
            for (const point of trace(path)) {
                const { x, y } = point.matrixTransform(place);
                const hit = words.find(([, box]) => x > box.left && x < box.right && y > box.top && y < box.bottom);
                if (hit) say(`a line crosses ${hit[0]}`);
            }
        }
        const tags = boxes(".price > rect").map(([, box]) => box);
        const signs = boxes(".in-air circle").map(([, box]) => box);
        for (const [word, box] of boxes(".between text, .seats text, .prices text, .space text")) {
            if (signs.some((sign) => overlap(sign, box))) say(`a sign covers ${word}`);
        }
        const frames = boxes(".seat .frame").map(([, box]) => box);
        for (const [word, box] of boxes(".between text, .between .family")) {
            if (frames.some((frame) => overlap(frame, box))) say(`a seat covers ${word}`);
        }
        for (const [, box] of boxes(".seat .frame, .between text")) {
            if (tags.some((tag) => overlap(tag, box))) say("a price covers a seat or a word");
        }
        tags.forEach((tag, index) => {
            if (tags.slice(0, index).some((other) => overlap(tag, other))) say("a price covers a price");
        });
    }
    return [...wrong].slice(0, 5);
}"""
"""What of these parts is out of sight, and on a board the lines, signs and prices that lie on words."""
SIGHTS = ".hands .card, .hands .card-back, .offers tr, .player .own"
"""Hands and offers."""
NAMES = """() => [...document.querySelectorAll("#table .seat")].map((seat) => {
    const name = seat.querySelector("text.strong"), frame = seat.querySelector(".frame").getBoundingClientRect();
    return [name.textContent, name.getBoundingClientRect().right < frame.right];
})"""
"""The names of the seats as drawn, and whether each ends within its frame."""


@pytest.mark.parametrize("name", [*BOARD, *CARDS])
def test_all_hands_and_offers_are_in_sight_and_nothing_on_the_board_covers_a_word(
    open_page: OpenPage, golden_page: GoldenPage, name: str
) -> None:
    page = open_page(golden_page(name))
    assert page.evaluate("document.documentElement.scrollHeight") <= SCREEN[1]
    lists_use_the_height(page)
    assert page.evaluate(WRONG, SIGHTS) == []
    if name in BOARD:
        names_are_whole(page, SCREEN[0], int(name[-2]))
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert page.evaluate(WRONG, "none") == []
        names_are_whole(page, PHONE[0], int(name[-2]))


def names_are_whole(page: Page, width: int, seats: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    named: list[tuple[str, bool]] = page.evaluate(NAMES)
    assert len(named) == seats
    assert all(inside and "…" not in shown for shown, inside in named)


def lists_use_the_height(page: Page) -> None:
    side, listed, steps = (page.locator(part).bounding_box() for part in (".side", "#list", "#controls"))
    assert side is not None
    assert listed is not None
    assert steps is not None
    assert listed["height"] >= side["height"] / 3
    assert 0 <= steps["y"] - listed["y"] - listed["height"] < 20


CLIP = """(labels) => {
    const moving = document.getAnimations();
    const whole = Math.max(...moving.map((each) => each.effect.getTiming().duration));
    const seen = new Set(), wrong = new Set(), room = document.documentElement.getBoundingClientRect();
    for (const each of moving) each.pause();
    for (let step = 0; step < 150; step += 1) {
        for (const each of moving) each.currentTime = whole * (step + 0.5) / 150;
        const texts = [...document.querySelectorAll("text")]
            .filter((each) => getComputedStyle(each).visibility === "visible");
        const shown = texts.filter((each) => each.classList.contains("step")).map((each) => each.textContent);
        if (shown.length !== 1) wrong.add(`${shown.length} events at once`);
        shown.forEach((each) => seen.add(each));
        for (const each of texts) {
            const { left, right, bottom } = each.getBoundingClientRect();
            if (left < room.left || right > room.right || bottom > room.bottom) wrong.add(`cut: ${each.textContent}`);
        }
    }
    return [[...seen], [...wrong]];
}"""


def test_a_clip_shows_one_event_after_the_other(open_page: OpenPage, tmp_path: Path) -> None:
    clip = tmp_path / "clip.svg"
    clip.write_text(draw_events(GOLDEN / f"{BOARD[0]}.jsonl", 60, 90), encoding="utf-8")
    found: tuple[list[str], list[Any]] = open_page(clip).evaluate(CLIP)
    seen, wrong = found
    assert wrong == []
    assert len(seen) > 10
    assert seen == sorted(seen, key=lambda each: int(each.removeprefix("event ")))
    assert {int(each.removeprefix("event ")) for each in seen} <= {*range(60, 91)}
