"""How a game describes its negotiations, so that they can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from arena.drawing.scene import Scene
from arena.drawing.spans import Span
from arena.games.contract import Event
from arena.replay.lines import Header


class DealPictures(NamedTuple):
    """How to find a game's negotiations in a replay, and to draw them. ``word`` is the game's word for a negotiation;
    ``find(lines, names)`` lists where each one stands in the replay; ``scene(header, rules, lines, span, names, seat)``
    makes the picture of one, restricted to what ``seat`` knew (None: everything)."""

    word: str
    find: Callable[[Sequence[Event], Sequence[str]], list[Span]]
    scene: Callable[[Header, Any, Sequence[Event], Span, Sequence[str], int | None], Scene]
