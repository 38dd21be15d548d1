"""Every part of a match's page has a declared place: a named area of the grid, and an order on small screens. Without
one a part falls below all others, where nobody sees it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import arena.pages

PAGES = Path(arena.pages.__file__).parent
TEMPLATE, STYLE, SCRIPT = (
    (PAGES / name).read_text(encoding="utf-8")
    for name in ("templates/viewer.html", "styles/viewer.css", "scripts/viewer.js")
)
VOID = {"input", "meta", "link", "br"}


class _Parts(HTMLParser):
    """The children of ``main``, by the first of their classes, and the ids of all elements, by the part around them
    ("": none)."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.ids: dict[str, str] = {}
        self._depth, self._main = 0, 0
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if self._main and self._depth == self._main:
            self.parts.append((found.get("class") or f"<{tag}>").split()[0])
        if name := found.get("id"):
            self.ids[name] = self.parts[-1] if self._main else ""
        self._depth += tag not in VOID
        if tag == "main":
            self._main = self._depth

    def handle_endtag(self, tag: str) -> None:
        self._depth -= 1
        if tag == "main":
            self._main = 0


def areas(style: str) -> list[str]:
    """The named areas of the grid, each once."""
    (template,) = re.findall(r"grid-template: ([^;]+);", style)
    return [*dict.fromkeys(" ".join(re.findall(r'"([^"]+)"', template)).split())]


def misplaced(template: str, style: str) -> list[str]:
    """What has no place: parts without an area of their own, areas without a part, parts without an order on small
    screens."""
    small = style.partition("@media (max-width: 55.99rem) {")[2].partition("\n}")[0]
    parts, known = _Parts(template).parts, areas(style)
    placed = {part: re.findall(rf"^[^@]*\.{part} {{ grid-area: (\w+);", style, re.MULTILINE) for part in parts}
    problems = [
        f"{part} is in no area of the grid" for part in parts if not set(placed[part]) <= {*known} or not placed[part]
    ]
    problems += [
        f"several parts are in the area {area}" for area in known if sum([area] == each for each in placed.values()) > 1
    ]
    problems += [f"the area {area} is empty" for area in known if [area] not in placed.values()]
    ordered = re.findall(r"\.(\w+) \{[^}]*?\border: \d", small)
    problems += [f"{part} has no order on small screens" for part in parts if part not in ordered]
    return problems


def test_every_part_has_an_area_of_the_grid_and_every_area_a_part() -> None:
    assert {"timeline", "now", "table", "talk", "side"} <= {*_Parts(TEMPLATE).parts}
    assert misplaced(TEMPLATE, STYLE) == []


@pytest.mark.parametrize(
    ("style", "told"),
    [
        ("", ["offers is in no area of the grid", "offers has no order on small screens"]),
        (
            ".offers { grid-area: offers; }",
            ["offers is in no area of the grid", "offers has no order on small screens"],
        ),
        (
            ".offers { grid-area: table; }",
            ["several parts are in the area table", "offers has no order on small screens"],
        ),
    ],
)
def test_a_part_that_is_added_without_a_place_is_told(style: str, told: list[str]) -> None:
    template = TEMPLATE.replace("</main>", '<section id="offers" class="offers"></section></main>')
    assert misplaced(template, f"{STYLE}\n{style}\n") == told


def test_an_area_without_a_part_is_told() -> None:
    style = STYLE.replace('"table side" 1fr', '"table offers" auto "table side" 1fr')
    assert misplaced(TEMPLATE, style) == ["the area offers is empty"]


def test_what_the_script_shows_follows_lies_in_one_of_the_parts() -> None:
    ids = _Parts(TEMPLATE).ids
    (shown,) = re.findall(r"this\.parts = \[(.*)\];", SCRIPT)
    wanted = re.findall(r'find\("([\w-]+)"\)', shown)
    assert wanted
    assert all(ids[each] for each in wanted)
