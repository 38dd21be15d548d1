"""Follows offers, agreements and named closings through the events of a negotiation (B4.5, B4.8)."""

from __future__ import annotations

from arena.games.board.cards import FAMILY_ID, Family
from arena.games.board.moves import Agreement, Offer
from arena.games.board.views import NamedClosing


class FoldedTerms:
    """The offers and agreements of one match. ``boss`` is None outside a negotiation; ``offers`` are the open ones by
    seat; ``offered`` are all offers made under this Boss; ``fresh`` says whether something new has happened in this
    tick (B4.9)."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.begin(None)

    def begin(self, boss: int | None) -> None:
        """Begin a negotiation under ``boss``, or end it (None)."""
        self.tick = self.quiet = 0
        self.fresh = False
        self.named: NamedClosing | None = None
        self.take_over(boss)

    def take_over(self, boss: int | None) -> None:
        """Make ``boss`` the Boss; all offers and agreements under the old Boss end (B4.8)."""
        self.boss = boss
        self.offers: list[list[Offer]] = [[] for _ in range(self.players)]
        self.offered: set[tuple[int, Offer]] = set()
        self.agreements: list[Agreement] = []

    def begin_tick(self, tick: int) -> None:
        """Begin a tick. The last one was quiet if nothing new happened; a closing still named did not go through."""
        self.quiet = 0 if self.fresh or tick == 1 else self.quiet + 1
        self.tick, self.fresh, self.named = tick, False, None
        self.lapse()

    def offer(self, seat: int, offers: tuple[Offer, ...]) -> None:
        """Replace the open offers of ``seat`` by ``offers``."""
        self.offers[seat] = list(offers)
        new = {(seat, offer) for offer in offers} - self.offered
        self.offered |= new
        self.fresh = self.fresh or bool(new)

    def lapse(self) -> None:
        """End the Boss's open offers: something happened that comes after the accept phase (B4.5)."""
        if self.boss is not None:
            self.offers[self.boss] = []

    def add_agreement(self, made: Agreement, laid: bytearray) -> None:
        """Record an agreement; end the offers with its terms, and those that name a card now promised (B4.5).

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

    def drop_agreement(self, agreement: Agreement) -> None:
        """Remove one standing agreement with these terms (B4.8). Raises ValueError if there is none."""
        if agreement not in self.agreements:
            raise ValueError(f"no such agreement stands: {agreement}")
        self.agreements.remove(agreement)

    def end_placard(self, family: Family) -> None:
        """End all offers that name the placard of ``family``: it is promised, travels or has changed hands."""
        self.offers = [[offer for offer in offers if family not in offer.placards] for offers in self.offers]

    def end_clans(self, seat: int, laid: bytearray) -> None:
        """End the offers of ``seat`` that name a clan card of a family of which no laid card is unpromised; ``laid``
        are its clan cards on the table, counts by family. The Boss's offers stay: they name the cards of others."""
        if seat == self.boss or not self.offers[seat]:
            return
        free = [*laid]
        for agreement in self.agreements:
            for family in agreement.clans if agreement.partner == seat else ():
                free[FAMILY_ID[family]] -= 1
        self.offers[seat] = [o for o in self.offers[seat] if all(free[FAMILY_ID[family]] > 0 for family in o.clans)]
