"""What seats of the board game gave each other: money paid as Boss, prices below the usual, plays of influence cards.

A price, as a part of the proceeds, is compared with the usual one of similar sales: those of as many required and
optional cards for a space with as many dividends. A take-over is worth what a Boss usually keeps of a deal on such a
space; a placard that travels or is recruited is worth what one card of a partner usually costs there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.games.board.log.ledger_rows import (
    AgreementRow,
    DealRow,
    OfferRow,
    PaymentKind,
    PaymentRow,
    PlayKind,
    PlayRow,
)
from arena.games.giving import Gift, GiftKind, Giving, MatchGifts, UsualAct

PAID_GIFT = GiftKind("paid", "all money that it paid the other from its deals as Boss")
CHEAPER_GIFT = GiftKind(
    "cheaper", "the usual price of its cards in similar deals, less the price that it took from the other"
)
PLAY_GIFT = GiftKind(
    "plays",
    "the money that its STOPs saved the other, less the money that its boss, travel and recruitment cards and STOPs "
    "cost the other",
)


def find_gifts(tables: Mapping[str, Sequence[Any]], players: int) -> MatchGifts:
    """The gifts of a match, from its tables."""
    deals: Sequence[DealRow] = tables["deals"]
    offers: Sequence[OfferRow] = tables["offers"]
    agreements: Sequence[AgreementRow] = tables["agreements"]
    usual = [UsualAct(("kept", deal.dividends), deal.kept, deal.proceeds) for deal in deals]
    gifts: list[Gift] = []
    for payment in tables["payments"]:
        if payment.payer is None:
            continue
        gifts.append(Gift(payment.payer, payment.payee, PAID_GIFT.name, payment.amount))
        if payment.kind is PaymentKind.AGREEMENT:
            deal = deals[payment.deal - 1]
            offer = offers[agreements[payment.agreement - 1].offer - 1]
            usual += _sale_acts(payment, deal, offer)
            like = ("price", deal.dividends, offer.required, offer.optional)
            gifts.append(Gift(payment.payee, payment.payer, CHEAPER_GIFT.name, -payment.amount, deal.proceeds, like))
    gifts += _play_gifts(deals, tables["plays"])
    return MatchGifts(tuple(gifts), tuple(usual))


def _sale_acts(payment: PaymentRow, deal: DealRow, offer: OfferRow) -> Iterator[UsualAct]:
    """The acts that a sale contributes to usual prices: one for sales like this, one for the price of a single card."""
    cards = len(payment.placards) + len(payment.clans)
    yield UsualAct(("price", deal.dividends, offer.required, offer.optional), payment.amount, deal.proceeds)
    yield UsualAct(("card", deal.dividends), payment.amount, deal.proceeds * cards)


def _play_gifts(deals: Sequence[DealRow], plays: Sequence[PlayRow]) -> Iterator[Gift]:
    """The gifts in plays; a play against a seat's own card, or against a placard aside, is none."""
    boss, number = -1, 0
    for play in plays:
        if play.deal is None:
            continue
        deal = deals[play.deal - 1]
        if play.deal != number:
            boss, number = deal.opened_by, play.deal
        victim = boss if play.kind is PlayKind.BOSS else play.of
        if play.kind is PlayKind.LAY:
            continue
        if play.stopped_by is not None:
            yield from _stop_gifts(play, play.stopped_by, victim, deal)
        else:
            yield from _worth_gift(play.seat, victim, play.kind, deal, -1)
        if play.gained is not None:
            boss = play.seat


def _worth_gift(giver: int, receiver: int | None, kind: PlayKind, deal: DealRow, sign: int) -> Iterator[Gift]:
    """What a play is worth to ``receiver``, the seat it is against; ``sign``: 1 if ``giver`` helps it, else -1."""
    if receiver is not None and receiver != giver:
        like = ("kept" if kind is PlayKind.BOSS else "card", deal.dividends)
        yield Gift(giver, receiver, PLAY_GIFT.name, 0, sign * deal.proceeds, like)


def _stop_gifts(play: PlayRow, stopper: int, victim: int | None, deal: DealRow) -> Iterator[Gift]:
    """The gifts of a STOP: it helps the seat that the play was against and harms the seat that made the play. A seat
    that defends itself gives nothing."""
    if stopper == victim:
        return
    yield from _worth_gift(stopper, victim, play.kind, deal, 1)
    yield from _worth_gift(stopper, play.seat, play.kind, deal, -1)


GIVING = Giving((PAID_GIFT, CHEAPER_GIFT, PLAY_GIFT), find_gifts)
