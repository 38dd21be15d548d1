"""The page that opens matches shows what the page of each match shows; files of strangers do no harm."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.recorded.match_lines import LineRange, first_line, match_lines
from arena.replay.read import read_header, split_replay
from arena.web.viewer.open_page import page_of_match, write_open_page
from arena.web.viewer.write_page import write_match_page
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.test_viewer import REPLAYS
from tests.viewer.replays import talkative

pytestmark = pytest.mark.slow

EVIL = "<img src=x onerror=window.hurt=1>\u202e"
DROP = """([name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true })); }"""


LOOKS = """() => [...document.querySelectorAll("#table *")].map((each) => { const style = getComputedStyle(each);
    const names = ["color", "backgroundColor", "fill", "stroke", "fontSize", "fontWeight", "display", "borderTopWidth"];
    return [each.tagName, each.className?.baseVal ?? each.className, ...names.map((name) => style[name])].join(); })"""
"""How each part of the table looks, wherever it stands."""
SOME_TABLES = """() => { const { course } = viewer, seats = [null, ...course.match.entrants.keys()];
    const some = (seat) => { course.look(seat); return course.frames.map((_, at) => at).filter((at) => at % 25 === 0)
        .map((at) => course.table(at)); };
    return JSON.stringify(seats.map(some)); }"""
"""The tables at every twenty-fifth event."""


class _Quiet(SimpleHTTPRequestHandler):
    """A plain web server of files that writes no log."""

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a league: the page, and what ``arena show --jsonl`` writes of matches of three games."""
    folder = tmp_path_factory.mktemp("league")
    for name, replay in REPLAYS.items():
        (folder / f"{name}.replay").write_bytes(replay())
        lines = match_lines(folder / f"{name}.replay", LineRange(), page_of_match)
        (folder / f"{name}.jsonl").write_bytes(b"".join(lines))
    lines = match_lines(folder / "board.replay", LineRange(seat=1), page_of_match)
    (folder / "seat.jsonl").write_bytes(b"".join(lines))
    games = {read_header(split_replay(replay())[0]).game for replay in REPLAYS.values()}
    (folder / "viewer.html").write_text(write_open_page(sorted(games)), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/viewer.html"
        server.shutdown()


@pytest.mark.parametrize("name", REPLAYS)
def test_a_match_that_the_address_names_is_shown_as_on_its_own_page(
    name: str, open_page: OpenPage, address: str, tmp_path: Path
) -> None:
    page = open_page(f"{address}?match={name}.jsonl", "#event=40")
    page.locator("#now .n").wait_for()
    (tmp_path / "own.html").write_text(write_match_page(REPLAYS[name]()), encoding="utf-8")
    own = open_page(tmp_path / "own.html", "#event=40")
    expect(own.locator("#now .n")).to_have_text(page.locator("#now .n").inner_text())
    assert page.title() == own.title()
    for part in ("header.viewer-head h1", "#ranks", "#legend", "#table", "#jumps"):
        assert page.locator(part).inner_text() == own.locator(part).inner_text(), part
    assert page.evaluate(LOOKS) == own.evaluate(LOOKS)
    assert page.evaluate(SOME_TABLES) == own.evaluate(SOME_TABLES)


def test_the_first_line_alone_is_enough_as_ladders_export_it(open_page: OpenPage, address: str, folder: Path) -> None:
    below = folder / "season-1" / "matches"
    below.mkdir(parents=True)
    (below / "7.jsonl").write_bytes(first_line(REPLAYS["board"](), page_of_match))
    page = open_page(f"{address}?match=season-1/matches/7.jsonl")
    expect(page.locator("#now .n")).to_have_text("event 1")
    page.keyboard.press("End")
    expect(page.locator("#ranks")).to_be_visible()


def test_files_are_dropped_one_after_the_other_and_the_same_is_chosen_again(
    open_page: OpenPage, folder: Path, tmp_path: Path
) -> None:
    page = open_page(folder / "viewer.html")
    expect(page.locator("#opening")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    for name in ("cards", "board", "seat"):
        page.evaluate(DROP, [f"{name}.jsonl", (folder / f"{name}.jsonl").read_text(encoding="utf-8")])
        expect(page.locator("main")).to_be_visible()
        expect(page.locator("#opening")).to_be_hidden()
        expect(page.locator("#now .n")).to_have_text("seen 1" if name == "seat" else "event 1")
        page.keyboard.press("ArrowRight")
        second = page.evaluate("viewer.course.frames[viewer.course.visible[1]].n")
        expect(page.locator("#now .n")).to_have_text(f"{'seen' if name == 'seat' else 'event'} {second}")
        if name == "cards":
            expect(page).to_have_url(re.compile(rf"#event={second}$"))  # which is not where the next match begins
    expect(page.locator("#eyes-fixed")).to_have_text("what seat 1 knew")
    assert page.locator("#eyes, #shell").count() == 0
    page.locator("#theme").click()
    page.get_by_role("button", name="another match").click()
    expect(page.locator("#opening")).to_be_visible()
    (tmp_path / "match.jsonl").write_text("{}\n")
    page.locator("#file").set_input_files(tmp_path / "match.jsonl")
    expect(page.locator("#problem")).to_be_visible()
    assert page.locator("#file").input_value() == ""  # a browser says nothing of a choice that stays the same
    (tmp_path / "match.jsonl").write_bytes((folder / "board.jsonl").read_bytes())
    page.locator("#file").set_input_files(tmp_path / "match.jsonl")
    expect(page.locator("#eyes")).to_be_visible()
    expect(page.locator("#shell")).to_have_count(1)
    page.get_by_role("button", name="another match").click()
    assert page.locator("#file").input_value() == ""


def test_on_a_phone_it_is_as_narrow_as_the_screen(open_page: OpenPage, address: str) -> None:
    for fragment in ("", "?match=board.jsonl"):
        page = open_page(f"{address}{fragment}", size=PHONE)
        page.locator("#opening" if not fragment else "#now .n").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def change(at: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """A change of the data of a page: the value at a path is another."""

    def act(data: dict[str, Any]) -> None:
        *above, last = at.split(".")
        place: Any = data
        for each in above:
            place = place[int(each) if each.isdigit() else each]
        place[int(last) if last.isdigit() else last] = value

    return act


HOSTILE = {
    "no entrants": change("entrants", []),
    "too many entrants": change("entrants", ["x"] * 99),
    "a seat that is none": change("seat", 77),
    "a number too large": change("course.first.money", [1e300] * 4),
    "a die without such a face": change("course.frames.3.roll", 1e6),
    "a splice beyond its list": change("course.frames.3.splice", {"offers": [0, 5, []]}),
    "a list too long": change("course.first.offers", [0] * 5000),
    "a field that is not there": change("course.frames.3.set", {"nothing": 1}),
    "its events are not in order": change("course.frames.3.n", 1),
    "a name that changes the kind": change("course.frames.3.set", {"__proto__": {"hurt": 1}}),
    "a choice of a million": change("about.spaces.0.groups", [{"choose": 1e6, "from": ["red"]}]),
    "its numbers of seats and entrants differ": change("about.players", 6),
    "a text too long": change("course.frames.3.told", [{"text": "x" * 30_000}]),
    "no course": change("course", None),
    "a place has an invalid seat": change("places.0.seats", [44]),
    "too deep": change("about.deals", json.loads("[" * 40 + "]" * 40)),
    "a table that nobody can draw": change("course.first.placards", 7),
}


@pytest.fixture(scope="module")
def shown_data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(bytes(page_of_match(talkative(), None)))
    return data


def drop(page: Page, line: object) -> None:
    page.evaluate(DROP, ["x.jsonl", f"{line if isinstance(line, str) else json.dumps(line)}\n"])


def test_files_that_are_none_are_refused_in_a_sentence(
    open_page: OpenPage, folder: Path, shown_data: dict[str, Any]
) -> None:
    page = open_page(folder / "viewer.html")
    problem = page.locator("#problem")
    for line, told in (
        ("", "does not begin like a line"),
        ("<html>", "does not begin like a line"),
        ('{"line":', "is not JSON"),
        ((folder / "board.replay").read_text(encoding="utf-8"), "it is a replay"),
        ('{"line":7,"told":[]}', "its first line has no page"),
        ({"line": 1, "page": []}, "no match data"),
    ):
        drop(page, line)
        expect(problem).to_contain_text(told)
        expect(page.locator("main")).to_be_hidden()
    for what, act in HOSTILE.items():
        data = copy.deepcopy(shown_data)
        act(data)
        drop(page, {"line": 1, "page": data})
        expect(problem, what).to_contain_text("cannot be shown")
        page.evaluate("document.getElementById('problem').textContent = ''")
    assert page.evaluate("[Object.prototype.hurt, window.hurt]") == [None, None]


def test_text_of_strangers_is_text_wherever_it_stands(
    open_page: OpenPage, folder: Path, shown_data: dict[str, Any]
) -> None:
    data = copy.deepcopy(shown_data)
    data |= {"edition": EVIL, "match": EVIL, "called": "x; rm -rf ~", "entrants": [EVIL] * 4, "deal": EVIL}
    for frame in data["course"]["frames"]:
        for each in frame.get("told", []):
            each |= {"text": EVIL, "words": EVIL, "kind": EVIL}
        frame["kind"] = EVIL
    for place in data["places"]:
        place |= {"text": EVIL, "figure": EVIL, "of": EVIL}
    for level in data["course"]["levels"]:
        level["name"] = EVIL
    for family in data["about"]["families"]:
        family |= {"name": EVIL, "letters": "R"}
    page = open_page(folder / "viewer.html")
    drop(page, {"line": 1, "page": data})
    for place in (0.1, 0.5, 0.9):
        page.evaluate(f"viewer.go(viewer.course.visible[Math.floor({place} * viewer.course.visible.length)])")
    expect(page.locator("h1")).to_contain_text("<img src=x onerror=window.hurt=1>\ufffd")
    page.locator("#shell summary").click()
    assert "rm -rf" not in page.locator("body").inner_text()
    assert "\u202e" not in page.locator("body").inner_text()
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hurt") is None


def test_nothing_but_files_of_its_own_server_is_read(open_page: OpenPage, address: str, folder: Path) -> None:
    policy = (folder / "viewer.html").read_text(encoding="utf-8").partition('content="')[2].partition('"')[0]
    assert "default-src &#39;none&#39;" in policy
    assert "connect-src &#39;self&#39;" in policy
    assert "form-action &#39;none&#39;" in policy
    assert "unsafe" not in policy
    page = open_page(f"{address}?match=http://elsewhere.example/m.jsonl")
    expect(page.locator("#problem")).to_contain_text("the address is of another server")
    page = open_page(folder / "viewer.html", "?match=board.jsonl")
    expect(page.locator("#problem")).to_contain_text("this page was opened as a file, so it cannot read addresses")
