"""Draw the picture of the viewer that stands at the top of the README: python -m tests.browser.pictures

The match is the one that the README tells of. Whenever bundled bots or the page change, the picture does.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS

PICTURE = Path(__file__).parents[2] / "arena" / "docs" / "viewer.png"
MATCH = ("match", "dealmaker", "greedy", "fair", "hard", "--seed", "111", "--out", "m.jsonl")
EVENT = 355
"""In the middle of the deal of the README's drawing: offers, an agreement and a play lie on the table."""
WIDTH, HEIGHT = 1240, 880
COLOURS = 128
"""As many as the page has, nearly; with all between them the file would be four times as large."""


def main() -> None:
    """Play the match, write its page and take its picture."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "m.html"
        for words in (MATCH, ("view", "m.jsonl", "--out", str(page))):
            command = [sys.executable, "-m", "arena", *words]
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
        with (
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as chrome,
        ):
            shown = chrome.new_page(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
            )
            shown.goto(f"{page.as_uri()}#event={EVENT}")
            taken = Image.open(BytesIO(shown.screenshot()))
    taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE}: {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
