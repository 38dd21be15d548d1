"""Take a picture of every kind of page, on a desk and on a phone, light and dark:

    python -m tests.browser.screenshots FOLDER [PART OF A NAME ...]

Matches, a run and a ladder are played for them and stay in FOLDER/played; a second call takes the pictures again. Who
changes a page looks at its pictures; ``test_layout.py`` holds what a browser can check of them.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urljoin

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, PHONE, SCREEN

SIZES = {"desk": SCREEN, "phone": PHONE}
MATCHES = {
    "board": ("dealmaker", "greedy", "fair", "hard", "--seed", "111"),
    "full": ("dealmaker", "greedy", "fair", "hard", "saboteur", "hoarder", "--rules", "face2face-2003", "--seed", "7"),
    "cards": ("dealmaker", "greedy", "fair", "hard", "--rules", "card-game", "--seed", "3"),
}
"""A match in the middle of whose table much happens, one with all six seats, and one of the card game."""
TOURNAMENT = """
name: screens
seed: 20
entrants: [dealmaker, greedy, fair, hard, saboteur, hoarder]
editions: [eagle-gryphon, outline]
seats: 4
blocks: 5
isolation: none
"""
PAGES = {
    "match-offers": "board.html#event=355",
    "match-end": "board.html#event=100000",
    "match-full": "full.html#event=300",
    "match-cards": "cards.html#event=120",
    "match-seat": "seat.html#seen=120",
    "open-page": "viewer.html",
    "clip": "clip.svg",
    "report": "report.html",
    "home": "/",
    "run": "/run/screens",
    "run-matches": "/run/screens/matches",
    "run-match": "/run/screens/match/outline-4p/b0004/3-0-1-2",
    "ladder": "/ladder/league/eagle-gryphon",
    "version": "/ladder/league/eagle-gryphon/version/greedy:1",
    "author": "/ladder/league/eagle-gryphon/author/operator",
    "seasons": "/ladder/league/eagle-gryphon/seasons",
    "exported-ladder": "public/index.html",
    "exported-version": "public/season-1/pages/version-2.html",
    "exported-seasons": "public/seasons.html",
    "exported-match": "?version-2.html",
    "docs": "site/index.html",
    "docs-page": "site/bots.html#faults",
}
"""The address of each page by its name: on arena's server if it begins with a slash; a page of a version in the export,
on any web host, whose first match is followed, if it begins with a question mark; otherwise a file."""


def play_all(folder: Path) -> None:
    """Play what the pages show, and write the pages that are files."""
    (folder / "results").mkdir(parents=True)
    (folder / "screens.yaml").write_text(TOURNAMENT)
    for name, match in MATCHES.items():
        run_arena(folder, "match", *match, "--trust", "--out", f"{name}.jsonl")
        run_arena(folder, "view", f"{name}.jsonl", "--out", f"{name}.html")
    run_arena(folder, "view", "board.jsonl", "--seat", "2", "--out", "seat.html")
    run_arena(folder, "view", "--open-page", "--out", "viewer.html")
    run_arena(folder, "picture", "board.jsonl", "--from", "320", "--to", "360", "--out", "clip.svg")
    run_arena(folder, "run", "screens.yaml", "--out", "results/screens")
    run_arena(folder, "report", "results/screens", "--out", "report.html")
    public = ("--set", "publish={seeds: round, replays: round}")
    run_arena(folder, "ladder", "init", "results/league", "--rules", "eagle-gryphon", *public)
    for bot in ("dealmaker", "greedy", "fair", "hard", "hoarder"):
        run_arena(folder, "ladder", "submit", "results/league", bot)
    run_arena(folder, "ladder", "play", "results/league", "--rounds", "2")
    run_arena(folder, "ladder", "export", "results/league", "--out", "public")
    run_arena(folder, "docs", "--html", "site")


def run_arena(folder: Path, *words: str) -> None:
    """Run a command of arena in this folder."""
    subprocess.run([sys.executable, "-m", "arena", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of this folder."""
    words = [sys.executable, "-m", "arena", "serve", str(folder), "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip().rstrip("/")
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a plain web host of this folder."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def match_address(site: str, folder: Path, page: str) -> str:
    """The address of the first match to which an exported page of a version links."""
    pages = "season-1/pages"
    link = re.search(r'href="([^"]*viewer[^"]*)"', (folder / pages / page).read_text("utf-8"))
    assert link is not None
    return urljoin(f"{site}/{pages}/", unescape(link[1]))


def take_pictures(browser: Browser, name: str, address: str, folder: Path) -> None:
    """Take the pictures of a page: what the screen shows, and at the end the whole page."""
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
                has_touch=size == "phone",
            )
            page.goto(address)
            page.wait_for_timeout(400)
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
            if scheme == "light" and not address.endswith(".svg"):
                page.screenshot(path=folder / f"{name}-{size}-whole.png", full_page=True)
            page.close()


def main(folder: Path, parts: Sequence[str]) -> None:
    """Take the pictures of all pages, or of those whose names have one of these parts."""
    played = folder.absolute() / "played"
    if not played.exists():
        play_all(played)
    with (
        served(played / "results") as server,
        hosted(played / "public") as site,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as browser,
    ):
        for name, address in PAGES.items():
            if not parts or any(part in name for part in parts):
                whole = f"{server}{address}" if address.startswith("/") else f"{played.as_uri()}/{address}"
                if address.startswith("?"):
                    whole = match_address(site, played / "public", address[1:])
                take_pictures(browser, name, whole, folder)
                print(f"{folder}/{name}-*.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
