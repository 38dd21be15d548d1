"""Chromium, driven from tests. Every page that is opened must log no error and ask nothing of anybody else.

Where there is no Chromium these tests are skipped; ``.ci/run`` installs it and runs them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The first that is here: the shell draws the same pages in three quarters of the time."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-gpu-compositing",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--in-process-gpu",  # this and the next: fewer processes, a tenth less CPU time
    "--renderer-process-limit=1",
    "--process-per-site",
]
OWN = ("file", "data", "blob", "about")
"""Schemes of addresses that lie on this machine."""
PHONE, DESK, SCREEN = (390, 844), (1280, 900), (1400, 900)
"""The width and height of a phone's screen, of a desk's and of one somewhat wider, in CSS pixels."""

OpenPage = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, started for the tests of this folder. It must have ended before others begin: while it is driven, a
    loop of asyncio runs in this thread, in which nobody may start another."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as browser,
    ):
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a file or an address in a window of its own. At the end of the test no page may have logged an error,
    thrown one, or asked anything of anybody but the server that it came from."""
    contexts, wrong = [], list[str]()

    def open_one(
        where: Path | str, fragment: str = "", size: tuple[int, int] = DESK, dark: bool = False, touch: bool = False
    ) -> Page:
        address = where.absolute().as_uri() if isinstance(where, Path) else where
        home = urlsplit(address).netloc
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
        )
        contexts.append(context)

        def watch(page: Page) -> None:
            def hear(message: ConsoleMessage) -> None:
                if message.type in ("error", "warning"):
                    wrong.append(f"{address}: {message.type}: {message.text}")

            def see(request: Request) -> None:
                parts = urlsplit(request.url)
                if parts.scheme not in OWN and parts.netloc != home:
                    wrong.append(f"{address}: asks {request.url}")

            page.on("console", hear)
            page.on("pageerror", lambda error: wrong.append(f"{address}: {error}"))
            page.on("request", see)

        context.on("page", watch)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.goto(f"{address}{fragment}")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not wrong, "\n".join(wrong)
