"""Markdown on pages renders as it is meant: no list, table or code block is swallowed by a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from .pages import ROOT, TEXT

PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
TEXTS = {**TEXT, "README": (ROOT / "README.md").read_text(encoding="utf-8")}
BEGINS = re.compile(r"\s*(?:[-*+] |\d+[.)] |\||```|~~~|#{1,6} |> )")
"""What begins a list, table, code block, heading or quotation, at the beginning of a line."""
WITHIN = re.compile(r"[.:;!?)*] (?:\d+[.)]|[-•]) (?=\*\*|`|[A-Z])")
"""An item of a list in the middle of a line, after the end of a sentence."""


def swallowed(text: str) -> Iterator[str]:
    """What stands in the paragraphs of a page and looks like the beginning of something else."""
    lines = text.splitlines()
    tokens = PARSER.parse(text)
    for opening, inline in pairwise(tokens):
        if opening.type != "paragraph_open" or inline.map is None:
            continue
        source = lines[inline.map[0] : inline.map[1]]
        written = inline.content.split("\n")
        indent = len(source[0]) - len(written[0])
        for place, (raw, line) in enumerate(zip(source, written, strict=True)):
            if (place and BEGINS.match(line)) or (place and len(raw) - len(raw.lstrip()) >= indent + 4):
                yield line
        words = re.sub(r"`[^`]*`", "`", " ".join(written))
        yield from (match[0] for match in WITHIN.finditer(words))


def test_no_paragraph_swallows_a_list_a_table_or_code() -> None:
    assert {name: found for name, text in TEXTS.items() if (found := list(swallowed(text)))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "1. **offer**: one. 2. **accept**: two.\n",
        "Two things: - `one` and\n- two\n",
        "A table:\nwith | bars\n| a | b |\n",
        "A formula:\n    a = b\n",
    ],
)
def test_what_a_paragraph_swallows_is_found(text: str) -> None:
    assert list(swallowed(text))


def test_what_is_no_list_is_not_taken_for_one() -> None:
    assert not list(swallowed("It took 3. Then came 4 - and so on, at 1.5 s.\n\n- one\n- two\n\n    code\n"))
