"""The words of a game: its own, or those in which any game can be played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.contract import Game
from arena.human.plain_words import PlainWords
from arena.human.question import GameWords


def words_for(game: Game, rules: Any, names: Sequence[str]) -> GameWords:
    """How a human plays this game under these rules; ``names`` are the entrants', by seat."""
    words = game.presenting.words
    return PlainWords(game, rules, names) if words is None else words(rules, names)
