"""How long does the page of a match take to write, how large is it, and how fast does it step in a browser?

Run: python tests/bench/viewer.py     (needs Chromium and playwright; CPU time of processes, the browser's own clock)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from playwright.sync_api import Page, sync_playwright

from arena.testing import play
from arena.web.viewer.write_page import write_match_page

MATCHES = (
    ("bundled bots, board game", ("dealmaker", "hard", "greedy", "fair"), "eagle-gryphon", "7"),
    ("bundled bots, card game", ("dealmaker", "hard", "greedy", "fair"), "card-game", "7"),
    ("random play, four", ("random-legal",) * 4, "eagle-gryphon", "0"),
    ("random play, six", ("random-legal",) * 6, "eagle-gryphon", "2"),
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
TIMES = 5
STEPS = """(count) => {
    const times = [], { course } = viewer, step = Math.max(1, Math.floor(course.visible.length / count));
    for (let place = 0; place < course.visible.length; place += 1) {
        if (place % step) continue;
        const before = performance.now();
        viewer.go(course.visible[place]);
        document.body.getBoundingClientRect();
        times.push(performance.now() - before);
    }
    times.sort((a, b) => a - b);
    return [times[times.length >> 1], times[Math.floor(times.length * .99)], times[times.length - 1]]; }"""
LOOK = """() => { const before = performance.now(); viewer.look(1); document.body.getBoundingClientRect();
    return performance.now() - before; }"""
SEARCH = """() => { const field = document.getElementById('search'), before = performance.now(); field.value = 'offers';
    field.dispatchEvent(new Event('input')); document.body.getBoundingClientRect();
    return performance.now() - before; }"""
LOAD = """() => { const [entry] = performance.getEntriesByType('navigation');
    return entry.domContentLoadedEventEnd - entry.startTime; }"""
FRAMES = """() => new Promise((done) => { const began = performance.now(), times = []; let before = began;
    const next = (now) => { times.push(now - before); before = now;
        viewer.go(viewer.course.beside(viewer.at, 1));
        if (times.length < 300) requestAnimationFrame(next); else done(1000 * times.length / (now - began)); };
    requestAnimationFrame(next); })"""


def least(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """The shortest time of several, in seconds."""
    times = []
    for _ in range(TIMES):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def children() -> float:
    """The CPU time of the processes that were started and are over, in seconds."""
    spent = os.times()
    return spent.children_user + spent.children_system


def command(*words: str) -> Callable[[], object]:
    """What runs an ``arena`` command."""
    return lambda: subprocess.run([sys.executable, "-m", "arena", *words], check=True, capture_output=True)


def main() -> None:
    """Measure and print."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    version = least(command("--version"), children)
    print(f"arena --version: {version:.2f} s CPU")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, bots, rules, seed in MATCHES:
            content = play(*bots, rules=rules, seed=seed).replay
            replay, file = Path(folder) / "match.jsonl", Path(folder) / "page.html"
            replay.write_bytes(content)
            write_match_page(content)
            page = least(lambda replay=content: write_match_page(replay), process_time)  # type: ignore[misc]
            whole = least(command("view", str(replay), "--out", str(file)), children)
            size, lines = file.stat().st_size, content.count(b"\n")
            print(f"\n{name}: {lines:,} events, page {size / 1000:,.0f} kB in {page * 1000:.0f} ms CPU, ", end="")
            print(f"arena view {whole:.2f} s CPU, {whole - version:.2f} more than arena --version")
            began = perf_counter()
            window = browser.new_page(viewport={"width": 1280, "height": 900})
            window.goto(file.as_uri())
            print(f"  opened in {(perf_counter() - began) * 1000:.0f} ms with the window")
            told(window)
            window.close()
        browser.close()


def told(window: Page) -> None:
    """What the browser measures."""
    print(f"  loaded in {window.evaluate(LOAD):.0f} ms")
    half, most, worst = window.evaluate(STEPS, 400)
    print(f"  a step with its layout: {half:.1f} ms, 99 of 100 below {most:.1f} ms, the slowest {worst:.1f} ms")
    window.evaluate("viewer.go(viewer.course.visible[0])")
    print(f"  steps one after another, drawn: {window.evaluate(FRAMES):.0f} a second")
    print(f"  other eyes: {window.evaluate(LOOK):.0f} ms; a search: {window.evaluate(SEARCH):.0f} ms")


if __name__ == "__main__":
    main()
