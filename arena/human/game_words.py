"""Finds the words in which a human plays a game: the game's own, or generic ones for a game without any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.contract import Game
from arena.games.presenting import checked_part
from arena.human.plain_words import PlainWords
from arena.human.question import GameWords


def words_for(game: Game, rules: Any, names: Sequence[str]) -> GameWords:
    """The words in which a human plays ``game`` under ``rules``; ``names`` are the entrants' names by seat."""
    words = game.presenting.words
    if words is None:
        return PlainWords(game, rules, names)
    return checked_part(game.name, words(rules, names), GameWords)  # type: ignore[type-abstract]
