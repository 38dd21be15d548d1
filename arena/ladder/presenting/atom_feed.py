"""The results of a ladder as an Atom feed (RFC 4287): an entry for each closed round and each season that is over."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from html import escape
from typing import NamedTuple

from arena.printable import printable_text

FEED_KIND = "application/atom+xml"
FEED_FILE = "results.atom"


class FeedEntry(NamedTuple):
    """An entry: a ``name`` that it keeps for ever, when it happened, title and text, and the address of its page."""

    name: str
    at: str
    title: str
    text: str
    address: str


def atom_feed(ladder: str, commitment: str, began: str, entries: Iterable[FeedEntry]) -> str:
    """Return the feed as XML, the newest entry first. Its ids are made of the ladder's first ``commitment`` to a seed,
    which is unique; so the same entry has the same id in every copy."""
    newest = sorted(entries, key=lambda each: (each.at, each.name), reverse=True)
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<title>{_xml_text(ladder)}: results</title>\n<id>{_entry_id(commitment, 'feed')}</id>\n"
        f"<updated>{newest[0].at if newest else began}</updated>\n<author><name>{_xml_text(ladder)}</name></author>\n"
    )
    parts = [
        f"<entry>\n<title>{_xml_text(each.title)}</title>\n<id>{_entry_id(commitment, each.name)}</id>\n"
        f'<updated>{each.at}</updated>\n<link href="{escape(each.address)}"/>\n'
        f"<summary>{_xml_text(each.text)}</summary>\n</entry>\n"
        for each in newest
    ]
    return f"{head}{''.join(parts)}</feed>\n"


def _entry_id(commitment: str, name: str) -> str:
    digest = sha256(f"{commitment}/{name}".encode()).hexdigest()
    return f"urn:uuid:{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}"


def _xml_text(text: str) -> str:
    return escape(printable_text(text))
