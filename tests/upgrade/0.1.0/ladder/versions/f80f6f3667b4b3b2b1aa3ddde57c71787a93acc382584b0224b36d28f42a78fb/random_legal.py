"""Plays any legal move with equal chance, whatever the game: the floor every other bot should stand on."""

from __future__ import annotations

from arena.bot import Bot, Move, View
from arena.games import games as every_game
from arena.games import load_game


class RandomLegal(Bot):
    """Chooses uniformly among the legal moves that the game lists: of endlessly many offers, those that stand for
    all."""

    games = every_game()

    def choose(self, view: View) -> Move:
        return self.random.choice(self.legal_moves(view))


for game in every_game():
    for hook in load_game(game).hooks:
        setattr(RandomLegal, hook, RandomLegal.choose)
