"""The report in a browser: of a real run with faults, every control does what it says, and bots' names do no harm."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, expect

from arena.storage.run_folder import FolderStore
from arena.tournament.standings.standings import fold_standings
from arena.tournament.standings.standings_text import standings_data
from arena.web.report import report_page
from tests.browser.conftest import PHONE, SCREEN, OpenPage
from tests.report.played import EVIL, RIGHT_TO_LEFT, play

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("run"), 5, listed=True)


@pytest.fixture(scope="module")
def file(run: Path) -> Path:
    path = run.parent / "report.html"
    path.write_text(report_page(run, matches=1), encoding="utf-8")
    return path


def ready(page: Page) -> Page:
    page.wait_for_selector('html[data-pages="ready"]', state="attached")
    return unfolded(page)


def unfolded(page: Page) -> Page:
    page.get_by_role("button", name="Open all sections").click()
    expect(page.get_by_role("button", name="Close all sections")).to_be_visible()
    return page


CUT = """() => [...document.querySelectorAll(".part:not([hidden]) .scroll:has(table), #played .scroll:has(table)")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.closest("section").id)"""


PARTS = """() => [...document.querySelectorAll(".part:not([hidden])")].map((part) => [
    part.querySelector("h3")?.innerText,
    ...["button.file", "details.meanings dt"].map((inner) => part.querySelectorAll(inner).length),
])"""
"""The titles of what is shown, how many files each can be saved as, and how many of its figures are explained."""


def test_a_fault_leads_to_its_very_event_and_rows_are_saved_as_the_figures_of_the_run(
    open_page: OpenPage, file: Path, run: Path
) -> None:
    page = ready(open_page(file))
    link = page.locator("#faults a[href]").first
    event = link.inner_text().removeprefix("event ")
    with page.context.expect_page() as opened:
        link.click()
    viewer = opened.value
    assert viewer.url.endswith(f"#event={event}")
    record = next(each for each in FolderStore(run).records() if each.id in page.locator("#faults").inner_text())
    line = (FolderStore(run).replay(record.id) or b"").splitlines()[int(event) - 1]
    assert line.startswith(b'{"event":"fault"')
    expect(viewer.locator("body")).to_contain_text(f"event {event}")
    assert viewer.evaluate("window.hurt") is None
    unheld = page.locator("#faults .to-event code").first
    assert unheld.inner_text().startswith("arena view ")
    with page.expect_download() as saved:
        page.locator("#standings .part:not([hidden]) button.file").click()
    assert saved.value.suggested_filename == "standings-all.csv"
    text = Path(saved.value.path()).read_bytes().decode()
    rows = list(csv.DictReader(StringIO(text, newline="")))
    facts = FolderStore(run).facts()
    data = standings_data(fold_standings(FolderStore(run).records(), facts.entrants, facts.editions))["all"]
    wanted = [(row["entrant"], row["win_rate"]["mean"], row["faults"]) for row in data["rows"]]  # type: ignore[index,union-attr,attr-defined]
    assert [(row["entrant"], float(row["win_rate"]), int(row["faults"])) for row in rows] == wanted
    assert EVIL in [row["entrant"] for row in rows]


def test_no_table_is_cut_editions_are_chosen_and_entrants_stand_out_everywhere(open_page: OpenPage, file: Path) -> None:
    page = unfolded(open_page(file))
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREEN[0]
    best, failed = page.locator("#lead .part:not([hidden])").all()
    one, other = best.bounding_box(), failed.bounding_box()
    assert one is not None
    assert other is not None
    assert one["y"] == other["y"]
    assert other["x"] + other["width"] > SCREEN[0] * 0.9
    assert max(one["y"] + one["height"], other["y"]) < SCREEN[1]
    bar = page.get_by_label("Edition")
    assert bar.input_value() == "all"
    labels = page.evaluate("[...document.querySelector('#edition').options].map((each) => each.value)")
    assert len(labels) == 3
    bar.select_option(labels[0])
    shown = page.locator("#standings .part:not([hidden]) h3")
    assert shown.all_inner_texts() == [labels[0]]
    page.locator("#standings .part:not([hidden])").get_by_title(RIGHT_TO_LEFT).click()
    assert page.get_by_label("Entrant").input_value() == "2"
    picked = page.locator("#standings .part:not([hidden]) tr.picked")
    assert RIGHT_TO_LEFT in picked.inner_text()
    assert page.locator("#money .part:not([hidden]) .curve.picked").count() == 1
    assert page.locator("#crosstable tr.picked").count() >= 2
    apart = page.locator("#apart .part:not([hidden]) tbody tr")
    assert apart.count() >= 1
    assert all(RIGHT_TO_LEFT in each.inner_text() for each in apart.all() if each.is_visible())
    page.get_by_label("Entrant").select_option("")
    assert page.locator(".picked").count() == 0
    assert 1 <= sum(each.is_visible() for each in apart.all()) <= 2 * 4
    maps_are_walked_with_the_keys(page)


def maps_are_walked_with_the_keys(page: Page) -> None:
    """And every figure says what it means."""
    crosstable = page.locator("#crosstable .part:not([hidden])").first
    first = crosstable.locator("td.spot").first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    told = crosstable.locator(".told").inner_text()
    assert told == page.evaluate("document.activeElement.title")
    assert " of " in told
    assert " matches" in told
    parts: list[tuple[str | None, int, int]] = page.evaluate(PARTS)
    assert len(parts) > 10
    for title, files, meanings in parts:
        assert (files, meanings >= 1) == (1, True), title
    details = crosstable.locator("details")
    details.locator("summary").click()
    expect(details.locator("dd").first).to_be_visible()


def test_what_is_chosen_stands_in_the_address_and_is_there_again(open_page: OpenPage, file: Path) -> None:
    page = open_page(file)
    page.get_by_role("button", name="Open all sections")
    label = page.evaluate("document.querySelector('#edition').options[1].value")
    page.get_by_label("Edition").select_option(label)
    page.locator("#standings .part:not([hidden])").get_by_title(EVIL, exact=True).click()
    expect(page.locator("#time table")).to_be_hidden()
    page.get_by_role("link", name="Time per ask").click()
    expect(page.locator("#time table")).to_be_visible()
    again = page.context.new_page()
    again.goto(page.url)
    assert again.get_by_label("Edition").input_value() == label
    assert again.locator("#picked option:checked").inner_text() == EVIL
    assert again.locator("#standings .part:not([hidden]) tr.picked").count() == 1
    expect(again.locator("#time table")).to_be_visible()
    expect(again.locator("#time")).to_be_in_viewport()
    page.go_back()
    assert page.url.endswith(f"&entrant={quote_plus(EVIL)}")
    again.goto(f"{page.url.partition('#')[0]}#faults-1")
    expect(again.locator("#faults table").first).to_be_visible()
    again.goto(f"{page.url.partition('#')[0]}#edition=nothing&entrant=%&at=%")
    assert again.get_by_label("Edition").input_value() == "all"


def test_on_a_phone_nothing_is_wider_than_the_screen_and_names_stay_names(open_page: OpenPage, file: Path) -> None:
    page = unfolded(open_page(file, size=PHONE))
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.evaluate(CUT.replace(":has(table)", ":has(table:not(.heat))")) == []
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hurt") is None
    assert page.locator("#standings .part:not([hidden])").get_by_title(EVIL, exact=True).inner_text() == EVIL
    crosstable = page.locator("#crosstable .part:not([hidden])").first
    expect(crosstable.locator(".scroll")).to_have_class("scroll")
    chart = page.locator("#money .part:not([hidden])").first
    box = chart.locator(".scroll")
    expect(box).to_have_class("scroll more-right")
    expect(chart.locator(".sideways")).to_have_text("Wider than the screen: it scrolls sideways →")
    crosstable.locator("td.spot").nth(3).tap()
    expect(crosstable.locator(".told")).to_contain_text(" matches")
    box.evaluate("(box) => box.scrollTo(9999, 0)")
    expect(box).to_have_class("scroll more-left")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert page.evaluate("document.querySelectorAll('a[href^=\"#\"]').length") >= 10
