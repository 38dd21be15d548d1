"""The sections of a page: where each begins and ends, and what it is called in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from arena.errors import UserError, nearest_hint

FENCE = re.compile(r" {0,3}(```+|~~~+)")
HEADING = re.compile(r"(#{1,6}) +(.+?)(?: +#+)?$")
RULE_NUMBER = re.compile(r"[A-Z]\d+(?:\.\d+)*$")
"""The beginning of a heading in the rules, such as ``B4.5``."""


class PageSection(msgspec.Struct):
    """A section of a page: its ``slug`` (``a-bots-files``), ``title`` (``A bot's files``) and ``level`` (2 is ``##``),
    and the lines that it covers, with all its subsections: from ``start`` up to but without ``end``, counted from 0."""

    slug: str
    title: str
    level: int
    start: int
    end: int


def slug_of(title: str) -> str:
    """The slug of a heading, as on GitHub: lower case, no punctuation, hyphens for spaces."""
    return re.sub(r"[^\w\- ]", "", title.replace("`", "")).strip().lower().replace(" ", "-")


def sections_of(text: str) -> list[PageSection]:
    """The sections of a page in their order, without the page's title. If several have the same title, the slugs of all
    but the first end in a number."""
    lines = text.splitlines()
    found: list[PageSection] = []
    seen: dict[str, int] = {}
    for at, level, title in _headings(lines):
        for before in found:
            if before.end == len(lines) and before.level >= level:
                before.end = at
        slug = slug_of(title)
        count = seen[slug] = seen.get(slug, -1) + 1
        found.append(PageSection(f"{slug}-{count}" if count else slug, title, level, at, len(lines)))
    return [each for each in found if each.level > 1]


def _headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """The line, level and title of each heading outside code blocks."""
    fence = ""
    for at, line in enumerate(lines):
        if fenced := FENCE.match(line):
            if not fence:
                fence = fenced[1]
            elif fenced[1].startswith(fence):
                fence = ""
        elif not fence and (heading := HEADING.match(line)):
            yield at, len(heading[1]), heading[2]


def find_section(page: str, text: str, name: str) -> PageSection:
    """The section of a page called ``name``: a slug, a title, or the number of a rule (``B4.5``). Raises UserError with
    the nearest name if there is none."""
    sections = sections_of(text)
    for each in sections:
        number = each.title.partition(" ")[0]
        if slug_of(name) == each.slug or (RULE_NUMBER.match(number) and number.casefold() == name.casefold()):
            return each
    known = [each.slug for each in sections]
    there = f"list them with: arena docs {page} --sections" if known else "it has none"
    raise UserError(f"no section {name!r} in the page {page}{nearest_hint(slug_of(name), known)}; {there}")


def section_text(text: str, section: PageSection) -> str:
    """The section's part of the page, with its heading."""
    return "\n".join(text.splitlines()[section.start : section.end]).rstrip() + "\n"
