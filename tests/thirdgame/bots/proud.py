"""Refuses less than half, and leaves the proposals to their default."""

from tests.thirdgame.pie import PieBot, RespondView


class Proud(PieBot):
    """``share`` is the least it takes, as a part of the pie."""

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def respond(self, view: RespondView) -> bool:
        return view.shares[view.seat] >= self.share * view.pie
