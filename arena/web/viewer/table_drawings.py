"""Which games have a drawing of their table, and what it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from arena.games.board.presenting import page_table as board
from arena.games.cards.presenting import page_table as cards


class Drawing(NamedTuple):
    """The drawing of a game's table: ``about(rules, players)`` is what it knows of the edition; the page takes its
    ``scripts`` and ``styles``, in this order."""

    about: Callable[[Any, int], Any]
    scripts: tuple[str, ...]
    styles: tuple[str, ...]


DRAWINGS: dict[str, Drawing] = {
    "board": Drawing(board.about, board.SCRIPTS, board.STYLES),
    "cards": Drawing(cards.about, cards.SCRIPTS, cards.STYLES),
}
"""By game. The table of another game is shown as its fields."""


def about(game: str, rules: Any, players: int) -> Any:
    """What the drawing of a game's table must know of the edition; None where there is no drawing."""
    return DRAWINGS[game].about(rules, players) if game in DRAWINGS else None
