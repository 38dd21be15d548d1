"""The page of a match in Chromium: every control does what it says, and what is shown is the match."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.games import load_game
from arena.match.walk.timeline import Timeline
from arena.recorded.event_address import Address
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines, rules_of
from arena.web.viewer.game_page import game_page
from arena.web.viewer.match_data import MatchData, match_data
from arena.web.viewer.write_page import write_match_page
from tests.browser.conftest import PHONE, OpenPage
from tests.viewer.replays import SECRET, pie, talkative
from tests.viewer.test_match_data import plain

pytestmark = pytest.mark.slow

REPLAYS: dict[str, Callable[[], bytes]] = {"board": talkative, "cards": lambda: talkative("cards"), "pie": pie}
TABLES = """() => { const { course } = viewer, seats = [null, ...course.match.entrants.keys()];
    const all = (seat) => { course.look(seat); return course.frames.map((frame, at) => course.table(at)); };
    return JSON.stringify(seats.map(all)); }"""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the pages of all these matches, and of one as a seat knew it."""
    folder = tmp_path_factory.mktemp("viewer")
    for name, replay in REPLAYS.items():
        (folder / f"{name}.html").write_text(write_match_page(replay()), encoding="utf-8")
    (folder / "seat.html").write_text(write_match_page(talkative(), 1), encoding="utf-8")
    (folder / "opens.html").write_text(write_match_page(talkative(), None, Address(60, None)), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def data() -> MatchData:
    """What the page of the board game's match is given."""
    return match_data(talkative())


def test_the_commands_for_an_event_are_shown_where_they_are_wanted_and_tell_of_it(
    pages: Path, open_page: OpenPage, data: MatchData, arena: Any, tmp_path: Path
) -> None:
    (tmp_path / "my match.jsonl").write_bytes(talkative())
    (tmp_path / "p.html").write_text(write_match_page(talkative(), called=("my match.jsonl",)), encoding="utf-8")
    fault = next(frame for frame in data.course.frames if frame.kind == "fault")
    silent = next(frame for frame in data.course.frames if not (frame.ask or frame.unseen) and frame.n > 20)
    page = open_page(tmp_path / "p.html", f"#event={fault.n}")
    shell, codes = page.locator("#shell"), page.locator("#shell code")
    expect(codes).to_have_count(0)
    shell.locator("summary").click()
    decision = f"--at {fault.n}"
    expect(codes).to_have_text(
        [
            f"arena show 'my match.jsonl' --from {fault.n - 5} --to {fault.n + 5}",
            f"arena show 'my match.jsonl' --at ask{fault.ask}",
            f"arena show 'my match.jsonl' --jsonl --from {fault.n} --to {fault.n}",
            f"arena refeed 'my match.jsonl' {decision} --bot ./mine.py",
            f"arena branch 'my match.jsonl' {decision}",
        ]
    )
    for command in codes.all_inner_texts()[:3]:
        ran = arena(*shlex.split(command)[1:])
        assert (ran.code, ran.err) == (0, "")
        assert f'"line":{fault.n},' in ran.out or str(fault.ask) in ran.out
    asked_again = codes.nth(3).inner_text().replace("./mine.py", "greedy")
    ran = arena(*shlex.split(asked_again)[1:], "--trust")
    assert (ran.code, ran.out.startswith("my match.jsonl: #")) == (1, True)
    button = shell.locator("button").nth(1)
    button.click()
    expect(button).to_have_text(re.compile("copied|selected"))
    page.evaluate(f"location.hash = '#event={silent.n}'")
    expect(codes).to_have_count(2)
    page.locator("#eyes").select_option("1")
    seen = seat_numbers_in(Timeline(talkative()), 1).seen(silent.n)
    expect(codes.last).to_have_text(f"arena branch 'my match.jsonl' --seat 1 --at {seen}")
    expect(open_page(pages / "seat.html").locator("#shell")).to_have_count(0)


def shown(page: Page) -> int:
    """The number of the event that is shown."""
    return int(page.locator("#now .n").inner_text().removeprefix("event "))


def goes_to(page: Page, n: int) -> None:
    """Wait until an event is shown, and its row is the one marked in the list, where it is in sight."""
    until(page, MARKED.replace("NUMBER", str(n)))


MARKED = """(() => {
    const marked = [...document.querySelectorAll("#list .row.current")];
    if (document.querySelector("#now .n").innerText !== "event NUMBER" || marked.length !== 1) return false;
    if (marked[0].querySelector(".n").innerText !== "NUMBER") return false;
    const [row, list] = [marked[0], document.getElementById("list")].map((each) => each.getBoundingClientRect());
    return row.height > 0 && row.bottom > Math.max(list.top, 0) && row.top < Math.min(list.bottom, innerHeight);
})()"""


def until(page: Page, condition: str) -> None:
    """Wait until a condition holds in the page, whose policy lets no test put one in it that waits there."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(25)
    raise AssertionError(condition)


@pytest.mark.parametrize("name", REPLAYS)
def test_for_every_event_and_seat_the_script_shows_the_table_of_the_fold(
    name: str, pages: Path, open_page: OpenPage
) -> None:
    page = open_page(pages / f"{name}.html")
    tables = json.loads(page.evaluate(TABLES))
    header, lines = read_replay_lines(REPLAYS[name]())
    numbers = {frame.n for frame in match_data(REPLAYS[name]()).course.frames}
    for seat, made in zip((None, *range(len(header.seats))), tables, strict=True):
        game, rules, players = load_game(header.game), rules_of(header), len(header.seats)
        fold, drawing = game.fold(rules, players, seat), game_page(game).drawing
        drawn = drawing.shown(rules, players) if drawing and drawing.shown else lambda table: table
        folded = list[Any]()
        for number, line in enumerate(lines, 1):
            fold.follow(line)
            if number in numbers:
                folded.append(plain(drawn(fold.table)))
        assert made == folded, seat


def test_every_button_goes_where_it_says(pages: Path, data: MatchData, open_page: OpenPage) -> None:
    page = open_page(pages / "board.html", "#event=60")
    numbers = [frame.n for frame in data.course.frames]
    at = max(n for n in numbers if n <= 60)
    goes_to(page, at)
    page.get_by_role("button", name="next event").click()
    goes_to(page, numbers[numbers.index(at) + 1])
    page.get_by_role("button", name="previous event").click()
    goes_to(page, at)
    for level in data.course.levels:
        page.get_by_role("button", name=f"next {level.name}").click()
        after = min(n for n in level.starts if n > at)
        goes_to(page, after)
        page.get_by_role("button", name=f"previous {level.name}").click()
        goes_to(page, max((n for n in level.starts if n < after), default=1))
        page.evaluate(f"viewer.go(viewer.course.at({at}))")
    page.get_by_role("button", name="last event").click()
    goes_to(page, data.last)
    page.get_by_role("button", name="next deal").click()
    goes_to(page, data.last)
    page.get_by_role("button", name="first event").click()
    goes_to(page, 1)
    page.get_by_role("button", name="previous event").click()
    goes_to(page, 1)


def test_keys_do_the_same_and_the_help_tells_them(pages: Path, data: MatchData, open_page: OpenPage) -> None:
    page = open_page(pages / "board.html")
    starts = {level.name: level.starts for level in data.course.levels}
    faults = [place.n for place in data.places if place.jump == "fault"]
    moments = sorted({place.n for place in data.places if place.jump == "moment" and not place.extra})
    assert faults
    for key, n in (
        ("d", starts["deal"][0]),
        ("u", min(n for n in starts["turn"] if n > starts["deal"][0])),
        ("Home", 1),
        ("t", starts["tick"][0]),
        ("T", 1),
        ("f", faults[0]),
        ("f", faults[1]),
        ("F", faults[0]),
        ("End", data.last),
        ("M", moments[-1]),
    ):
        page.keyboard.press(key)
        goes_to(page, n)
    page.keyboard.press("ArrowLeft")
    assert shown(page) < moments[-1]
    page.keyboard.press("ArrowRight")
    goes_to(page, moments[-1])
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("h2").first).to_be_in_viewport()
    expect(dialog).to_contain_text("next, previous tick")
    expect(dialog).to_contain_text("next, previous fault")
    for word in ("event", "tick", "deal", "moment", "gift", "fault"):
        expect(dialog.locator("dt", has_text=re.compile(f"^{word}$"))).to_be_visible()
    page.keyboard.press("d")  # the dialog has the keys
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    goes_to(page, moments[-1])
    page.get_by_role("button", name="? keys and words").click()
    dialog.get_by_role("button", name="close").click()
    expect(dialog).to_be_hidden()
    page.keyboard.press("2")
    expect(page.locator("#eyes")).to_have_value("2")
    page.keyboard.press("a")
    expect(page.locator("#eyes")).to_have_value("")


def test_it_plays_by_itself_at_the_pace_chosen_until_it_is_stopped_or_over(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    page = open_page(pages / "board.html")
    page.get_by_role("combobox", name="pace").select_option("very fast")
    page.get_by_role("button", name="play").click()
    expect(page.locator("#now")).to_have_attribute("aria-live", "off")
    until(page, "viewer.course.frames[viewer.at].n > 5")
    page.keyboard.press(" ")  # the button has the focus
    expect(page.get_by_role("button", name="play")).to_be_visible()
    n = shown(page)
    page.wait_for_timeout(250)
    assert shown(page) == n
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.locator("h1").click()
    page.keyboard.press(" ")
    goes_to(page, data.last)
    expect(page.locator("#play")).to_have_text("▶ play")
    expect(page.locator("#now")).to_have_attribute("aria-live", "polite")


def test_the_address_is_that_of_the_event_for_good(pages: Path, data: MatchData, open_page: OpenPage) -> None:
    numbers = [frame.n for frame in data.course.frames]
    page = open_page(pages / "board.html", f"#event={numbers[40]}&seat=2")
    goes_to(page, numbers[40])
    expect(page.locator("#eyes")).to_have_value("2")
    page.get_by_role("combobox", name="show").select_option("all hands")
    page.get_by_role("button", name="next event").click()
    until(page, f"location.hash === '#event={numbers[41]}'")
    page.locator("#list .row .n", has_text=re.compile(f"^{numbers[45]}$")).click()
    goes_to(page, numbers[45])
    page.locator("#list .row").filter(has=page.get_by_text(str(numbers[48]), exact=True)).locator(".told").click()
    goes_to(page, numbers[48])
    page.go_back()
    goes_to(page, numbers[45])
    page.go_back()
    goes_to(page, numbers[41])
    page.go_forward()
    goes_to(page, numbers[45])
    for address, there in ((f"#event={data.last + 500}", data.last), ("#event=1&seat=77", 1), ("#event=2", 1)):
        page.evaluate(f"location.hash = '{address}'")
        goes_to(page, there)
    page.evaluate(f"location.hash = '#event={numbers[50]}&seat='")
    goes_to(page, numbers[50])
    expect(page.locator("#eyes")).to_have_value("")
    page.evaluate("location.hash = '#event=1'")
    goes_to(page, 1)
    for address in ("#event=x", "#<img src=x>", "#event=-3", "#event=1e999"):
        page.evaluate(f"location.hash = '{address}'")
        page.wait_for_timeout(30)
        assert shown(page) == 1


def test_the_address_of_an_ask_opens_there_also_where_its_answer_has_no_event(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    group = next(group for group in data.asks if group.silent and group.n > 40)
    page = open_page(pages / "board.html", f"#ask={group.asks[0]}")
    goes_to(page, group.n)
    expect(page.locator("#now .unnamed")).to_contain_text(f"ask {group.asks[0]}: ")
    until(page, f"location.hash === '#ask={group.asks[0]}'")
    page.get_by_role("button", name="next event").click()
    expect(page.locator("#now .unnamed")).to_have_count(0)
    ask = next(frame.ask for frame in reversed(data.course.frames) if frame.ask)
    page.evaluate(f"location.hash = '#ask={ask}'")
    goes_to(page, next(frame.n for frame in data.course.frames if frame.ask == ask))


def test_a_page_opens_at_the_event_it_was_written_for_and_follows_a_link_while_the_address_is_being_written(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    page = open_page(pages / "opens.html")
    goes_to(page, max(frame.n for frame in data.course.frames if frame.n <= 60))
    n = data.places[-1].n
    script = f"location.hash = '#event={n}'; viewer.addresses.write(); location.hash"
    assert page.evaluate(script) == f"#event={n}", "or else going back and forward might find two equal addresses"
    goes_to(page, n)
    until(page, f"location.hash === '#event={n}'")


def test_jumps_list_what_they_lead_to(pages: Path, data: MatchData, open_page: OpenPage) -> None:
    page = open_page(pages / "board.html")
    for jump, name in (("moment", "moments"), ("deal", "deals"), ("boss", "changes of Boss"), ("fault", "faults")):
        places = [place for place in data.places if place.jump == jump and not place.extra]
        closed = sum(not place.failed for place in places)
        count = f"{len(places)} ({closed} closed)" if closed < len(places) else str(len(places))
        button = page.get_by_role("button", name=f"{name} {count}", exact=True)
        if not places:
            expect(button).to_be_disabled()
            continue
        if jump != "moment":  # it is open
            button.click()
        expect(button).to_have_attribute("aria-expanded", "true")
        items = page.locator("#places li")
        expect(items).to_have_count(len(places))
        items.last.locator("a").click()
        goes_to(page, places[-1].n)
        expect(items.last).to_have_class("current")
        if jump == "moment":
            expect(items.last).to_contain_text(places[-1].text)
            expect(items.last).to_contain_text(places[-1].figure)
        if jump == "deal":
            expect(items.last).to_contain_text(f"deal {places[-1].number}")
        button.click()
        expect(page.locator("#places")).to_be_hidden()


def test_the_result_is_told_with_a_void_one_and_a_seat_that_is_chosen_has_its_own_places(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    page = open_page(pages / "board.html")
    money = page.evaluate("viewer.course.table(viewer.course.frames.length - 1).money")
    first = data.result[0]
    expect(page.locator(".ranks li")).to_have_count(4)
    expect(page.locator(".ranks li").first).to_have_text(
        f"1. {data.entrants[first.seat]} ({first.seat}) ${money[first.seat]}M"
    )
    for seat in (0, 3):
        page.locator("#legend button").nth(seat).click()
        expect(page.locator(".side [role=status]").first).to_have_text(f"only places of {data.entrants[seat]} ({seat})")
        for jump in ("moment", "payment", "fault", "deal", "boss"):
            own = [place.n for place in data.places if place.jump == jump and seat in place.seats]
            assert page.evaluate(f"viewer.course.jumps('{jump}').map(({{ n }}) => n)") == own, jump
    page.locator("#legend button").nth(3).click()
    expect(page.locator(".side [role=status]:visible")).to_have_count(0)
    expect(page.locator("#void")).to_be_hidden()
    page.evaluate("showHead({ ...viewer.course.match, void: true })")
    expect(page.locator("#void")).to_contain_text("This match is void")


def test_a_search_leaves_what_is_found_and_goes_through_it(pages: Path, data: MatchData, open_page: OpenPage) -> None:
    page = open_page(pages / "board.html")
    page.keyboard.press("/")
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    field.fill("OPENS the deal")
    hits = [frame.n for frame in data.course.frames if any("opens the deal" in each.text for each in frame.told)]
    expect(page.locator("#found")).to_contain_text(f"{len(hits)} of ")
    assert [int(n) for n in page.locator("#list .row:not([hidden]) .n").all_inner_texts()] == hits
    for key, n in (("Enter", hits[0]), ("Enter", hits[1]), ("Shift+Enter", hits[0]), ("Shift+Enter", hits[-1])):
        field.press(key)
        goes_to(page, n)
    field.fill("no such words")
    expect(page.locator("#found")).to_contain_text("0 of ")
    field.press("Enter")
    assert shown(page) == hits[-1]
    field.press("Escape")
    expect(field).to_have_value("")
    goes_to(page, hits[-1])


def test_the_money_is_a_timeline_to_be_clicked_dragged_and_keyed(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    page = open_page(pages / "board.html")
    chart = page.get_by_role("slider", name="event")
    box = chart.bounding_box()
    assert box is not None
    expect(chart.locator(".money-line")).to_have_count(4)
    expect(chart.locator(".fault-mark")).to_have_count(sum(place.jump == "fault" for place in data.places))
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 20)
    goes_to(page, data.last)
    page.mouse.down()
    page.mouse.move(box["x"] + 45, box["y"] + 40, steps=4)
    page.mouse.up()
    assert shown(page) < data.last / 20
    page.mouse.move(box["x"] + 400, box["y"] + 40)
    assert shown(page) < data.last / 20
    expect(chart).to_have_attribute("aria-valuetext", f"event {shown(page)} of {data.last}")
    expect(chart).to_be_focused()
    page.keyboard.press("End")
    money = plain(match_data(talkative()).course.frames[-1]).get("set", {}).get("money") or page.evaluate(
        "viewer.course.table(viewer.at).money"
    )
    for seat, amount in enumerate(money):
        expect(page.locator("#legend button").nth(seat)).to_contain_text(f"({seat})${amount}M")
    page.locator("#legend button").nth(1).click()
    expect(page.locator("#legend button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(chart.locator(".faint")).to_have_count(3)
    page.locator("#legend button").nth(1).click()
    expect(chart.locator(".faint")).to_have_count(0)


def test_talk_stands_beside_the_table_until_the_turn_is_over_and_notes_only_where_the_eyes_may_know_them(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    said = next(frame for frame in data.course.frames if any(each.kind == "note" for each in frame.told))
    page = open_page(pages / "board.html", f"#event={said.n}")
    talk = page.locator("#talk")
    expect(talk).to_contain_text("my turn <b>")
    expect(talk).to_contain_text(SECRET)
    expect(page.locator("#list")).to_contain_text(SECRET)
    assert page.locator("b", has_text=re.compile(r"^\d+$")).count() == 0
    for seat, knows in ((0, True), (1, False), (3, False)):
        page.get_by_role("combobox", name="show").select_option(str(seat))
        expect(talk).to_contain_text("my turn <b>")
        assert (SECRET in page.locator("main").inner_text()) is knows
        assert (SECRET in page.locator("#list").inner_text()) is knows
    expect(page.get_by_role("button", name=re.compile("^faults"))).to_have_text("faults 0")
    words = next(frame.n for frame in data.course.frames if any(each.kind == "said" for each in frame.told))
    page.evaluate(f"location.hash = '#event={words}&seat='")
    goes_to(page, words)
    expect(talk.locator(".newest cite").first).to_contain_text("now")
    page.get_by_role("button", name="next event").click()
    expect(talk.locator("cite a").first).to_have_text(f"at event {words}")
    turn = next(level.starts for level in data.course.levels if level.name == "turn")
    page.evaluate(f"viewer.go(viewer.course.at({min(start for start in turn if start > words)}))")
    expect(talk).to_have_text("nothing said in this turn yet")


def test_faults_are_marked(pages: Path, open_page: OpenPage) -> None:
    line, fault = next(
        (number, line) for number, line in enumerate(read_replay_lines(talkative())[1], 1) if isinstance(line, Faulted)
    )
    page = open_page(pages / "board.html", f"#event={line}")
    expect(page.locator("#now.fault")).to_contain_text("fault")
    expect(page.locator("#now")).to_contain_text(fault.evidence)
    expect(page.locator("#now")).to_contain_text("seen only by talker.py#0 (0)")
    expect(page.locator("#list .row.fault").first).to_contain_text("fault")


def test_a_page_for_one_seat_has_no_other_eyes(pages: Path, open_page: OpenPage) -> None:
    page = open_page(pages / "seat.html")
    expect(page.locator(".eyes-fixed")).to_have_text("what seat 1 knew")
    assert page.locator("#eyes").count() == 0
    page.keyboard.press("0")
    page.keyboard.press("End")
    assert page.evaluate("viewer.course.table(viewer.at).hands.map((hand) => hand === null)") == [
        True,
        False,
        True,
        True,
    ]
    page.evaluate("location.hash = '#event=40&seat=0'")
    page.evaluate("location.hash = '#seen=40&seat=0'")
    expect(page.locator("#now .n")).to_have_text("seen 40")
    assert page.evaluate("viewer.course.seat") == 1
    assert page.evaluate("viewer.address(40)") == "#seen=40"
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^seen 40 of "))


def test_on_a_phone_nothing_scrolls_sideways_and_a_swipe_is_a_step(pages: Path, open_page: OpenPage) -> None:
    for name in REPLAYS:
        page = open_page(pages / f"{name}.html", "#event=30", size=PHONE)
        for n in (100, 10_000):
            page.evaluate(f"viewer.go(viewer.course.at({n}))")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        page.evaluate("viewer.go(viewer.course.visible[2])")
        swipe = """([from, to]) => { const root = document.getElementById('now');
            const touch = (x) => new Touch({identifier: 1, target: root, clientX: x, clientY: 200});
            root.dispatchEvent(new TouchEvent('touchstart', {touches: [touch(from)], changedTouches: [touch(from)]}));
            root.dispatchEvent(new TouchEvent('touchend', {touches: [], changedTouches: [touch(to)]})); }"""
        for start, end, place in ((200, 80, 3), (80, 200, 2), (80, 100, 2)):
            page.evaluate(swipe, [start, end])
            assert page.evaluate("viewer.course.visible.indexOf(viewer.at)") == place
        assert page.evaluate(BUTTONS) == []


BUTTONS = """() => [...document.querySelectorAll("#controls button")].filter((button) => {
    const { left, top, right, bottom, width, height } = button.getBoundingClientRect();
    return Math.min(width, height) < 40 || Math.min(left, top) < 0 || right > innerWidth || bottom > innerHeight;
}).map((button) => button.outerHTML)"""
"""Buttons that are too small for a finger, or not in sight."""


def test_on_a_phone_the_ring_is_whole_and_uncovered_after_every_jump(pages: Path, open_page: OpenPage) -> None:
    page = open_page(pages / "board.html", size=PHONE)
    now = page.locator("#now")

    def ring_is_seen() -> bool:
        ring, steps = page.locator("svg.board").bounding_box(), page.locator("#controls").bounding_box()
        assert ring is not None
        assert steps is not None
        return ring["y"] >= 0 and ring["y"] + ring["height"] <= steps["y"]

    page.get_by_role("button", name="next event").tap()
    assert ring_is_seen()
    expect(now).to_be_in_viewport(ratio=1)
    for tap in (
        lambda: page.locator("#places a").first.tap(),
        lambda: page.locator("#list .row .told").nth(30).tap(),
        lambda: page.get_by_role("button", name="next event").tap(),
    ):
        page.evaluate("document.querySelector('#list').scrollIntoView()")
        assert not ring_is_seen()
        before = shown(page)
        tap()
        until(page, f"Number(document.querySelector('#now .n').textContent.slice(6)) !== {before}")
        assert ring_is_seen()
        expect(now).to_be_in_viewport(ratio=1)
    chart, hands = page.locator("#chart").bounding_box(), page.locator(".hands").bounding_box()
    assert chart is not None
    assert hands is not None
    assert chart["y"] + chart["height"] <= hands["y"]


def test_dark_and_light_can_be_chosen_and_everything_is_readable_and_no_sentence_cut(
    pages: Path, data: MatchData, open_page: OpenPage
) -> None:
    page = open_page(pages / "board.html", "#event=60")
    page.emulate_media(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    assert low_contrast(page) == []
    page.get_by_role("button", name="dark or light").click()
    assert page.evaluate(ground) != dark
    assert low_contrast(page) == []
    longest = max(data.course.frames, key=lambda frame: sum(len(each.text) for each in frame.told)).n
    for n in (longest, data.last):
        page.evaluate(f"location.hash = '#event={n}'")
        goes_to(page, n)
        link = page.locator("#now .n").bounding_box()
        assert link is not None
        assert link["height"] < 30
        assert page.evaluate("(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(viewer.now)")


def low_contrast(page: Page) -> list[str]:
    """Texts of the page around the table whose contrast with what lies behind them is below 4.5 (WCAG 2.2, 1.4.3)."""
    found: list[str] = page.evaluate(
        """() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
        const paint = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); };
        const rgb = (colour, under) => { paint(under); paint(colour);
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
        const light = (c) => c.map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
        const behind = (e) => { const g = getComputedStyle(e).backgroundColor;
            return g !== 'rgba(0, 0, 0, 0)' || !e.parentElement ? g : behind(e.parentElement); };
        return [...document.querySelectorAll('header *, .timeline *, .now *, .side > :not(#list) *, .controls *')]
            .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.getClientRects().length
                && !e.closest('.unseen, :disabled, option, noscript'))
            .filter((e) => { const ground = behind(e), style = getComputedStyle(e);
                const ink = e instanceof SVGElement ? style.fill : style.color;
                const [a, b] = [light(rgb(ink, ground)), light(rgb(ground, 'white'))].sort((x, y) => y - x);
                return (a + .05) / (b + .05) < 4.5 && !e.closest('.fault-mark'); })
            .map((e) => e.outerHTML.slice(0, 120)); }"""
    )
    return found


def test_the_other_games_have_their_own_steps(pages: Path, open_page: OpenPage) -> None:
    page = open_page(pages / "cards.html")
    page.get_by_role("button", name="next round").click()
    expect(page.locator("#now")).to_contain_text("Round 1")
    page.get_by_role("button", name=re.compile("^rounds")).click()
    expect(page.locator("#places")).to_contain_text("settles at")
    page = open_page(pages / "pie.html", "#event=1")
    assert page.locator("#controls .pair").count() == 1
    page.get_by_role("button", name="next event").click()
    expect(page.locator(".fields")).to_contain_text("worths")
    expect(page.locator(".fields .changed")).to_have_count(1)
