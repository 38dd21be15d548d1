"""Proposes even shares and takes what is worth more than walking away."""

from tests.thirdgame.pie import PieBot, PieView, Propose, RespondView


class Even(PieBot):
    """Keeps what does not divide."""

    def divide(self, view: PieView) -> Propose:
        each, rest = divmod(view.pie, view.players)
        return Propose(tuple(each + rest * (seat == view.seat) for seat in range(view.players)))

    def respond(self, view: RespondView) -> bool:
        return view.shares[view.seat] >= view.worth
