"""Plays any legal move: the floor of this game."""

from arena.bot import Bot, Move, View


class Anything(Bot):
    """One method for all hooks. It derives from no game's base, so it names its game."""

    games = ("tests.thirdgame.pie",)

    def choose(self, view: View) -> Move:
        return self.random.choice(self.legal_moves(view))

    divide = respond = choose
