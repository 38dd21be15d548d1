"""The board game's table as a seat sees it, in a few lines for a model, and what does not change in a match.

All of it comes from the view and the rules: what the seat must not know cannot be in it. Families, prices and limits
are those of the edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from arena.games.board.cards import Card, Family
from arena.games.board.moves import Agreement, Offer
from arena.games.board.rules import Rules, fair_shares
from arena.games.board.strategy import wealth
from arena.games.board.views import BoardView, OpenOffer, Placard


class BoardBrief:
    """Describes views of one match, played under ``rules``; ``phrase`` gives the phrase of a key, its gaps filled."""

    def __init__(self, rules: Rules, phrase: Callable[..., str]) -> None:
        self.rules, self.phrase = rules, phrase

    def system_text(self, seat: int, players: int) -> str:
        """What a model is told once: its part, what counts, the game and its edition, and how to answer."""
        rules, lines = self.rules, []
        lines.append(self.phrase("system.role", seat=seat, players=players, last=players - 1, title=rules.title))
        families = self.families(sorted(rules.names))  # their order is another where rules come from a replay
        lines.append(self.phrase("system.game", families=families, quiet=rules.quiet_ticks, offers=rules.max_offers))
        edition = [f"prices_{rules.prices}"]
        edition += ["side_promises"] if rules.side_promises else []
        edition += ["fair_share"] if fair_shares(rules, players) else []
        edition += ["pay_all"] if rules.pay_all_agreements else []
        edition += ["active"] if rules.active_to_be_paid else []
        lines.append(" ".join(self.phrase(f"system.{key}") for key in edition))
        return "\n".join([*lines, self.phrase("system.words"), self.phrase("system.answer")])

    def table_text(self, view: BoardView) -> str:
        """The table: what the deal needs and pays, the seats, the own hand, offers and agreements."""
        lines = [self.phrase("view.head", turn=view.turn, on_turn=view.on_turn, deal=view.deal, dividend=view.dividend)]
        if faces := self.rules.end_rolls.get(view.deal):
            lines.append(self.phrase("view.ending", faces=", ".join(map(str, faces))))
        lines.append(
            self.phrase(
                "view.deal",
                space=view.marker,
                needs=self.needs(view),
                dividends=view.space.dividends,
                proceeds=view.proceeds,
            )
        )
        if view.boss is not None:
            key = "view.own_boss" if view.boss == view.seat else "view.boss"
            lines.append(self.phrase(key, boss=view.boss, tick=view.tick, quiet=view.quiet))
        lines += [self.seat_line(view, seat, money) for seat, money in enumerate(wealth(view))]
        lines.append(self.phrase("view.hand", cards=self.hand(view.hand)))
        lines += self.bargaining_lines(view)
        return "\n".join(lines)

    def bargaining_lines(self, view: BoardView) -> list[str]:
        """Open and refused offers, and agreements; nothing for what there is none of."""
        lines = []
        if view.offers:
            lines.append(self.phrase("view.offers", offers=self.offers(view, view.offers)))
        if view.agreements:
            said = "; ".join(map(self.agreement, view.agreements))
            lines.append(self.phrase("view.agreements", agreements=said))
        refused = [each for each in refused_offers(view) if each not in view.offers]
        if refused:
            lines.append(self.phrase("view.refused", offers=self.offers(view, refused)))
        return lines

    def seat_line(self, view: BoardView, seat: int, money: int) -> str:
        """What everybody knows of a seat; ``money`` is what it earned in closed deals, in $M."""
        return self.phrase(
            "view.own_seat" if seat == view.seat else "view.seat",
            seat=seat,
            money=money,
            cards=view.hand_sizes[seat],
            placards=", ".join(self.placard(each) for each in view.placards if each.owner == seat)
            or self.phrase("view.none"),
            laid=self.families(view.laid[seat]) or self.phrase("view.none"),
        )

    def placard(self, placard: Placard) -> str:
        """A placard by its family's name, and whether it travels."""
        name = self.rules.names[placard.family]
        return self.phrase("view.travelling", family=name) if placard.travelling else name

    def needs(self, view: BoardView) -> str:
        """What the space under the marker needs."""
        said = [self.rules.names[family] for family in view.space.required]
        for group in view.space.groups:
            families = "/".join(self.rules.names[family] for family in group.families)
            said.append(self.phrase("view.group", number=group.choose, families=families))
        return " + ".join(said)

    def families(self, families: Iterable[Family]) -> str:
        """The families' names in this edition."""
        return ", ".join(self.rules.names[family] for family in families)

    def hand(self, hand: Iterable[Card]) -> str:
        """The cards of a hand, each kind once with its number."""
        counts = Counter(hand)
        said = [f"{count} × {self.card(card)}" if count > 1 else self.card(card) for card, count in counts.items()]
        return ", ".join(said) or self.phrase("view.none")

    def card(self, card: Card) -> str:
        """An influence card in words."""
        if card.family is not None:
            kind = "clan" if card.startswith("clan") else "travel"
            return self.phrase(f"card.{kind}", family=self.rules.names[card.family])
        return self.phrase("card.wild" if card is Card.TRAVEL_WILD else f"card.{card}")

    def investors(self, placards: Iterable[Family], clans: Iterable[Family]) -> str:
        """The cards of an offer or agreement; without any it is about goodwill."""
        said = [self.rules.names[family] for family in placards]
        said += [self.phrase("card.clan", family=self.rules.names[family]) for family in clans]
        return ", ".join(said) or self.phrase("view.goodwill")

    def offers(self, view: BoardView, offers: Iterable[OpenOffer]) -> str:
        """Offers in words: the Boss pays, others ask."""
        return "; ".join(
            self.phrase(
                "view.bid" if each.by == view.boss else "view.demand",
                by=each.by,
                to=each.offer.to,
                price=each.offer.price,
                cards=self.investors(each.offer.placards, each.offer.clans),
            )
            for each in offers
        )

    def agreement(self, terms: Agreement) -> str:
        """An agreement in words."""
        cards = self.investors(terms.placards, terms.clans)
        return self.phrase("view.agreement", partner=terms.partner, price=terms.price, cards=cards)


def refused_offers(view: BoardView) -> list[OpenOffer]:
    """What was offered under this Boss and not agreed. At the asks of a tick's first phase all of it has been
    answered; the last ``view.asked`` of an ``accept`` have not."""
    answered = view.offered[: len(view.offered) - getattr(view, "asked", 0)]
    agreed = {(each.partner, each.price, each.placards, each.clans) for each in view.agreements}
    return [each for each in answered if _agreed_terms(view, each.by, each.offer) not in agreed]


def _agreed_terms(view: BoardView, by: int, offer: Offer) -> tuple[int, int, tuple[Family, ...], tuple[Family, ...]]:
    """An offer as the agreement that a yes would have made."""
    return (offer.to if by == view.boss else by), offer.price, offer.placards, offer.clans
