"""The pages of ``arena serve`` in a browser: they follow a run that is played, matches are found, and open in the
viewer."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.storage.folder_lock import FolderLock
from tests.browser.conftest import PHONE, OpenPage
from tests.conftest import environment_of, warm_start
from tests.runs.tiny_run import MATCHES, play_tiny

pytestmark = pytest.mark.slow


@pytest.fixture
def results(tmp_path: Path) -> Iterator[Path]:
    """The folder with a run that is played at the moment: of its matches seven are finished."""
    run = play_tiny(tmp_path)
    (run.parent / "whole.jsonl").write_bytes((run / "matches.jsonl").read_bytes())
    manifest = json.loads((run / "manifest.json").read_bytes())
    (run / "manifest.json").write_text(json.dumps(manifest | {"state": "running"}))
    (run / "logs" / "progress.json").unlink()
    (run / "matches.jsonl").write_bytes(b"".join(lines_of(run)[:7]))
    lock = FolderLock(run / "logs" / "lock")
    lock.take(run)  # as the process that plays it does
    yield run.parent
    lock.release()


def lines_of(run: Path) -> list[bytes]:
    return (run.parent / "whole.jsonl").read_bytes().splitlines(keepends=True)


@pytest.fixture
def address(results: Path) -> Iterator[str]:
    """The first page of a server of this folder."""
    server = warm_start().launch(results, ["serve", str(results), "--port", "0"], environment_of())
    assert server.stdout is not None
    yield server.stdout.readline().decode().strip().rstrip("/")
    server.send_signal(signal.SIGINT)
    _, told = server.communicate(timeout=20)
    assert b"Traceback" not in told


def test_a_page_follows_a_run_and_its_matches_its_faults_and_its_report_are_found_and_watched(
    open_page: OpenPage, address: str, results: Path
) -> None:
    """One after the other, on one server."""
    a_page_follows_a_run_and_matches_are_found_and_watched(open_page(f"{address}/"), results)
    what_a_bot_said_wrong_is_text_and_leads_to_its_event(
        open_page(f"{address}/run/tiny/matches?fault=broken", size=PHONE)
    )
    a_report_is_shown_when_it_is_made(open_page(f"{address}/run/tiny/report"))


def a_page_follows_a_run_and_matches_are_found_and_watched(page: Page, results: Path) -> None:
    page.get_by_role("link", name="tiny", exact=True).click()
    expect(page.locator("#status")).to_contain_text(f"7 of {MATCHES}")
    page.evaluate("window.sameWindow = true")
    lines = lines_of(results / "tiny")
    with (results / "tiny" / "matches.jsonl").open("ab") as file:
        file.write(b"".join(lines[7:]))
    expect(page.locator("#status")).to_contain_text(f"{MATCHES} of {MATCHES}")
    expect(page.locator("#table")).to_contain_text(f"Provisional. {MATCHES} matches")
    expect(page.locator("#newest")).to_contain_text(json.loads(lines[-1])["id"])
    assert page.evaluate("window.sameWindow")
    page.get_by_role("link", name="Search its matches").click()
    page.get_by_label("won by").fill("greedy")
    page.get_by_label("block").fill("1")
    page.keyboard.press("Enter")
    won = [
        match
        for match in map(json.loads, lines)
        if match["block"] == 1 and any(seat["entrant"] == "greedy" and seat["rank"] == 1 for seat in match["seats"])
    ]
    expect(page.locator("#found")).to_contain_text(f"{len(won)} of {MATCHES} matches")
    assert page.get_by_label("won by").input_value() == "greedy"
    page.locator("#found tbody a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Match {won[-1]['id']}")
    page.get_by_role("link", name="Watch this match").click()
    page.wait_for_url("**/view/**")
    assert "greedy" in page.locator("body").inner_text()
    page.get_by_role("link", name="this match").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Match {won[-1]['id']}")
    assert page.evaluate("window.hurt") is None


def what_a_bot_said_wrong_is_text_and_leads_to_its_event(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.locator("#found tbody a").first.click()
    expect(page.locator(".faults").first).to_contain_text("</td><script>hurt()</script>")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    link = page.locator(".faults a").first
    event = link.inner_text().removeprefix("event ")
    link.click()
    page.wait_for_url(f"**#event={event}*")


def a_report_is_shown_when_it_is_made(page: Page) -> None:
    expect(page.locator("#matches a[href*='/run/tiny/view/']").first).to_be_attached(timeout=30_000)
    expect(page.locator("#standings").first).to_be_visible()
    assert "greedy" in page.locator("body").inner_text()
    expect(page.get_by_role("link", name="the run")).to_have_attribute("href", "/run/tiny")
