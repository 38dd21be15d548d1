"""The strongest at cards: outlasts the others, and asks of every card what it could still do when nobody can answer."""

from __future__ import annotations

from arena.games import cards
from arena.games.cards import COLORS, Card, CardsBot, CardsView, Color, Pass, Propose, Want
from arena.games.cards import strategy as on
from arena.games.cards.strategy import Choice, Outlook


class Tycoon(CardsBot):
    """Who acts last decides what the round is worth and to whom. So it leads and collects the colour it holds most of,
    fills its turns with a pass and with value cards, and keeps POTAs, reverses and moves until nobody is left to
    answer. A single rival left counts ``rush`` of several; ``hope`` is the chance it gives itself to act last. It sells
    the Boss what helps the Boss, and as the Boss buys what helps itself, but asks for nothing."""

    def __init__(self, rush: float = 0.3, hope: float = 0.7) -> None:
        self.rush, self.hope = rush, hope

    def look(self, view: CardsView) -> None:
        """Count once an ask: money, what each rival's money weighs, and the cards still to come."""
        assert view.color is not None
        self.money, me = on.wealth(view, self.rules), view.seat
        rivals = [money for seat, money in enumerate(self.money) if seat != me]
        top = [0.3 / rivals.count(max(rivals)) if money == max(rivals) else 0.0 for money in self.money]
        self.weight = [top[seat] + 0.7 / len(rivals) if seat != me else 0.0 for seat in range(view.players)]
        self.cards = on.expected_cards(view, self.rules, view.color)
        self.hand = list(on.playable(view, self.rules))
        self.others = len([seat for seat in on.still_in(view) if seat != me])

    def worth(self, view: CardsView, found: Outlook, hand: list[Card]) -> float:
        """What the round is expected to bring, in $, with what the cards in ``hand`` could make of it at the end."""
        return on.forecast(found, view.seat, hand, self.money, self.weight, self.cards, self.hope)

    def score(self, view: CardsView, choice: Choice) -> float:
        """A choice's worth, in $, less what it costs to show a card, or to go out, while others can answer."""
        action, late = choice.action, (0.0, self.rush)[self.others] if self.others < 2 else 1.0
        if isinstance(action, Pass):
            out = bool(view.passes[view.seat]) or action.double
            return self.worth(view, choice.outlook, self.hand) - 900 * late * len(self.hand) * out
        rest = self.hand.copy()
        rest.remove(action.card)
        patience = 400 if action.card.is_pota else 300 * (action.card.moves or action.card.is_reverse)
        return self.worth(view, choice.outlook, rest) - late * patience - 0.01

    def lead(self, view: cards.LeadView) -> cards.LeadAnswer:
        for color in by_strength(view.hand):
            found = [lead for lead in on.leads(view) if lead.card.color is color]
            if found:  # a small positive card, which is missed least
                return min(found, key=lambda lead: (lead.card.worth < 0, abs(lead.card.worth)))
        return cards.NameColor(by_strength(view.hand)[0])

    def play(self, view: cards.PlayView) -> cards.PlayAnswer:
        self.look(view)
        if view.moving is not None:
            return on.next_shift(view, self.rules, lambda found: self.worth(view, found, self.hand))
        return on.as_play(max(self.options(view), key=lambda choice: self.score(view, choice)).action)

    def options(self, view: CardsView) -> list[Choice]:
        """What it could do on its turn."""
        return on.choices(view, self.rules, lambda found: self.worth(view, found, self.hand))

    def offer(self, view: cards.OfferView) -> cards.OfferAnswer:
        if view.seat == view.boss:
            return None  # to ask for something is to show a weakness, and what is asked for is rarely had
        self.look(view)
        options = self.options(view)
        least = on.outlook(view, self.rules).lead_of(view.boss, self.money) + 1
        sold = [Choice(action, then.with_token(view.seat)) for action, then in options]
        sold = [choice for choice in sold if choice.outlook.lead_of(view.boss, self.money) >= least]
        best = max(((self.score(view, choice), -place) for place, choice in enumerate(sold)), default=None)
        if best is None or best[0] <= max(self.score(view, choice) for choice in options):
            return None
        return Propose(sold[-best[1]].action)

    def accept(self, view: cards.AcceptView) -> cards.AcceptAnswer:
        self.look(view)
        if len(self.legal_moves(view)) < 2:
            return False
        now, then = on.outlook(view, self.rules), on.accepted(view, self.rules, view.bargain)
        gain = self.worth(view, then, self.hand) - self.worth(view, now, self.hand)
        offer, late = view.bargain.offer, self.rush if self.others < 2 else 1.0
        return gain > (400 * late if isinstance(offer, cards.Request) and offer.want is Want.POTA else 0)

    def discard(self, view: cards.DiscardView) -> cards.DiscardAnswer:
        main = by_strength(view.hand)[0] if view.boss == view.seat else None
        return cards.Discard(on.weakest(view.hand, view.most, lambda card: 9 * (card.color is main) + weigh(card), 2.0))


def weigh(card: Card) -> float:
    """What a card is worth keeping."""
    if card.is_pota or card.is_reverse:
        return 4.0 if card.is_pota else 3.0
    return 2.0 + card.moves if card.moves else 0.5 + abs(card.worth) / 3


def by_strength(hand: tuple[Card, ...]) -> list[Color]:
    """The colours to wait longest in, and do most in, first."""
    return sorted(COLORS, key=lambda color: -on.strength(hand, color, lambda card: 1 + 0.3 * weigh(card)))
