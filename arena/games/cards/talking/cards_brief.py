"""The card game's table as a seat sees it, in a few lines for a model, and what does not change in a match.

All of it comes from the view and the rules: what the seat must not know cannot be in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from arena.games.cards.cards import Card
from arena.games.cards.moves import Action, Drop, Pass, Play, Propose, Request, Shift
from arena.games.cards.rules import Rules
from arena.games.cards.strategy import wealth
from arena.games.cards.views import CardsView

TWO_DISKS = 2


class CardsBrief:
    """Describes views of one match, played under ``rules``; ``phrase`` gives the phrase of a key, its gaps filled."""

    def __init__(self, rules: Rules, phrase: Callable[..., str]) -> None:
        self.rules, self.phrase = rules, phrase

    def system_text(self, seat: int, players: int) -> str:
        """What a model is told once: its part, what counts, the game and its edition, and how to answer."""
        rules, phrase = self.rules, self.phrase
        lines = [
            phrase("system.role", seat=seat, players=players, last=players - 1, title=rules.title),
            phrase("system.game", factor=rules.factor, tokens=rules.cousins[players]),
        ]
        if rules.limit is not None:
            lines.append(phrase("system.limit", limit=rules.limit[players]))
        return "\n".join([*lines, phrase("system.words"), phrase("system.answer")])

    def table_text(self, view: CardsView) -> str:
        """The table: the round, what a share brings, the seats, the tokens, the own hand, and an open bargain."""
        phrase, color = self.phrase, view.color
        share = f"${view.value}" if view.value >= 0 else f"-${-view.value}"
        lines = [
            phrase(
                "view.head",
                round=view.round,
                rounds=view.rounds,
                colour=phrase("view.colourless") if color is None else phrase(f"colour.{color}"),
                boss=view.boss,
                on_turn=view.on_turn,
            ),
            phrase("view.share", centre=self.cards(view.centre), value=share, multiplier=view.multiplier),
        ]
        for seat, money in enumerate(wealth(view, self.rules)):
            key = "view.own_seat" if seat == view.seat else "view.seat"
            front, disks = self.cards(view.fronts[seat]), f"{view.passes[seat]}/{TWO_DISKS}"
            lines.append(phrase(key, seat=seat, money=money, cards=view.hand_sizes[seat], front=front, disks=disks))
        cousins = ", ".join(map(str, view.cousins)) or phrase("view.none")
        lines += [
            phrase("view.cousins", seats=cousins, tokens=view.tokens),
            phrase("view.hand", cards=self.cards(view.hand)),
        ]
        if view.bargain is not None:
            offer = self.offer(view.bargain.offer)
            lines.append(phrase("view.offered", by=view.bargain.by, offer=offer))
        return "\n".join(lines)

    def cards(self, cards: Iterable[Card]) -> str:
        """A list of cards, each kind once with its number."""
        counts = Counter(cards)
        said = [f"{count} × {self.card(card)}" if count > 1 else self.card(card) for card, count in counts.items()]
        return ", ".join(said) or self.phrase("view.none")

    def card(self, card: Card) -> str:
        """A card in words."""
        if card.color is None:
            return self.phrase("card.wild")
        colour = self.phrase(f"colour.{card.color}")
        if card.worth:
            return self.phrase("card.value", colour=colour, value=f"{card.worth:+}")
        if card.moves:
            return self.phrase("card.move", colour=colour, number=card.moves)
        return self.phrase("card.pota" if card.is_pota else "card.reverse", colour=colour)

    def offer(self, offer: Propose | Request) -> str:
        """What is offered, in words."""
        if isinstance(offer, Propose):
            return self.phrase("choice.propose", action=self.action(offer.action))
        return self.phrase("choice.request", want=self.phrase(f"want.{offer.want}", least=offer.least))

    def action(self, action: Action) -> str:
        """An exact action in words."""
        match action:
            case Pass(double):
                return self.phrase("action.pass_twice" if double else "action.pass")
            case Drop(card):
                return self.phrase("action.drop", card=self.card(card))
            case Play(card, None, shifts) if shifts:
                said = ", ".join(map(self.shift, shifts))
                return self.phrase("action.shifts", card=self.card(card), shifts=said)
            case Play(card, None):
                return self.phrase("action.play", card=self.card(card))
            case Play(card, to):
                return self.phrase("action.front", card=self.card(card), to=to)

    def shift(self, shift: Shift) -> str:
        """One move of a move card in words."""
        source = "action.centre" if shift.source is None else "action.seat"
        target = "action.pile" if shift.to is None else "action.seat"
        return self.phrase(
            "action.shift",
            card=self.card(shift.card),
            source=self.phrase(source, seat=shift.source),
            to=self.phrase(target, seat=shift.to),
        )
