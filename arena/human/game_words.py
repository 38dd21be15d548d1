"""The words of each game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.board.presenting.human.words import BoardWords
from arena.games.cards.presenting.human.words import CardsWords
from arena.games.contract import Game
from arena.human.plain_words import PlainWords
from arena.human.question import GameWords


def words_for(game: Game, rules: Any, names: Sequence[str]) -> GameWords:
    """How a human plays this game under these rules; ``names`` are the entrants', by seat."""
    match game.name:
        case "board":
            return BoardWords(rules, names)
        case "cards":
            return CardsWords(rules, names)
        case _:
            return PlainWords(game, rules, names)
