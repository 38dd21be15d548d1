"""A tycoon that plays its POTAs before its move cards: what is taken last is not taken back."""

from __future__ import annotations

from arena.bundled import Tycoon
from arena.games.cards import Card, CardsView, Pass
from arena.games.cards.strategy import Choice

OUT = 900
"""What it costs to go out while others could still answer, in $ for each card that could have been played."""


class Usurper(Tycoon):
    """It waits, values a round and bargains as tycoon does; it only parts with its cards in another order. Tycoon would
    rather fill a turn with a small move card than lay down a POTA, because a POTA can be taken away. But it costs a
    rival a move card to take it, and what a move card takes can be taken back as long as rivals have some. So after
    value cards usurper parts with POTAs, then with reverses, and with move cards last: ``pota``, ``reverse``, and
    ``move`` with ``more`` for each move are what such a card must bring at once, in $, to be played while several
    rivals can answer."""

    def __init__(
        self,
        rush: float = 0.3,
        hope: float = 0.7,
        pota: int = 200,
        reverse: int = 300,
        move: int = 200,
        more: int = 300,
    ) -> None:
        super().__init__(rush, hope)
        self.pota, self.reverse, self.move, self.more = pota, reverse, move, more

    def score(self, view: CardsView, choice: Choice) -> float:
        """A choice's worth, in $, less what it costs to show a card, or to go out, while others can answer."""
        action, late = choice.action, (0.0, self.rush)[self.others] if self.others < 2 else 1.0
        if isinstance(action, Pass):
            out = bool(view.passes[view.seat]) or action.double
            return self.worth(view, choice.outlook, self.hand) - OUT * late * len(self.hand) * out
        rest = self.hand.copy()
        rest.remove(action.card)
        return self.worth(view, choice.outlook, rest) - late * self.patience(action.card) - 0.01

    def patience(self, card: Card) -> int:
        """What a card must bring at once, in $, to be played while several rivals can answer."""
        if card.is_pota or card.is_reverse:
            return self.pota if card.is_pota else self.reverse
        return self.move + self.more * card.moves if card.moves else 0
