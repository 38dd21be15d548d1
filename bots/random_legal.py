"""Plays any legal move with equal chance: the floor every other bot should stand on."""

from __future__ import annotations

from arena.bot import Bot, Move, View


class RandomLegal(Bot):
    """Chooses uniformly among the legal moves; offers at one or two dividends."""

    def choose(self, view: View) -> Move:
        return self.random.choice(self.legal_moves(view))

    place_marker = turn = offer = accept = interrupt = close = discard = choose
