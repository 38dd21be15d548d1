"""Types for a game's sentences about views and deals, and generic sentences for a game that defines none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec


class ViewSentence(NamedTuple):
    """A part of a view in words: the ``name`` of the part (``hand``), and what the seat saw there."""

    name: str
    text: str


class DealSentences(NamedTuple):
    """How every deal of a match ended: the name of the game's ``table`` of deals, and its rows in words, under
    ``headers``; the columns ``wide`` (from 0) may be broken into lines."""

    table: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]
    wide: tuple[int, ...]


def plain_view(view: msgspec.Struct, rules: Any, names: Sequence[str]) -> list[ViewSentence]:
    """Every field of a view as JSON, except the news."""
    shown = (name for name in view.__struct_fields__ if name != "news")
    return [ViewSentence(name, msgspec.json.encode(getattr(view, name)).decode()) for name in shown]


def plain_move(move: msgspec.Struct, view: Any, rules: Any, names: Sequence[str]) -> str:
    """A move as JSON; the other arguments are not used."""
    return msgspec.json.encode(move).decode()
