"""Refuses less than half, and leaves the proposals to their default."""

from arena.bot import Answer, Bot
from tests.thirdgame.pie import PieView


class Proud(Bot):
    """``share`` is the least it takes, as a part of the pie."""

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def respond(self, view: PieView) -> Answer:
        return view.shares[view.seat] >= self.share * view.pie
