"""Follows deals, their agreements, and payments with what each was for, through events (B4, B7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from arena.games.board import events
from arena.games.board.cards import mask_of
from arena.games.board.log.ledger_rows import (
    AgreementOutcome,
    AgreementRow,
    DealRow,
    Ending,
    OfferRow,
    PaymentKind,
    PaymentRow,
)
from arena.games.board.moves import Agreement
from arena.games.board.rules import Rules
from arena.games.board.spaces import wanted_mask


class Due(NamedTuple):
    """A payment that a closing Boss owes: to whom, for what, and the index of its agreement (-1: there is none)."""

    payee: int
    kind: PaymentKind
    terms: Agreement
    place: int


class DealBook:
    """The deals of a match; the last row is the deal under negotiation, if there is one. ``standing`` are the indices
    of its agreements that still stand."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.rows: list[DealRow] = []
        self.agreements: list[AgreementRow] = []
        self.payments: list[PaymentRow] = []
        self.standing: list[int] = []
        self.named: events.Named | None = None

    def open(self, event: events.Opened, turn: int, number: int) -> DealRow:
        """Add a deal, opened under the top deal card ``number`` (B4.1)."""
        deal = DealRow(
            deal=len(self.rows) + 1,
            turn=turn,
            space=event.space,
            number=number,
            dividends=self.rules.spaces[event.space].dividends,
            dividend=self.rules.deals[number],
            proceeds=event.proceeds,
            opened_by=event.seat,
            boss=event.seat,
            new_bosses=0,
            ticks=0,
            outcome=Ending.QUIET,
            kept=0,
            paid=(0,) * self.players,
            shapley=(0,) * self.players,
        )
        self.rows.append(deal)
        self.standing, self.named = [], None
        return deal

    def set_closable(self) -> None:
        """Record that seats have the cards with which the deal can be closed."""
        self.rows[-1] = replace(self.rows[-1], closable=True)

    def tick(self, tick: int) -> None:
        """Record that a tick begins (B4.5)."""
        self.rows[-1] = replace(self.rows[-1], ticks=tick)

    def take_over(self, seat: int) -> None:
        """Record that ``seat`` becomes the Boss (B4.8)."""
        deal = self.rows[-1]
        self.rows[-1] = replace(deal, boss=seat, new_bosses=deal.new_bosses + 1)
        self._end_standing(AgreementOutcome.OUSTED)

    def add_agreement(self, made: Agreement, offer: OfferRow) -> None:
        """Add the agreement ``made`` from ``offer`` (B4.4)."""
        deal = self.rows[-1]
        self.standing.append(len(self.agreements))
        self.agreements.append(
            AgreementRow(
                agreement=len(self.agreements) + 1,
                deal=deal.deal,
                tick=deal.ticks,
                boss=deal.boss,
                partner=made.partner,
                placards=made.placards,
                clans=made.clans,
                price=made.price,
                dividends=offer.dividends,
                share=offer.share,
                offer=offer.offer,
                outcome=AgreementOutcome.UNUSED,
                paid=0,
            )
        )

    def drop_agreement(self, terms: Agreement) -> None:
        """Record that an agreement with these terms falls (B4.8). Raises ValueError if none stands."""
        place = self._standing(terms)
        if place < 0:
            raise ValueError(f"no such agreement stands: {terms}")
        self.standing.remove(place)
        self.agreements[place] = replace(self.agreements[place], outcome=AgreementOutcome.FELL)

    def _standing(self, terms: Agreement, but: set[int] | None = None) -> int:
        """The index of the first standing agreement with these terms that is not in ``but``; -1 if there is none."""
        for place in self.standing:
            each = self.agreements[place]
            same = (each.partner, each.price, each.placards, each.clans) == (
                terms.partner,
                terms.price,
                terms.placards,
                terms.clans,
            )
            if same and not (but and place in but):
                return place
        return -1

    def _end_standing(self, outcome: AgreementOutcome) -> None:
        for place in self.standing:
            self.agreements[place] = replace(self.agreements[place], outcome=outcome)
        self.standing = []

    def fail(self, ending: Ending, missed: bool) -> None:
        """Record that the negotiation failed (B4.9, B7.4), ``missed`` if bids covered asks."""
        self.rows[-1] = replace(self.rows[-1], outcome=ending, missed=missed)
        self._end_standing(AgreementOutcome.FAILED)

    def close(self, event: events.Closed, active: set[int], shapley: tuple[int, ...]) -> None:
        """Record that the deal closes as last named (B7.1); ``active`` are the seats that have played a card in it
        (B8), ``shapley`` their values in it. Raises ValueError if the payments do not follow from the rules."""
        payable = active if self.rules.active_to_be_paid else set(range(self.players))
        self._mark_usable(payable)
        paid = [0] * self.players
        self._pay(None, Due(event.boss, PaymentKind.PROCEEDS, Agreement(event.boss, event.proceeds), -1))
        for due in self._due(payable):
            self._pay(event.boss, due)
            paid[due.payee] += due.terms.price
        if tuple(paid) != event.paid:
            raise ValueError(f"paid are {event.paid}, and due {tuple(paid)}")
        self.rows[-1] = replace(self.rows[-1], outcome=Ending.CLOSED, kept=event.kept, paid=event.paid, shapley=shapley)
        self.standing = []

    def _mark_usable(self, payable: set[int]) -> None:
        """Mark the standing agreements that the closing could use."""
        wanted = wanted_mask(self.rules.spaces[self.rows[-1].space])
        for place in self.standing:
            made = self.agreements[place]
            mask = mask_of(made.placards) | mask_of(made.clans)
            if mask and not mask & ~wanted and made.partner in payable:
                self.agreements[place] = replace(made, usable=True)

    def _due(self, payable: set[int]) -> Iterator[Due]:
        """Every payment that the Boss owes to the ``payable`` seats; marks the agreements used by the closing."""
        used: set[int] = set()
        for terms in self.named.partners if self.named is not None else ():
            place = self._standing(terms, used) if terms.partner in payable else -1
            if place < 0:
                yield Due(terms.partner, PaymentKind.FAIR_SHARE, terms, -1)
                continue
            used.add(place)
            self.agreements[place] = replace(self.agreements[place], outcome=AgreementOutcome.USED)
            if not self.rules.pay_all_agreements:
                yield Due(terms.partner, PaymentKind.AGREEMENT, terms, place)
        for place in self.standing:
            made = self.agreements[place]
            side = not (made.placards or made.clans)
            if made.partner not in payable or not (side or self.rules.pay_all_agreements):
                continue
            if side:
                self.agreements[place] = replace(made, outcome=AgreementOutcome.USED)
            kind = PaymentKind.SIDE_PROMISE if side else PaymentKind.AGREEMENT
            yield Due(made.partner, kind, Agreement(made.partner, made.price, made.placards, made.clans), place)

    def _pay(self, payer: int | None, due: Due) -> None:
        if due.place >= 0:
            self.agreements[due.place] = replace(self.agreements[due.place], paid=due.terms.price)
        self.payments.append(
            PaymentRow(
                deal=len(self.rows),
                payer=payer,
                payee=due.payee,
                kind=due.kind,
                amount=due.terms.price,
                agreement=due.place + 1 if due.place >= 0 else None,
                placards=due.terms.placards,
                clans=due.terms.clans,
            )
        )
