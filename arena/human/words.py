"""The words of each game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.contract import Game
from arena.human.asked import GameWords
from arena.human.board_words import BoardWords
from arena.human.cards_words import CardsWords
from arena.human.plain_words import PlainWords


def words_for(game: Game, rules: Any, names: Sequence[str]) -> GameWords:
    """How a human plays this game under these rules; ``names`` are the entrants', by seat."""
    match game.name:
        case "board":
            return BoardWords(rules, names)
        case "cards":
            return CardsWords(rules, names)
        case _:
            return PlainWords(game, rules, names)
