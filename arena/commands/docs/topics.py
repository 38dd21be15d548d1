"""The documentation pages that ship with the package."""

from __future__ import annotations

import msgspec

from arena.cli.print_message import print_message
from arena.commands.docs.page_groups import PAGE_GROUPS, PAGE_NAMES
from arena.commands.docs.schema import protocol_schema, replay_schema, show_schema
from arena.commands.docs.sections import slug_of
from arena.errors import UserError, nearest_hint
from arena.old_names import OLD_PAGES, old_name_warning
from arena.resources import docs_folder

SCHEMA_TOPICS = {
    "protocol-schema": "JSON Schema of the wire protocol's messages, made from the types",
    "replay-schema": "JSON Schema of a replay's lines, made from the types",
    "show-schema": "JSON Schema of what `arena show --jsonl` prints, made from the types",
}
SCHEMA_MAKERS = {"protocol-schema": protocol_schema, "replay-schema": replay_schema, "show-schema": show_schema}


class DocsPage(msgspec.Struct):
    """A page: its name and title, the title of its group, and what its readers can do afterwards (``aim``)."""

    name: str
    title: str
    group: str
    aim: str


def list_pages() -> list[DocsPage]:
    """Every page, in reading order."""
    return [
        DocsPage(name, _page_title(name), group.title, aim)
        for group in PAGE_GROUPS
        for name, aim in group.pages.items()
    ]


def _page_title(name: str) -> str:
    if name in SCHEMA_TOPICS:
        return SCHEMA_TOPICS[name]
    return (docs_folder() / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def topic_text(name: str) -> str:
    """The text of a page. Raises UserError with the nearest name if there is none."""
    if name in SCHEMA_MAKERS:
        return SCHEMA_MAKERS[name]()
    if name not in PAGE_NAMES:
        raise UserError(f"no page {name!r}{nearest_hint(name, PAGE_NAMES)}; there are {', '.join(PAGE_NAMES)}")
    return (docs_folder() / f"{name}.md").read_text(encoding="utf-8")


def follow_old_page(page: str, section: str | None) -> tuple[str, str | None]:
    """The current name of a page and section, with a warning on standard error if the given one is old."""
    for each in OLD_PAGES:
        old_page, _, old_section = each.old.partition(" ")
        if page == old_page and old_section in ("", slug_of(section or "")):
            new_page, _, new_section = each.new.partition(" ")
            print_message(old_name_warning(f"arena docs {each.old}", f"arena docs {each.new}"))
            return new_page, section if section and not old_section else new_section or None
    return page, section
