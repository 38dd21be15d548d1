"""How long does the drawing of a table take, event by event?

Run: python tests/bench/tables.py     (needs Chromium and playwright; the browser's own clock, layout included)

Every match is gone through three times, and of each event the shortest time counts, so that other work on the machine
is not measured with it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from arena.web.viewer.write_page import write_match_page

GOLDEN = Path(__file__).parents[1] / "golden"
MATCHES = (
    "face2face-2003-short-game-6p",
    "eagle-gryphon-many-variants-5p",
    "eagle-gryphon-4p",
    "card-game-no-cousins-6p",
)
SIZES = (("desk", 1280, 900), ("phone", 390, 844))
STEPS = """() => {
    const { course } = viewer, root = document.getElementById("table"), best = [];
    for (let round = 0; round < 3; round += 1) {
        course.visible.forEach((at, place) => {
            const before = performance.now();
            showTable(root, course.table(at), course.match, course.options(at));
            root.getBoundingClientRect();
            best[place] = Math.min(best[place] ?? Infinity, performance.now() - before);
        });
    }
    best.sort((one, other) => one - other);
    const share = (part) => best[Math.floor(part * (best.length - 1))];
    return [best.length, share(0.5), share(0.95), share(0.99)];
}"""


def main() -> None:
    """Measure and print."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    print("match                             page   events  median  95 %  99 %  (ms)")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in MATCHES:
            file = Path(folder) / f"{name}.html"
            file.write_text(write_match_page((GOLDEN / f"{name}.jsonl").read_bytes()), encoding="utf-8")
            for look, width, height in SIZES:
                page = browser.new_page(viewport={"width": width, "height": height})
                page.goto(file.as_uri())
                events, median, most, nearly = page.evaluate(STEPS)
                print(f"{name:32}  {look:5}  {events:6}  {median:6.1f}  {most:4.1f}  {nearly:4.1f}")
                page.close()


if __name__ == "__main__":
    main()
