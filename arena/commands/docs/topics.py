"""The documentation pages that ship with the package."""

from __future__ import annotations

import msgspec

from arena.commands.docs.schema import protocol_schema, replay_schema, show_schema
from arena.errors import UserError, nearest_hint
from arena.resources import docs_folder

SCHEMA_TOPICS = {
    "protocol-schema": "JSON Schema of the wire protocol's messages, made from the types",
    "replay-schema": "JSON Schema of a replay's lines, made from the types",
    "show-schema": "JSON Schema of what `arena show --jsonl` prints, made from the types",
}
SCHEMA_MAKERS = {"protocol-schema": protocol_schema, "replay-schema": replay_schema, "show-schema": show_schema}


class DocsPage(msgspec.Struct, order=True):
    """A page's name and title."""

    name: str
    title: str


def list_pages() -> list[DocsPage]:
    """Every page, by name."""
    found = [
        DocsPage(path.stem, path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# "))
        for path in docs_folder().glob("*.md")
    ]
    return sorted([*found, *(DocsPage(*each) for each in SCHEMA_TOPICS.items())])


def topic_text(name: str) -> str:
    """The text of a page. Raises UserError with the nearest name if there is none."""
    if name in SCHEMA_MAKERS:
        return SCHEMA_MAKERS[name]()
    path = docs_folder() / f"{name}.md"
    known = [each.name for each in list_pages()]
    if name not in known:
        raise UserError(f"no page {name!r}{nearest_hint(name, known)}; there are {', '.join(known)}")
    return path.read_text(encoding="utf-8")
