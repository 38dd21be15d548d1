"""How a game describes its negotiations, so that they can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from arena.drawing.scene import Item, Scene, ScenePart
from arena.drawing.spans import Span
from arena.games.contract import Event
from arena.replay.lines import Header


class DealPictures(NamedTuple):
    """How to find a game's negotiations in a replay, and to draw them. ``word`` is the game's word for a negotiation;
    ``find(lines, names)`` lists where each one stands in the replay; ``scene(header, rules, lines, span, names, seat)``
    makes the picture of one, restricted to what ``seat`` knew (None: everything). ``items(rules, lines, names, seat)``
    gives with each of the lines of one what is drawn of it, and ``holds(rules, table, seat)`` what a seat has on a
    table."""

    word: str
    find: Callable[[Sequence[Event], Sequence[str]], list[Span]]
    scene: Callable[[Header, Any, Sequence[Event], Span, Sequence[str], int | None], Scene]
    items: Callable[[Any, Sequence[Event], Sequence[str], int | None], Iterator[tuple[Item, ...]]]
    holds: Callable[[Any, Any, int], tuple[ScenePart, ...]]
