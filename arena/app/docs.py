"""The documentation pages that ship with the package."""

from __future__ import annotations

from arena.app.schema import protocol_schema, replay_schema
from arena.errors import UserError, nearest
from arena.resources import docs

MADE = {
    "protocol-schema": "JSON Schema of the wire protocol's messages, made from the types",
    "replay-schema": "JSON Schema of a replay's lines, made from the types",
}


def list_pages() -> list[tuple[str, str]]:
    """Name and title of every page."""
    found = [
        (path.stem, path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")) for path in docs().glob("*.md")
    ]
    return sorted([*found, *MADE.items()])


def page(name: str) -> str:
    """The text of a page. Raises UserError, naming the nearest."""
    if name == "replay-schema":
        return replay_schema()
    if name == "protocol-schema":
        return protocol_schema()
    path = docs() / f"{name}.md"
    known = [each for each, _ in list_pages()]
    if name not in known:
        raise UserError(f"no page {name!r}{nearest(name, known)}; there are {', '.join(known)}")
    return path.read_text(encoding="utf-8")
