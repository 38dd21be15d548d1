"""What is offered, agreed and named in a negotiation, followed from its events (B4.5, B4.8)."""

from __future__ import annotations

from arena.games.board.cards import FAMILY_ID, Family
from arena.games.board.moves import Agreement, Offer
from arena.games.board.views import NamedClosing


class FoldedTerms:
    """The terms on one table. ``boss`` is None outside a negotiation, ``offers`` are by seat, ``offered`` all that were
    made under this Boss; ``fresh`` says that something new happened in this tick (B4.9)."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.begin(None)

    def begin(self, boss: int | None) -> None:
        """A negotiation begins under ``boss``; None: it is over."""
        self.tick = self.quiet = 0
        self.fresh = False
        self.named: NamedClosing | None = None
        self.take_over(boss)

    def take_over(self, boss: int | None) -> None:
        """All offers and agreements fall with the old Boss (B4.8)."""
        self.boss = boss
        self.offers: list[list[Offer]] = [[] for _ in range(self.players)]
        self.offered: set[tuple[int, Offer]] = set()
        self.agreements: list[Agreement] = []

    def begin_tick(self, tick: int) -> None:
        """A tick with nothing new is quiet; a closing that is still named has not gone through."""
        self.quiet = 0 if self.fresh or tick == 1 else self.quiet + 1
        self.tick, self.fresh, self.named = tick, False, None
        self.lapse()

    def offer(self, seat: int, offers: tuple[Offer, ...]) -> None:
        """The open offers of ``seat`` are these now."""
        self.offers[seat] = list(offers)
        new = {(seat, offer) for offer in offers} - self.offered
        self.offered |= new
        self.fresh = self.fresh or bool(new)

    def lapse(self) -> None:
        """The Boss's offers are over: something happened that comes after the accept phase (B4.5)."""
        if self.boss is not None:
            self.offers[self.boss] = []

    def agree(self, made: Agreement, laid: bytearray) -> None:
        """The terms agreed are no longer on offer, nor are cards that are promised now (B4.5).

        ``laid`` are the partner's clan cards on the table, counts by family.
        """
        if self.boss is None:
            raise ValueError("an agreement outside a negotiation")
        self.fresh = True
        terms, parties = (made.price, made.placards, made.clans), (made.partner, self.boss)
        for seat in parties:
            self.offers[seat] = [
                offer
                for offer in self.offers[seat]
                if (offer.price, offer.placards, offer.clans) != terms or offer.to not in parties
            ]
        for family in made.placards:
            self.end_placard(family)
        self.agreements.append(made)
        if made.clans:
            self.end_clans(made.partner, laid)

    def fall(self, agreement: Agreement) -> None:
        """One agreement of these terms stands no longer (B4.8)."""
        if agreement not in self.agreements:
            raise ValueError(f"no such agreement stands: {agreement}")
        self.agreements.remove(agreement)

    def end_placard(self, family: Family) -> None:
        """The placard of ``family`` is promised, travels or has changed hands: offers that name it end."""
        self.offers = [[offer for offer in offers if family not in offer.placards] for offers in self.offers]

    def end_clans(self, seat: int, laid: bytearray) -> None:
        """Offers of ``seat`` end that name a clan card of which none of its ``laid`` ones is free. The Boss's name the
        cards of others, and stay."""
        if seat == self.boss or not self.offers[seat]:
            return
        free = [*laid]
        for agreement in self.agreements:
            for family in agreement.clans if agreement.partner == seat else ():
                free[FAMILY_ID[family]] -= 1
        self.offers[seat] = [o for o in self.offers[seat] if all(free[FAMILY_ID[family]] > 0 for family in o.clans)]
