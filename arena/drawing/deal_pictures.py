"""How the negotiations of a game are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from arena.drawing.scene import Scene
from arena.drawing.spans import Span
from arena.games.contract import Event
from arena.replay.lines import Header


class DealPictures(NamedTuple):
    """How a game's negotiations are found in a replay and drawn. ``word`` is what one is called;
    ``find(lines, names)`` lists where they stand, and
    ``scene(header, rules, lines, span, names, seat)`` is the picture of one, with a ``seat`` (None: everything) of what
    that seat knew."""

    word: str
    find: Callable[[Sequence[Event], Sequence[str]], list[Span]]
    scene: Callable[[Header, Any, Sequence[Event], Span, Sequence[str], int | None], Scene]
