"""Follows offers, their answers and their outcomes through answers and events (B4.5, B4.8)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from arena.games.board.cards import FAMILY_ID, Family, mask_of
from arena.games.board.log.fold_cards import FoldedCards
from arena.games.board.log.fold_terms import FoldedTerms
from arena.games.board.log.ledger_rows import Answer, DealRow, OfferOutcome, OfferRow
from arena.games.board.moves import Agreement, Offer

NO_ASK_NUMBER = 1 << 62
"""A number greater than that of any ask."""


class OfferBook:
    """The offers of a match. ``open`` maps each seat's open offers to their indices in ``rows``; ``known`` does so for
    all offers made under this Boss. ``asked`` are the indices of this tick's new offers, about which the accept phase
    asks in the asks from number ``first`` on; ``yes`` and ``default`` are the asks that were answered so; ``agreed``
    are the indices of the offers that must become agreements now. ``out`` maps a seat to the ask after which its bot
    was out."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.rows: list[OfferRow] = []
        self.out: dict[int, int] = {}
        self.first = NO_ASK_NUMBER
        self.agreed: list[int] = []
        self.forget()

    def forget(self) -> None:
        """Drop all open and known offers: a negotiation begins or ends, or another seat becomes the Boss."""
        self.open: list[dict[Offer, int]] = [{} for _ in range(self.players)]
        self.known: dict[tuple[int, Offer], int] = {}
        self._asked_about([])

    def _asked_about(self, agreed: list[int]) -> None:
        if self.agreed:
            raise ValueError(f"accepted, but neither agreed nor impossible: {self.rows[self.agreed[0]]}")
        self.asked: list[int] = []
        self.yes: list[int] = []
        self.default: set[int] = set()
        self.agreed = agreed

    def set_out(self, seat: int, offers: tuple[Offer, ...], deal: DealRow, wanted: tuple[int, int]) -> None:
        """Replace the open offers of ``seat`` by ``offers``; ``wanted`` are the masks of the families that the space
        requires, and of those of its choice groups."""
        for offer, place in self.open[seat].items():
            if offer not in offers:
                self.end(place, OfferOutcome.WITHDRAWN)
        self.open[seat] = {}
        for offer in offers:
            place = self.known.get((seat, offer), -1)
            if place < 0:
                place = self._add(seat, offer, deal, wanted)
            if seat != deal.boss:
                self.open[seat][offer] = place
                self.end(place, OfferOutcome.REFUSED)

    def _add(self, seat: int, offer: Offer, deal: DealRow, wanted: tuple[int, int]) -> int:
        place = len(self.rows)
        cards = mask_of(offer.placards) | mask_of(offer.clans)
        made = OfferRow(
            offer=place + 1,
            deal=deal.deal,
            tick=deal.ticks,
            boss=deal.boss,
            by=seat,
            to=offer.to,
            placards=offer.placards,
            clans=offer.clans,
            required=(cards & wanted[0]).bit_count(),
            optional=(cards & wanted[1]).bit_count(),
            price=offer.price,
            dividends=offer.price / deal.dividend,
            share=offer.price / deal.proceeds,
            answer=Answer.NO,
            outcome=OfferOutcome.REFUSED,
        )
        self.rows.append(made)
        self.known[seat, offer] = place
        self.asked.append(place)
        return place

    def end(self, place: int, outcome: OfferOutcome) -> None:
        """Set the outcome of the offer with index ``place``, unless a yes has already decided it."""
        row = self.rows[place]
        settled = row.outcome is OfferOutcome.AGREED or row.answer is Answer.YES
        if not settled and row.outcome is not outcome:
            self.rows[place] = replace(row, outcome=outcome)

    def answer(self, ask: int, answer: Answer) -> None:
        """Record the answer to an ask of the accept phase; a no that was no fault may be left out."""
        if not 0 <= ask - self.first < len(self.asked):
            raise ValueError(f"ask {ask} is about none of the {len(self.asked)} new offers")
        if answer is Answer.YES:
            self.yes.append(ask)
        elif answer is Answer.DEFAULT:
            self.default.add(ask)

    def take_effect(self, boss: int, initiative: Sequence[int], free: FreeToPromise) -> None:
        """End the accept phase: the yeses take effect in order of initiative, each only if still possible (B4.5)."""
        if not self.asked:
            return
        asked = sorted(self.asked, key=lambda place: self.rows[place].to)
        for ask, place in enumerate(asked, self.first):
            if ask in self.default or ask > self.out.get(self.rows[place].to, NO_ASK_NUMBER):
                self.rows[place] = replace(self.rows[place], answer=Answer.DEFAULT)
        yes = [asked[ask - self.first] for ask in self.yes]
        yes.sort(key=lambda place: initiative.index(self.rows[place].to))
        agreed = []
        for place in yes:
            row = self.rows[place] = replace(self.rows[place], answer=Answer.YES, outcome=OfferOutcome.UNDERCUT)
            if free.take(row, boss):
                agreed.append(place)
        self._asked_about(agreed)

    def offer_for_agreement(self, made: Agreement, boss: int) -> OfferRow:
        """The offer that became the agreement ``made``: one that was accepted with a yes, or else an offer to the Boss
        that its closing uses. Raises ValueError if there is none."""
        parties = (made.partner, boss)
        terms = (made.price, made.placards, made.clans)
        for place in self.agreed:
            row = self.rows[place]
            if row.by in parties and row.to in parties and (row.price, row.placards, row.clans) == terms:
                self.agreed.remove(place)
                return self._agreed(place)
        place = self.open[made.partner].get(Offer(boss, *terms), -1)
        if place < 0:
            raise ValueError(f"nobody has offered what was agreed: {made}")
        return self._agreed(place)

    def _agreed(self, place: int) -> OfferRow:
        row = self.rows[place] = replace(self.rows[place], outcome=OfferOutcome.AGREED)
        self.open[row.by].pop(Offer(row.to, row.price, row.placards, row.clans), None)
        return row

    def close_other_offers(self, offers: Sequence[Sequence[Offer]], outcome: OfferOutcome) -> None:
        """Keep only these ``offers`` (by seat) open; all others get this outcome."""
        for seat, mine in enumerate(self.open):
            if len(mine) > len(offers[seat]):
                for offer in [offer for offer in mine if offer not in offers[seat]]:
                    self.end(mine.pop(offer), outcome)

    def end_all(self, outcome: OfferOutcome) -> None:
        """Give all open offers this outcome and drop them."""
        for mine in self.open:
            for place in mine.values():
                self.end(place, outcome)
        self.forget()


