"""Chromium, driven from tests. Every page that is opened must log no error and ask nothing of anybody else.

Where there is no Chromium these tests are skipped; ``.ci/run`` installs it and runs them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, ViewportSize, sync_playwright

from arena.web.viewer.write_page import write_match_page

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
PHONE, SCREEN = (390, 844), (1400, 900)
"""The width and height of a phone's screen and of a desk's, in CSS pixels."""

GOLDEN = Path(__file__).parents[1] / "golden"
"""The folder of the recorded matches."""

OpenPage = Callable[..., Page]
GoldenPage = Callable[[str], Path]


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


class Windows:
    """Windows of one size, light ones, for all tests: one that showed a file is used again, which takes half as
    long as a new one; as long as the first, an empty page, is open, Chromium starts no process for the next. It hears
    what goes wrong in any."""

    def __init__(self, browser: Browser, size: tuple[int, int]) -> None:
        self.wrong = list[str]()
        self._size: ViewportSize = {"width": size[0], "height": size[1]}
        self._context = browser.new_context(viewport=self._size, has_touch=size == PHONE)
        self._first = self._context.new_page()
        self._context.on("page", self._watch)
        self._home = ""
        self._free, self._used = list[Page](), list[Page]()

    def open(self, address: str) -> Page:
        """A page of its own, which may ask nothing but what lies at this address's server."""
        self._home = urlsplit(address).netloc
        page = self._free.pop() if self._free else self._new()
        self._used.append(page)
        if urldefrag(page.url).url == urldefrag(address).url:
            page.goto("about:blank")  # or else the page would stay and go to the fragment
        page.goto(address)
        return page

    def clear(self) -> list[str]:
        """Have all pages forget what they remembered, keep those of files, which may be used again, close the others,
        and give what went wrong in them."""
        for page in {*self._context.pages} - {*self._free, self._first}:
            page.evaluate("localStorage.clear()")
            if page not in self._used or urlsplit(page.url).scheme != "file":
                page.close()
                continue
            if page.viewport_size != self._size:
                page.set_viewport_size(self._size)
                self._draw_a_corner(page)
            page.emulate_media(color_scheme="light")
            self._free.append(page)
        self._used = []
        wrong, self.wrong = self.wrong, []
        return wrong

    def _new(self) -> Page:
        page = self._context.new_page()
        page.set_default_timeout(10_000)
        self._draw_a_corner(page)
        return page

    def _draw_a_corner(self, page: Page) -> None:
        """Draw no more of a page than a corner, as nobody looks at it; it is laid out in the whole window."""
        session = self._context.new_cdp_session(page)
        laid_out = {**self._size, "deviceScaleFactor": 1, "mobile": False, "dontSetVisibleSize": True}
        session.send("Emulation.setDeviceMetricsOverride", laid_out)
        session.send("Emulation.setVisibleSize", {"width": 100, "height": 100})

    def _watch(self, page: Page) -> None:
        def hear(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self.wrong.append(f"{page.url}: {message.type}: {message.text}")

        def see(request: Request) -> None:
            parts = urlsplit(request.url)
            if parts.scheme not in OWN and parts.netloc != self._home:
                self.wrong.append(f"{page.url}: asks {request.url}")

        page.on("console", hear)
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("request", see)


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Callable[..., Windows]:
    """Windows by their size, each made when it is first needed."""
    return cache(partial(Windows, browser))


@pytest.fixture(scope="session")
def golden_page(tmp_path_factory: pytest.TempPathFactory) -> GoldenPage:
    """The file of a recorded match's page by the match's name, written when it is first needed."""
    folder = tmp_path_factory.mktemp("golden")

    @cache
    def write(name: str) -> Path:
        page = folder / f"{name}.html"
        page.write_text(write_match_page((GOLDEN / f"{name}.jsonl").read_bytes()), encoding="utf-8")
        return page

    return write


@pytest.fixture
def open_page(windows: Callable[..., Windows]) -> Iterator[OpenPage]:
    """Opens a file or an address in a window of its own. At the end of the test no page may have logged an error,
    thrown one, or asked anything of anybody but the server that it came from."""
    used = dict[int, Windows]()

    def open_one(where: Path | str, fragment: str = "", size: tuple[int, int] = SCREEN) -> Page:
        here = windows(size)
        used[id(here)] = here
        return here.open(f"{where.absolute().as_uri() if isinstance(where, Path) else where}{fragment}")

    yield open_one
    wrong = [each for here in used.values() for each in here.clear()]
    assert not wrong, "\n".join(wrong)
