"""The card game's table as a seat sees it, in lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from arena.games.cards.answers.seat import table_of
from arena.games.cards.cards import Card
from arena.games.cards.rules import Rules
from arena.games.cards.sentences.tell import Teller
from arena.games.cards.views import CardsView, DiscardView
from arena.human.terminals.ink import Ink
from arena.human.terminals.text_columns import align_columns, fold_text, heading_line

CARDS_LABEL_COLUMNS = 11
"""The width of the label at the beginning of a line, in columns."""
DISK_STATES = ("in", "1 disk turned", "out")


class CardsDrawn:
    """Draws views of one match. ``names`` are the entrants' names by seat."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.names = rules, names
        self.teller = Teller(names)

    def table(self, view: CardsView, width: int, ink: Ink) -> list[str]:
        """The whole table."""
        colour = "no colour yet" if view.color is None else f"the colour is {view.color}"
        boss = "you are" if view.boss == view.seat else f"{self.teller.seat(view.boss)} is"
        head = f"Round {view.round} of {view.rounds} · {boss} the Boss · {colour}"
        lines = [*map(ink.bold_text, heading_line(head, width))]
        lines += self.centre(view, width, ink)
        lines += fold_text(f"{'Tokens':<{CARDS_LABEL_COLUMNS}}{self.tokens(view)}", width, CARDS_LABEL_COLUMNS)
        third = "; the third X card lies under the disk" if view.third_x else ""
        lines += fold_text(
            f"{'Piles':<{CARDS_LABEL_COLUMNS}}{view.deck} cards to draw, {view.discard_pile} discarded{third}",
            width,
            CARDS_LABEL_COLUMNS,
        )
        return [*lines, "", *self.seats(view, width, ink), "", *self.hand(view, width, ink)]

    def centre(self, view: CardsView, width: int, ink: Ink) -> list[str]:
        """The centre, and what a share is worth with it."""
        total = sum(card.worth for card in view.centre)
        worth = f"sum {total} × {self.rules.factor} × multiplier {view.multiplier} = {dollar_text(view.value)} a share"
        limited = "" if view.value == total * self.rules.factor * view.multiplier else " (cut to the deal limit)"
        return [
            *fold_text(
                f"{'Centre':<{CARDS_LABEL_COLUMNS}}{self.cards(view.centre, ink) or 'empty'}",
                width,
                CARDS_LABEL_COLUMNS,
            ),
            *fold_text(f"{'A share':<{CARDS_LABEL_COLUMNS}}{worth}{limited}", width, CARDS_LABEL_COLUMNS),
        ]

    def brief(self, view: CardsView, width: int, ink: Ink) -> list[str]:
        """The centre, the value of a share, and the hand."""
        return [*self.centre(view, width, ink), *self.hand(view, width, ink)]

    def tokens(self, view: CardsView) -> str:
        """How many Cousin tokens are left, and which seats have one; between rounds, those of the next Boss."""
        if isinstance(view, DiscardView):
            given = self.rules.cousins[view.players]
            return f"the next Boss gets {given} Cousin token{'' if given == 1 else 's'}"
        left = "1 Cousin token" if view.tokens == 1 else f"{view.tokens} Cousin tokens"
        cousins = ", ".join(map(self.teller.seat, view.cousins))
        return f"the Boss has {left} left" + (f"; Cousins: {cousins}" if cousins else "")

    def seats(self, view: CardsView, width: int, ink: Ink) -> list[str]:
        """A row for each seat."""
        table = table_of(view, self.rules)
        rows = [["", "seat", "cards", "shares", "would get", "disks", "in front"]]
        for seat, name in enumerate(self.names):
            mark = "".join(
                letter
                for letter, holds in (("B", seat == view.boss), ("C", seat in view.cousins), ("*", seat == view.seat))
                if holds
            )
            who = f"{seat} {name}" + (" (you)" if seat == view.seat else "")
            front = self.cards(view.fronts[seat], ink) or "–"
            gets = dollar_text(table.money_due(seat)) if view.color is not None else "–"
            cells = [str(view.hand_sizes[seat]), str(table.shares(seat)), gets, DISK_STATES[view.passes[seat]]]
            rows.append([mark, who, *cells, front])
        lines = [
            line for row in align_columns(rows, right=(2, 3, 4)) for line in fold_text(row, width, CARDS_LABEL_COLUMNS)
        ]
        return [*lines, "   B: Boss, C: Cousin, *: you"]

    def cards(self, cards: Sequence[Card], ink: Ink) -> str:
        """Cards in words, equal ones counted together."""
        said = []
        for card, same in groupby(cards):
            count = len(list(same))
            painted = ink.paint(str(card.color), str(card))
            said.append(f"{count} × {painted}" if count > 1 else painted)
        return ", ".join(said)

    def hand(self, view: CardsView, width: int, ink: Ink) -> list[str]:
        """The seat's own cards and money."""
        lines = fold_text(
            f"{'Your hand':<{CARDS_LABEL_COLUMNS}}{self.cards(view.hand, ink) or 'no card'}", width, CARDS_LABEL_COLUMNS
        )
        return [*lines, f"{'Money':<{CARDS_LABEL_COLUMNS}}{dollar_text(view.money)}"]

    def ledger(self, view: CardsView, width: int, ink: Ink) -> list[str]:
        """The settled rounds."""
        if not view.ledger:
            return ["No round has been settled yet."]
        rows = [["round", "Boss", "colour", "a share", "received"]]
        for deal in view.ledger:
            got = [
                f"{self.teller.seat(seat)} {dollar_text(amount)}" for seat, amount in enumerate(deal.amounts) if amount
            ]
            boss, share = self.teller.seat(deal.boss), dollar_text(deal.value)
            rows.append([str(deal.round), boss, str(deal.color), share, ", ".join(got) or "–"])
        return [
            line for row in align_columns(rows, right=(0, 3)) for line in fold_text(row, width, CARDS_LABEL_COLUMNS)
        ]


def dollar_text(amount: int) -> str:
    """An amount of money with its sign, as text."""
    return f"-${-amount}" if amount < 0 else f"${amount}"
