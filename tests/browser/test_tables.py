"""The tables of both games as Chromium draws them: what is drawn is the table, for every thirtieth event of recorded
matches, and wherever a deal is closed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from arena.web.viewer.write_page import write_match_page
from tests.browser.conftest import GOLDEN, PHONE, SCREEN, GoldenPage, OpenPage
from tests.changed_copy import with_bank_fee

pytestmark = pytest.mark.slow

BOARD = [
    "face2face-2003-short-game-6p",
    "eagle-gryphon-many-variants-5p",
    "outline-reported-board-3p",
    "eagle-gryphon-2p",
]
CARDS = ["card-game-3p", "card-game-no-cousins-6p"]

FRAMES = """(checks) => {
    const root = document.getElementById("table"), { course } = viewer, wrong = [];
    const say = (at, what, is, should) => {
        if (String(is) === String(should)) return;
        wrong.push(`event ${course.frames[at].n}: ${what} is ${is}, should be ${should}`);
    };
    const all = (part) => [...root.querySelectorAll(part)];
    const texts = (part) => all(part).map((each) => each.textContent);
    const many = (card) => Number(card.getAttribute("aria-label").split(" ")[0]);
    const held = (part) => all(part).map((row) => sum([...row.querySelectorAll(".card")].map(many))
        + row.querySelectorAll(".card-back").length);
    const sum = (list) => list.reduce((one, other) => one + other, 0);
    const value = root.clientWidth;  // asked for at each drawing, it would have the last one laid out, for nobody
    Object.defineProperty(root, "clientWidth", { value, configurable: true });
    const closings = checks.includes("closings");
    for (const at of course.visible.filter((each, n) => n % 30 === 0 || (closings && closedHere(course.table(each))))) {
        const state = course.table(at), previous = course.table(at - 1);
        showTable(root, state, course.match, course.options(at));
        const seen = { at, state, previous, say, all, texts, held, sum, match: course.match };
        for (const check of checks) CHECKS[check](seen);
        if (wrong.length > 5) break;
    }
    delete root.clientWidth;
    return wrong;
}"""
CHECKS = """() => { window.CHECKS = {
    board({ at, state, previous, say, all, texts, held, sum, match }) {
        say(at, "cards in hands", held(".hands li"), state.hand_sizes);
        say(at, "money", texts(".seats .money"), state.money.map((money) => `$${money}M`));
        say(at, "laid clan cards", all(".seats .family.clan").length, state.laid.flat().length);
        say(at, "placards", all(".seats .placard, .between .placard").length, 6);
        const travelling = state.placards.filter((each) => each.card).length;
        say(at, "travelling", all(".seats .away, .between .away").length, travelling);
        say(at, "covered spaces", all(".space.covered").length, state.covered.length);
        const here = all(".space").findIndex((each) => each.classList.contains("here"));
        say(at, "the marker's space", here, state.marker ?? -1);
        say(at, "crowns", all(".seats .crown").length, state.boss === null ? 0 : 1);
        const standing = all(".offers .term:not(.gone)");
        say(at, "terms", standing.length, state.boss === null ? 0 : state.offers.length + state.agreements.length);
        say(at, "lines", all(".lines path").length, new Set(standing.map((term) => term.dataset.partner)).size);
        say(at, "plays", all(".in-air").length, state.play ? 1 : 0);
        say(at, "lines of plays without a play", state.play ? 0 : all(".plays path").length, 0);
        const parts = texts(".split .part").map((each) => Number(each.split("$")[1].slice(0, -1)));
        if (state.boss !== null) {
            const deal = match.about.deals.find((each) => each.number === state.deal);
            say(at, "the split", sum(parts), deal.pays[state.marker]);
        }
    },
    cards({ at, state, say, all, held, texts, match }) {
        const bySeat = (list) => all(".player").map((each, place) => [Number(each.dataset.seat), list[place]])
            .sort((one, other) => one[0] - other[0]).map((each) => each[1]);
        say(at, "cards in hands", bySeat(held(".player .own")), state.hand_sizes);
        say(at, "cards in front", bySeat(held(".player .front .hand")), state.fronts.map((front) => front.length));
        say(at, "the centre", held(".lying"), state.centre.length);
        say(at, "a share", texts(".share-value b"), dollars(state.value));
        say(at, "money", bySeat(texts(".purse b")), state.money.map((money) => `$${money}`));
        say(at, "settled rounds", all(".settled tbody tr").length, state.ledger.length);
        say(at, "turned disks", all(".player .turned").length, state.passes.reduce((one, other) => one + other, 0));
        say(at, "X cards", all(".ex").length, state.exes);
    },
    words({ at, state, say, texts, match }) {
        const said = texts(".unseen li").join(" ");
        match.entrants.forEach((name, seat) => say(at, name, said.includes(`Seat ${seat}, ${name}`), true));
    },
    closings({ at, state, previous, say, all, texts, sum, match }) {
        const deal = closedHere(state);
        if (!deal) return;
        const { number, space, boss, proceeds, paid } = deal, opened = viewer.course.options(at).deal;
        say(at, "the deal's name", texts(".deal h3")[0], `Deal ${opened} on space ${space} · card ${number}`);
        say(at, "needs not filled", all(".deal .needs li:is(.missing, .open) .tick-mark").length, 0);
        const got = paid.map((amount, seat) => [`seat ${seat}`, seat === boss ? proceeds - sum(paid) : amount])
            .filter((each) => each[1]).sort();
        const whose = (part) => part.querySelector(".badge").getAttribute("aria-label");
        const parts = all(".split .part").map((part) => [whose(part),
            Number(/\\$([0-9]+)M/.exec(part.textContent)[1])]);
        say(at, "who got what", parts.sort(), got);
        if (viewer.course.frames[at].kind !== "closed") return;
        CLOSED.push(at);
        if (!previous.named) return;
        say(at, "needs not filled", previous.missing, 0);
        say(at, "what each gets", previous.amounts, deal.amounts);
        say(at, "the Boss", boss, previous.boss);
    },
};
window.CLOSED = []; }"""


INSIDE = """() => {
    const { course } = viewer, at = (share) => course.visible[Math.floor(share * (course.visible.length - 1))];
    const root = document.getElementById("table"), out = new Set();
    for (const place of [0, 0.3, 0.6, 1].map(at)) {
        viewer.go(place);
        if (document.documentElement.scrollWidth > innerWidth) out.add("the page");
        for (const each of root.querySelectorAll("*")) {
            if (each.closest(".scroll, .unseen, title, svg *")) continue;
            if (each.getBoundingClientRect().right > innerWidth + 1) out.add(each.className?.baseVal ?? each.className);
        }
        const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
        for (const space of root.querySelectorAll(".space")) {
            const box = space.querySelector("rect").getBoundingClientRect();
            for (const chip of space.querySelectorAll(".family rect")) {
                const { right, bottom } = chip.getBoundingClientRect();
                if (right > box.right || bottom > box.bottom) out.add("a family beyond its space");
            }
        }
        const boxes = [...root.querySelectorAll(".seat .frame, .space > rect:first-of-type")]
            .map((each) => each.getBoundingClientRect());
        boxes.forEach((one, index) => {
            if (boxes.slice(0, index).some((other) => overlap(one, other))) out.add("a seat over another box");
        });
    }
    return [...out];
}"""


def opened(open_page: OpenPage, file: Path, **how: Any) -> Page:
    page = open_page(file, **how)
    page.evaluate(CHECKS)
    return page


@pytest.mark.parametrize("name", BOARD)
def test_the_board_shows_the_table_after_every_thirtieth_event_and_nothing_covers_another(
    open_page: OpenPage, golden_page: GoldenPage, name: str
) -> None:
    page = opened(open_page, golden_page(name), size=PHONE)
    assert page.evaluate(FRAMES, ["board", "words", "closings"]) == []
    assert page.evaluate("CLOSED.length") > 0 or name == BOARD[3]
    assert page.evaluate(INSIDE) == []
    if name == BOARD[2]:
        page.set_viewport_size({"width": SCREEN[0], "height": SCREEN[1]})
        assert page.evaluate(FRAMES, ["board"]) == []
        assert page.evaluate(INSIDE) == []


def test_a_rule_that_changes_what_deals_pay_is_drawn_right_by_the_same_scripts(
    open_page: OpenPage, tmp_path: Path
) -> None:
    copy = with_bank_fee(tmp_path / "copy")
    bots = ("fair", "greedy", "hard", "--rules", "eagle-gryphon", "--seed", 5, "--trust", "-o", "fee.jsonl")
    match, page_file = ("match", *bots, "--rule", "bank_fee=3"), ("view", "fee.jsonl", "-o", "fee.html")
    assert [code for code, _, _ in copy.run_each(match, page_file)] == [0, 0]
    page = opened(open_page, copy.folder / "fee.html")
    assert page.evaluate(FRAMES, ["board", "words", "closings"]) == []
    assert page.evaluate("CLOSED.length") > 0
    fees = page.evaluate(
        """() => viewer.course.match.about.deals.flatMap(({ value, pays }) =>
            pays.map((amount, space) => viewer.course.match.about.spaces[space].dividends * value - amount))"""
    )
    assert set(fees) <= {2, 3}  # of a deal of $2M nothing is left
    assert 3 in fees


@pytest.mark.parametrize(("name", "size"), [(CARDS[0], SCREEN), (CARDS[1], PHONE)])
def test_the_card_game_shows_the_table_after_every_thirtieth_event_and_nothing_covers_another(
    open_page: OpenPage, golden_page: GoldenPage, name: str, size: tuple[int, int]
) -> None:
    page = opened(open_page, golden_page(name), size=size)
    assert page.evaluate(FRAMES, ["cards", "words"]) == []
    assert page.evaluate(INSIDE) == []


def test_a_seat_sees_the_backs_of_the_others_hands(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "seat.html"
    file.write_text(write_match_page((GOLDEN / f"{BOARD[0]}.jsonl").read_bytes(), 2), encoding="utf-8")
    page = opened(open_page, file)
    assert page.evaluate(FRAMES, ["board"]) == []
    rows = page.locator(".hands li")
    for seat in range(rows.count()):
        faces = rows.nth(seat).locator(".card").count()
        assert bool(faces) == (seat == 2), seat
    assert rows.nth(0).locator(".card-back").count() > 0


def test_spaces_lie_side_by_side_in_a_ring_however_many_there_are(open_page: OpenPage, golden_page: GoldenPage) -> None:
    page = open_page(golden_page(BOARD[3]))
    boards = page.evaluate(
        """() => Object.values(BOARD_SHAPES).flatMap((shape) => Array.from({ length: 40 }, (_, count) =>
            ({ count: count + 1, width: shape.width, ...ringPlaces(count + 1, shape) })))"""
    )
    for board in boards:
        places = board["places"]
        assert len(places) == board["count"]
        for index, one in enumerate(places):
            assert min(one["x"], one["y"]) >= 0
            assert min(one["width"], one["height"]) > 0
            assert one["x"] + one["width"] <= board["width"] + 1e-6
            assert one["y"] + one["height"] <= board["height"] + 1e-6
            for other in places[:index]:
                assert (
                    min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"]) < 1e-6
                    or min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"]) < 1e-6
                ), board["count"]


def test_a_phone_that_is_turned_gets_the_other_arrangement(open_page: OpenPage, golden_page: GoldenPage) -> None:
    page = open_page(golden_page(BOARD[0]), size=PHONE)
    narrow, wide = page.locator(".board-table.narrow .board"), page.locator(".board-table:not(.narrow) .board")
    narrow.wait_for()
    page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
    wide.wait_for()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    narrow.wait_for()


CONTRAST = """() => {
    const light = (color) => {
        const parts = color.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
        const [red, green, blue] = parts.map((part) =>
            part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = (each) => {
        for (let at = each; at; at = at.parentElement) {
            const { backgroundColor } = getComputedStyle(at);
            if (!/^rgba.*, 0\\)$/.test(backgroundColor)) return backgroundColor;
        }
        return "rgb(255, 255, 255)";
    };
    const pale = new Set();
    for (const share of [0.1, 0.4, 0.7]) {
        viewer.go(viewer.course.visible[Math.floor(share * (viewer.course.visible.length - 1))]);
        for (const each of document.querySelectorAll("#table *:not(svg, svg *)")) {
            if (![...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
            const [one, other] = [light(getComputedStyle(each).color), light(ground(each))];
            const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            if (contrast < 4.5) pale.add(`${each.className} ${contrast.toFixed(1)}`);
        }
    }
    return [...pale];
}"""


@pytest.mark.parametrize("name", [BOARD[0], CARDS[1]])
def test_every_word_stands_out_from_its_ground(open_page: OpenPage, golden_page: GoldenPage, name: str) -> None:
    page = open_page(golden_page(name))
    assert page.evaluate(CONTRAST) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(CONTRAST) == []


STEPS = """() => {
    const { course } = viewer, root = document.getElementById("table"), took = [];
    let kept = 0;
    for (const at of course.visible.slice(1, 40)) {
        const space = root.querySelector(".space"), before = performance.now();
        showTable(root, course.table(at), course.match, course.options(at));
        root.getBoundingClientRect();
        took.push(performance.now() - before);
        kept += space === root.querySelector(".space");
    }
    took.sort((one, other) => one - other);
    return { quarter: took[Math.floor(took.length / 4)], kept: kept / took.length };
}"""


def test_a_step_is_drawn_at_once_and_keeps_what_did_not_change(open_page: OpenPage, golden_page: GoldenPage) -> None:
    step = open_page(golden_page(BOARD[0])).evaluate(STEPS)
    assert step["kept"] > 0.8
    assert step["quarter"] < 40  # as a quarter are on a busy machine, too; of 8 ms: tests/bench/tables.py