class FreeToPromise:
    """What can still be promised in an accept phase (B4.5): placards; clan cards by seat and family, both laid ones
    that are not promised and those in hand; and the part of the proceeds that side promises leave."""

    def __init__(self, cards: FoldedCards, terms: FoldedTerms, proceeds: int) -> None:
        self.cards, self.terms = cards, terms
        self.promised: set[Family] = {family for each in terms.agreements for family in each.placards}
        self.left = proceeds - sum(each.price for each in terms.agreements if not (each.placards or each.clans))
        self.clans: dict[tuple[int, Family], list[int]] = {}

    def _clan(self, seat: int, family: Family) -> list[int]:
        """How many of the seat's clan cards of a family are laid and unpromised, and how many are in hand."""
        if (seat, family) not in self.clans:
            kind, hand = FAMILY_ID[family], self.cards.hands[seat]
            promised = sum(family in each.clans for each in self.terms.agreements if each.partner == seat)
            self.clans[seat, family] = [self.cards.laid[seat][kind] - promised, hand[kind] if hand is not None else 0]
        return self.clans[seat, family]

    def take(self, row: OfferRow, boss: int) -> bool:
        """Promise what the offer names, if possible; return whether it was. A seat's own offered clan cards are
        laid."""
        if not row.placards and not row.clans:
            possible = row.price <= self.left
            self.left -= row.price if possible else 0
            return possible
        partner = row.to if row.by == boss else row.by
        counts = [self._clan(partner, family) for family in row.clans]
        if not self.promised.isdisjoint(row.placards) or not all(
            free + (hand if row.by == boss else 0) > 0 for free, hand in counts
        ):
            return False
        self.promised.update(row.placards)
        for count in counts:
            count[0 if count[0] > 0 else 1] -= 1
        return True
