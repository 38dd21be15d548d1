"""Proposes even shares and takes what is worth more than walking away."""

from arena.bot import Answer, Bot
from tests.thirdgame.pie import PieView, Propose


class Even(Bot):
    """Keeps what does not divide."""

    def divide(self, view: PieView) -> Answer:
        each, rest = divmod(view.pie, view.players)
        return Propose(tuple(each + rest * (seat == view.seat) for seat in range(view.players)))

    def respond(self, view: PieView) -> Answer:
        return view.shares[view.seat] >= view.worth
