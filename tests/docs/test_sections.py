"""``arena docs PAGE SECTION``: a section of a page by its name in addresses, its title, or the number of a rule."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from arena.commands.docs.sections import find_section, section_text, sections_of, slug_of
from arena.errors import UserError

from .pages import TEXT

PAGE = """# A page

Before.

## One: `two`

In it.

```sh
# no heading
## none either
```

### Below

Deeper.

## One: two

Again.

### B4.5 Ticks

The rule.
"""


def test_headings_are_sections_but_for_the_title_and_what_stands_in_code() -> None:
    found = [(each.slug, each.title, each.level) for each in sections_of(PAGE)]
    assert found == [
        ("one-two", "One: `two`", 2),
        ("below", "Below", 3),
        ("one-two-1", "One: two", 2),
        ("b45-ticks", "B4.5 Ticks", 3),
    ]


def test_a_section_has_all_below_it_and_ends_where_the_next_begins() -> None:
    text = section_text(PAGE, find_section("page", PAGE, "one-two"))
    assert text.startswith("## One: `two`\n")
    assert text.endswith("### Below\n\nDeeper.\n")
    assert section_text(PAGE, find_section("page", PAGE, "below")) == "### Below\n\nDeeper.\n"


@pytest.mark.parametrize("name", ["b45-ticks", "B4.5 Ticks", "b4.5", "B4.5"])
def test_a_section_is_found_by_its_slug_its_title_and_its_rule(name: str) -> None:
    assert find_section("page", PAGE, name).title == "B4.5 Ticks"


def test_an_unknown_section_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"^no section 'belo' in the page page \(did you mean 'below'\?\); list them "):
        find_section("page", PAGE, "belo")
    with pytest.raises(UserError, match=r"it has none$"):
        find_section("page", "# Only a title\n", "x")


def test_every_section_of_every_page_is_found_by_its_slug() -> None:
    for name, text in TEXT.items():
        sections = sections_of(text)
        assert len({each.slug for each in sections}) == len(sections), name
        for each in sections:
            assert re.fullmatch(r"[\w-]+", each.slug), name
            assert find_section(name, text, each.slug) == each
            assert section_text(text, each).startswith(f"{'#' * each.level} {each.title}\n"), name


def test_slugs_are_those_of_github() -> None:
    assert slug_of("Board: hooks") == "board-hooks"
    assert slug_of("`replay` – what it's for") == "replay--what-its-for"


def test_a_section_is_printed_and_nothing_else(arena: Any) -> None:
    ran = arena("docs", "ladders", "what-is-taken")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("### What is taken\n")
    assert "### Versions" not in ran.out
    assert ran.out in TEXT["ladders"]
    assert arena("docs", "ladders", "What is taken") == ran
    assert arena("docs", "rules", "b4.5").out.startswith("### B4.5 ")


def test_sections_are_listed_in_their_order_with_their_depth(arena: Any) -> None:
    ran = arena("docs", "ladders", "--sections")
    assert [line.split()[0] for line in ran.out.splitlines()] == [each.slug for each in sections_of(TEXT["ladders"])]
    assert re.search(r"^entering-a-bot +Entering a bot\nwhat-is-taken {2,}What is taken$", ran.out, re.MULTILINE)
    assert max(map(len, ran.out.splitlines())) <= 100


def test_sections_as_json(arena: Any) -> None:
    listed = json.loads(arena("docs", "ladders", "--sections", "--json").out)
    assert {"slug": "what-is-taken", "title": "What is taken", "level": 3} in listed
    one = json.loads(arena("docs", "ladders", "what-is-taken", "--json").out)
    assert {key: one[key] for key in one if key not in ("text", "aim")} == {
        "name": "ladders",
        "title": "What is taken",
        "group": "Leagues",
        "section": "what-is-taken",
    }
    assert one["text"] == arena("docs", "ladders", "what-is-taken").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("board-bots", "hoks"),
            (
                "no section 'hoks' in the page board-bots (did you mean 'hooks'?); list them with: "
                "arena docs board-bots --sections"
            ),
        ),
        (("bots", "hooks", "--sections"), "--sections lists the sections of a page; leave out the section"),
        (("--sections",), "--sections lists the sections of a page; name it, as in: arena docs bots --sections"),
        (("bots", "--html", "x"), "--html writes all pages; leave out the page, --sections and --json"),
    ],
)
def test_mistakes_are_told_in_one_line(arena: Any, words: Any, message: str) -> None:
    assert arena("docs", *words) == (2, "", f"arena: {message}\n")
