"""What a game's own words are put into, and what stands in for them in a game that has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec


class ViewSentence(NamedTuple):
    """A part of a view in words: what it is (``hand``), and what the seat saw there."""

    name: str
    text: str


class DealSentences(NamedTuple):
    """What came of every deal of a match: the name of the game's ``table`` of them, and their rows in words, with
    ``headers``; the columns ``wide`` (from 0) may be broken into lines."""

    table: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]
    wide: tuple[int, ...]


def plain_view(view: msgspec.Struct, rules: Any, names: Sequence[str]) -> list[ViewSentence]:
    """Every field of a view as JSON, but for the news."""
    shown = (name for name in view.__struct_fields__ if name != "news")
    return [ViewSentence(name, msgspec.json.encode(getattr(view, name)).decode()) for name in shown]


def plain_move(move: msgspec.Struct, view: Any, rules: Any, names: Sequence[str]) -> str:
    """A move as JSON."""
    return msgspec.json.encode(move).decode()
