"""The board game's table as a seat sees it, in lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from arena.games.board.cards import Card, Family
from arena.games.board.rules import Rules, deal_proceeds
from arena.games.board.sentences.tell import Teller
from arena.games.board.spaces import Space
from arena.games.board.views import BoardView, MarkerView, TurnView
from arena.human.terminals.ink import Ink
from arena.human.terminals.text_columns import align_columns, fold_text, heading_line

SPACE_COLUMNS = 4
"""The width of a space in the ring, in columns."""
BOARD_LABEL_COLUMNS = 11
"""The width of the label at the beginning of a line, in columns."""


class BoardDrawn:
    """Draws views of one match. ``names`` are the entrants' names by seat."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.names = rules, names
        self.teller = Teller(rules, names)

    def table(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """The whole table: where the marker stands, the ring, the seats, the hand, and a negotiation."""
        whose = "your turn" if view.on_turn == view.seat else f"turn of {self.teller.seat(view.on_turn)}"
        if isinstance(view, MarkerView):
            return self.draw_unplaced(view, width, ink)
        head = f"Turn {view.turn}, {whose} · deal card {view.deal}: a dividend is worth ${view.dividend}M"
        lines = [*map(ink.bold_text, heading_line(head, width))]
        here = f"space {view.marker} needs {self.needs_text(view.space, ink)} · pays {_dividend_count(view.space)} = "
        lines += fold_text(
            f"{'Marker':<{BOARD_LABEL_COLUMNS}}{here}{ink.bold_text(f'${view.proceeds}M')}", width, BOARD_LABEL_COLUMNS
        )
        lines += self.ring_lines(view, width, ink)
        if isinstance(view, TurnView) and not view.rolled:
            lines += self.reach(view, width, ink)
        lines += ["", *self.seats(view, width, ink), ""]
        lines += self.hand(view, width, ink)
        if view.boss is not None:
            lines += self.bargaining(view, width, ink)
        return lines

    def draw_unplaced(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """The table before the marker has been placed."""
        head = f"Before the first turn · deal card {view.deal}: a dividend is worth ${view.dividend}M"
        lines = [*map(ink.bold_text, heading_line(head, width)), *self.ring(view, width, ink)]
        return [*lines, "", *self.seats(view, width, ink), "", *self.hand(view, width, ink)]

    def needs_text(self, space: Space, ink: Ink) -> str:
        """What a space needs, in words."""
        said = [self.family(family, ink) for family in space.required]
        for group in space.groups:
            said.append(f"{group.choose} of {'/'.join(self.family(family, ink) for family in group.families)}")
        return " + ".join(said)

    def family(self, family: Family, ink: Ink) -> str:
        """A family's name in its colour."""
        return ink.paint(str(family), self.rules.names[family])

    def ring_lines(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """The ring of spaces: numbers, and what each pays now; covered spaces are crossed out."""
        each = max(1, min(16, (width - BOARD_LABEL_COLUMNS) // SPACE_COLUMNS))
        lines = []
        for first in range(0, len(self.rules.spaces), each):
            spaces = range(first, min(first + each, len(self.rules.spaces)))
            marked = [f">{n}" if n == view.marker else str(n) for n in spaces]
            lines.append(f"{'Ring':<{BOARD_LABEL_COLUMNS}}" + "".join(f"{text:>{SPACE_COLUMNS}}" for text in marked))
            worth = [self.worth(view, n) if n in view.uncovered else "--" for n in spaces]
            lines.append(f"{'  worth':<{BOARD_LABEL_COLUMNS}}" + "".join(f"{text:>{SPACE_COLUMNS}}" for text in worth))
        return lines

    def worth(self, view: BoardView, space: int) -> str:
        """What a space pays under the top deal card, as text."""
        return f"${deal_proceeds(self.rules, space, view.deal)}"

    def reach(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """To which space each roll of the die would lead."""
        lines, space = [], view.marker
        for roll in range(1, 7):
            space = next_uncovered(view, space, len(self.rules.spaces))
            label = "A roll of" if roll == 1 else ""
            text = (
                f"{roll}: space {space}, {self.worth(view, space)}M, {self.needs_text(self.rules.spaces[space], ink)}"
            )
            lines += fold_text(f"{label:<{BOARD_LABEL_COLUMNS}}{text}", width, BOARD_LABEL_COLUMNS + 3)
        return lines

    def seats(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """A row for each seat."""
        rows = [["", "seat", "cards", "earned", "placards", "laid"]]
        for seat, name in enumerate(self.names):
            mark = ("B" if seat == view.boss else "") + ("*" if seat == view.seat else "")
            placards = [
                self.family(placard.family, ink) + (" (travels)" if placard.travelling else "")
                for placard in view.placards
                if placard.owner == seat
            ]
            laid = ", ".join(self.family(family, ink) for family in view.laid[seat])
            earned = f"${seat_earnings(view, seat)}M"
            who = f"{seat} {name}" + (" (you)" if seat == view.seat else "")
            rows.append([mark, who, str(view.hand_sizes[seat]), earned, ", ".join(placards) or "–", laid or "–"])
        lines = [
            line for row in align_columns(rows, right=(2, 3)) for line in fold_text(row, width, BOARD_LABEL_COLUMNS)
        ]
        aside = [self.family(placard.family, ink) for placard in view.placards if placard.owner is None]
        notes = [f"aside: {', '.join(aside)}"] if aside else []
        notes += ["B: Boss, *: you"] if view.boss is not None else []
        return [*lines, *(f"   {note}" for note in notes)]

    def hand(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """The seat's own cards and money."""
        cards = [self.card_count_text(card, len(list(same)), ink) for card, same in groupby(view.hand)]
        lines = fold_text(
            f"{'Your hand':<{BOARD_LABEL_COLUMNS}}{', '.join(cards) or 'no card'}", width, BOARD_LABEL_COLUMNS
        )
        return [*lines, f"{'Money':<{BOARD_LABEL_COLUMNS}}${view.money}M"]

    def card_count_text(self, card: Card, count: int, ink: Ink) -> str:
        """A kind of card, with its number if there is more than one."""
        text = self.teller.card(card)
        painted = ink.paint(str(card.family), text) if card.family else text
        return f"{count} × {painted}" if count > 1 else painted

    def bargaining(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """Offers and agreements of the negotiation."""
        lines: list[str] = []
        for each in sorted(view.offers, key=lambda each: each.by != view.seat):
            offer = each.offer
            cards = self.investors(offer.placards, offer.clans, ink) or "goodwill"
            if each.by == view.boss:
                who = "you pay" if each.by == view.seat else f"{self.teller.seat(each.by)} pays"
                whom = "you" if offer.to == view.seat else self.teller.seat(offer.to)
                text = f"{who} {whom} ${offer.price}M for {cards}"
            else:
                who = "you ask" if each.by == view.seat else f"{self.teller.seat(each.by)} asks"
                text = f"{who} ${offer.price}M for {cards}"
            lines += fold_text(f"{'' if lines else 'Offers':<{BOARD_LABEL_COLUMNS}}{text}", width, BOARD_LABEL_COLUMNS)
        agreed: list[str] = []
        for terms in view.agreements:
            cards = self.investors(terms.placards, terms.clans, ink) or "goodwill"
            whose = "you" if terms.partner == view.seat else self.teller.seat(terms.partner)
            text = f"{cards} of {whose} for ${terms.price}M"
            agreed += fold_text(
                f"{'' if agreed else 'Agreed':<{BOARD_LABEL_COLUMNS}}{text}", width, BOARD_LABEL_COLUMNS
            )
        return lines + agreed

    def investors(self, placards: Iterable[Family], clans: Iterable[Family], ink: Ink) -> str:
        """The cards of an offer, in words."""
        said = [self.family(family, ink) for family in placards]
        return ", ".join([*said, *(f"{self.family(family, ink)} (clan card)" for family in clans)])

    def ring(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """Every space with its needs."""
        closed = {deal.space: deal.number for deal in view.ledger}
        lines = []
        for number, space in enumerate(self.rules.spaces):
            mark = ">" if number == view.marker and not isinstance(view, MarkerView) else " "
            if number not in view.uncovered:
                text = f"covered by card {closed[number]}" if number in closed else "covered"
            else:
                text = f"{self.worth(view, number):>4}M  {_dividend_count(space)}: {self.needs_text(space, ink)}"
            lines += fold_text(f"{mark}{number:>2}  {text}", width, 9)
        return lines

    def ledger(self, view: BoardView, width: int, ink: Ink) -> list[str]:
        """The closed deals."""
        if not view.ledger:
            return ["No deal has been closed yet."]
        rows = [["card", "space", "Boss", "worth", "kept", "paid"]]
        for deal in view.ledger:
            paid = ", ".join(f"{self.teller.seat(seat)} ${amount}M" for seat, amount in enumerate(deal.paid) if amount)
            boss = self.teller.seat(deal.boss)
            rows.append([str(deal.number), str(deal.space), boss, f"${deal.proceeds}M", f"${deal.kept}M", paid or "–"])
        return [
            line
            for each in align_columns(rows, right=(0, 1, 3, 4))
            for line in fold_text(each, width, BOARD_LABEL_COLUMNS)
        ]


def seat_earnings(view: BoardView, seat: int) -> int:
    """What a seat has earned in the closed deals, in $M; this is public."""
    return sum(deal.amounts[seat] for deal in view.ledger)


def next_uncovered(view: BoardView, space: int, spaces: int) -> int:
    """The next uncovered space clockwise (B3.1)."""
    for step in range(1, spaces + 1):
        if (space + step) % spaces in view.uncovered:
            return (space + step) % spaces
    return space


def _dividend_count(space: Space) -> str:
    return "1 dividend" if space.dividends == 1 else f"{space.dividends} dividends"
