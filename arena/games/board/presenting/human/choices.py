"""The numbered choices of each ask of the board game: only the most likely moves, few enough to read."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.board import moves
from arena.games.board.cards import CLAN_CARDS, Family
from arena.games.board.deal_money import kept_by_boss
from arena.games.board.presenting.human.names import CLAN_WORD, BoardNames
from arena.games.board.presenting.human.terms import placard_owner
from arena.games.board.presenting.human.typed_closings import cheapest_closings, closing_words
from arena.games.board.rules import Rules
from arena.games.board.sentences.tell_ask import AskTeller
from arena.games.board.views import (
    AcceptView,
    BoardView,
    CloseView,
    DiscardView,
    InterruptView,
    OfferView,
    TurnView,
)
from arena.games.contract import YES
from arena.human.question import NumberedChoice

MOST_BOARD_CHOICES = 12
"""The most choices that an ask lists."""


def choices_of(view: BoardView, rules: Rules, names: BoardNames, teller: AskTeller) -> tuple[NumberedChoice, ...]:
    """The choices of this ask."""
    made = _Choices(view, rules, names, teller)
    match view:
        case TurnView():
            return tuple(made.turn())[:MOST_BOARD_CHOICES]
        case OfferView():
            return tuple(made.demands() if view.boss == view.seat else made.sales())[:MOST_BOARD_CHOICES]
        case AcceptView():
            agree = (NumberedChoice("yes", "agree"),) if view.refusal(rules, YES) is None else ()
            return (*agree, NumberedChoice("no", "do not agree"))
        case InterruptView():
            return tuple(made.play_choices())[:MOST_BOARD_CHOICES]
        case CloseView():
            return tuple(made.closings())
        case DiscardView():
            return tuple(made.discards())[:MOST_BOARD_CHOICES]
        case _:
            return ()


class _Choices:
    def __init__(self, view: BoardView, rules: Rules, names: BoardNames, teller: AskTeller) -> None:
        self.view, self.rules, self.names, self.teller = view, rules, names, teller

    def turn(self) -> Iterator[NumberedChoice]:
        """Roll or draw; open without cards; open with one laid clan card of a family that the space wants."""
        legal = self.view.legal_moves(self.rules)
        if moves.ROLL in legal:
            yield NumberedChoice("roll", "roll the die and move the marker; then open a deal there, or draw cards")
        if moves.DRAW in legal:
            yield NumberedChoice("draw", "draw cards and end your turn")
        opening = [move for move in legal if isinstance(move, moves.Open)]
        if opening:
            yield NumberedChoice("open", "open this deal and become its Boss")
        for family in self.wanted_families():
            if moves.Open((family,)) in opening:
                yield NumberedChoice(
                    f"open {self.names.word(family)}", f"open it, laying {self.teller.investors((), [family])}"
                )

    def wanted_families(self) -> tuple[Family, ...]:
        """The families that may take part here and whose placard the seat cannot bring in itself."""
        return tuple(family for family in self.view.space.families if not self.is_own_placard(family))

    def is_own_placard(self, family: Family) -> bool:
        """Whether the seat owns this placard and it does not travel."""
        return self.placard_of(family) == self.view.seat

    def placard_of(self, family: Family) -> int | None:
        """The owner of this placard; None if it travels or lies aside."""
        travelling = {placard.family for placard in self.view.placards if placard.travelling}
        return None if family in travelling else placard_owner(self.view, family)

    def prices(self) -> list[int]:
        """The prices to suggest, in $M: one dividend and two, or a lower one if the deal pays less."""
        one = self.view.dividend
        return [one, 2 * one] if 2 * one <= self.view.proceeds else [min(one, self.view.proceeds)]

    def demands(self) -> Iterator[NumberedChoice]:
        """Offers that the Boss may want to make: for placards of other seats that the space needs."""
        promised = {family for terms in self.view.agreements for family in terms.placards}
        for family in self.wanted_families():
            seat = self.placard_of(family)
            if seat is None or family in promised:
                continue
            for price in self.prices():
                offer = moves.Offer(seat, price, (family,))
                yield from self.offer_choices(f"ask {self.names.word(family)} from {seat} for {price}", offer)

    def sales(self) -> Iterator[NumberedChoice]:
        """Offers that another seat may want to make: its placards, and clan cards of families that the space needs."""
        clans = {*self.view.hand} | {CLAN_CARDS[family] for family in self.view.laid[self.view.seat]}
        assert self.view.boss is not None
        for family in self.view.space.families:
            for price in self.prices():
                word = self.names.word(family)
                if self.is_own_placard(family):
                    yield from self.offer_choices(
                        f"offer {word} {price}", moves.Offer(self.view.boss, price, (family,))
                    )
                elif CLAN_CARDS[family] in clans and self.placard_of(family) != self.view.boss:
                    offer = moves.Offer(self.view.boss, price, (), (family,))
                    yield from self.offer_choices(f"offer {word} {CLAN_WORD} {price}", offer)

    def offer_choices(self, typed: str, offer: moves.Offer) -> Iterator[NumberedChoice]:
        """A choice for the offer, unless it is illegal or already open."""
        stands = any(each.by == self.view.seat and each.offer == offer for each in self.view.offers)
        if not stands and self.view.refusal(self.rules, moves.Offers((offer,))) is None:
            if offer.to == self.view.boss:
                told = f"sell {self.teller.investors(offer.placards, offer.clans)} for ${offer.price}M"
            else:
                cards = self.teller.investors(offer.placards, offer.clans)
                told = f"buy {cards} of {self.teller.seat(offer.to)} for ${offer.price}M"
            yield NumberedChoice(typed, told)

    def play_choices(self) -> Iterator[NumberedChoice]:
        """A STOP, a boss card, placards to recruit, needed cards to send travelling, single clan cards to lay."""
        legal = self.view.legal_moves(self.rules)
        useful = set(self.view.space.families)
        ranked = sorted(legal, key=lambda move: (_play_order(move), legal.index(move)))
        for move in ranked:
            match move:
                case moves.TakeOver():
                    yield NumberedChoice("boss", "play a boss card: you become the Boss of this deal")
                case moves.Stop():
                    yield NumberedChoice("stop", "spend a STOP card to cancel the play")
                case moves.Recruit(family):
                    yield NumberedChoice(f"recruit {self.names.word(family)}", self.teller.play(move))
                case moves.Travel(family, clan_of, wild) if family in useful and not self.takes_own_card(move):
                    where = "" if clan_of is None else f"@{clan_of}"
                    typed = f"travel {self.names.word(family)}{where}{' wild' if wild else ''}"
                    yield NumberedChoice(typed, self.teller.play(move))
                case moves.Lay(clans) if len(clans) == 1 and clans[0] in useful and self.view.closing is None:
                    yield NumberedChoice(f"lay {self.names.word(clans[0])}", self.teller.play(move))

    def takes_own_card(self, move: moves.Travel) -> bool:
        """Whether this play would send one of the seat's own cards travelling."""
        return move.clan_of == self.view.seat or (move.clan_of is None and self.is_own_placard(move.family))

    def closings(self) -> Iterator[NumberedChoice]:
        """The cheapest closings; giving up where that is allowed."""
        for cost, close in cheapest_closings(self.view, self.rules):
            kept = f"you keep ${kept_by_boss(self.view.proceeds, cost)}M of ${self.view.proceeds}M"
            yield NumberedChoice(closing_words(close, self.view, self.names), kept)
        if self.view.refusal(self.rules, moves.GIVE_UP) is None:
            yield NumberedChoice("give up", "end the negotiation; nobody gets money")

    def discards(self) -> Iterator[NumberedChoice]:
        """Every single card if one must go, else the lowest cards of the hand; recruiting a placard instead."""
        assert isinstance(self.view, DiscardView)
        legal = self.view.legal_moves(self.rules)
        if self.view.excess == 1:
            found = [move for move in legal if isinstance(move, moves.Discard)]
        else:
            found = [moves.Discard(self.view.hand[: self.view.excess])]
        for move in found:
            words = ", ".join(map(self.names.card, move.cards))
            yield NumberedChoice(f"discard {words}", f"discard {self.teller.cards(move.cards)}")
        for other in legal:
            if isinstance(other, moves.Recruit):
                yield NumberedChoice(f"recruit {self.names.word(other.placard)}", self.teller.play(other))


def _play_order(move: object) -> int:
    """A sort key: the order in which kinds of plays are listed."""
    kinds = (moves.Stop, moves.TakeOver, moves.Recruit, moves.Travel, moves.Lay)
    return kinds.index(type(move)) if type(move) in kinds else len(kinds)
