"""``arena view`` writes the page of a match, and opens it where there is a browser."""

from __future__ import annotations

import webbrowser
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from tests.viewer.replays import PIES, pie, talkative


class Browser:
    """A browser that remembers what it was to open."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def open(self, address: str) -> bool:
        self.opened.append(address)
        return True


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Browser:
    """The browser of this desktop, and a folder for temporary files."""
    made = Browser()
    monkeypatch.setattr(webbrowser, "get", lambda: made)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "m.jsonl").write_bytes(talkative())
    return made


def test_it_opens_a_page_among_the_temporary_files(browser: Browser, arena: Any, tmp_path: Path) -> None:
    ran = arena("view", "m.jsonl", "--at", "60")
    (page,) = tmp_path.glob("arena-view-*.html")
    assert ran == (0, "", f"page {page}\n")
    assert browser.opened == [f"{page.as_uri()}#event=60"]
    assert arena("view", "m.jsonl").code == 0
    assert arena("view", "m.jsonl", "--at", "60", "--seat", "1").code == 0  # its events are numbered otherwise
    assert [address.endswith(".html") for address in browser.opened[1:]] == [True, True]


def test_out_writes_the_page_and_opens_nothing(browser: Browser, arena: Any, tmp_path: Path) -> None:
    assert arena("view", "m.jsonl", "--out", "page.html") == (0, "", "page page.html\n")
    first = (tmp_path / "page.html").read_bytes()
    assert arena("view", "m.jsonl", "-o", "page.html", "--seat", "2").code == 0
    assert (tmp_path / "page.html").read_bytes() != first
    assert b'"seat":2,"entrants"' in (tmp_path / "page.html").read_bytes()
    assert b'"opens":null' in (tmp_path / "page.html").read_bytes()
    assert arena("view", "m.jsonl", "-o", "page.html", "--seat", "2", "--at", "60").code == 0
    assert b'"opens":null' not in (tmp_path / "page.html").read_bytes()
    assert arena("view", "m.jsonl", "--out", "page.html").code == 0
    assert (tmp_path / "page.html").read_bytes() == first
    assert browser.opened == []


def test_where_there_is_no_browser_it_says_where_the_page_is(
    browser: Browser, arena: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> Browser:
        raise webbrowser.Error("could not locate runnable browser")

    for get in (none, lambda: webbrowser.GenericBrowser("w3m")):
        monkeypatch.setattr(webbrowser, "get", get)
        ran = arena("view", "m.jsonl")
        assert (ran.code, ran.out) == (0, "")
        assert ran.err.startswith("page /")
        assert ran.err.endswith("\nthere is no browser here that can be opened; open the page in one\n")


def test_a_page_that_cannot_be_written_leaves_no_empty_one(
    browser: Browser, arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("arena.web.viewer.write_page.write_whole", full)
    ran = arena("view", "m.jsonl")
    assert ran.code == 1
    assert "No space left on device" in ran.err
    assert not list(tmp_path.glob("arena-view-*"))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("nothing.jsonl",), 2, "nothing.jsonl' does not exist"),
        (("m.jsonl", "--seat", "9"), 2, "arena: there is no seat 9; seats are 0 to 3\n"),
        (("m.jsonl", "--at", "100000"), 2, "arena: there is no event 100000; events are the lines of the replay"),
        (("m.jsonl", "--at", "0"), 2, "Invalid value for '--at'"),
        (("m.jsonl", "--out", "no/page.html"), 2, "--out"),
        (("bad.jsonl",), 2, "arena: bad.jsonl: line 1: "),
    ],
)
def test_mistakes_are_told(
    words: tuple[str, ...], code: int, told: str, browser: Browser, arena: Any, tmp_path: Path
) -> None:
    (tmp_path / "bad.jsonl").write_text("{}\n")
    ran = arena("view", *words)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err
    assert browser.opened == []
    assert not list(tmp_path.glob("*.html"))


@pytest.mark.slow
def test_a_match_of_a_run_and_one_of_a_game_from_outside_are_named_as_elsewhere(
    browser: Browser, arena: Any, copied_run: Any, tmp_path: Path
) -> None:
    config = "name: few\nseed: s\nentrants: [silent, greedy, fair]\nseats: 3\neditions: [eagle-gryphon]\nblocks: 1\n"
    folder = copied_run(config, "run", "--set", "replays=all")
    id = "eagle-gryphon-3p/b0000/0-1-2"
    assert arena("view", folder, id, "-o", "page.html").code == 0
    assert id in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "did you mean" in arena("view", folder, id + "2").err
    (tmp_path / "pie.jsonl").write_bytes(pie())
    ran = arena("view", "pie.jsonl", "--game", "tests.thirdgame.pie", "-o", "pie.html")
    assert ran.code == 0, ran.err
    assert (PIES / "pie.py").is_file()
