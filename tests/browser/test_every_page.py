"""What holds for every page, whatever it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.pages.page import HtmlPage, render_page
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.slow

EVIL = "</script><img src=x onerror=window.hurt=1><!--<script>window.hurt=1</script>"


def test_text_of_bots_is_shown_as_it_is_and_runs_nowhere(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(render_page(HtmlPage(title=EVIL, template="page", data={"said": EVIL})), encoding="utf-8")
    page = open_page(file)
    assert page.title() == EVIL
    assert page.evaluate("pageData().said") == EVIL
    page.evaluate("document.body.append(make('p', {text: pageData().said}))")
    assert page.locator("p").inner_text() == EVIL
    assert page.evaluate("window.hurt") is None
