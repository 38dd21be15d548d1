"""Notable moments of a board game match: gifts, deals taken with boss cards, refusals of offers that were better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arena.games.board import events
from arena.games.board.log.gifts import CHEAPER_GIFT, PLAY_GIFT
from arena.games.board.log.ledger_rows import (
    AgreementOutcome,
    AgreementRow,
    Answer,
    DealRow,
    Ending,
    OfferRow,
    PaymentKind,
    PlayKind,
    PlayRow,
)
from arena.games.board.moves import Lay
from arena.games.contract import Event, Game
from arena.games.giving import Gift
from arena.replay.ledger_events import Tables
from arena.web.viewer.moment import FoundKind, FoundMoment, MomentTeller, gift_worth, usual_parts

THEFT_KIND = "theft"
"""The kind of a moment in which a deal is taken with a boss card."""


class PlayLine(NamedTuple):
    """The number of the ``line`` with a play, and the ``boss`` at that time; outside negotiations, the last one's."""

    line: int
    boss: int


class Lines:
    """The line numbers of table rows: ``ends`` for deals, in their order; ``plays`` for plays other than laid cards, in
    their order; ``offers`` by deal (from 1), tick and seat."""

    def __init__(self, numbered: Sequence[tuple[int, Event]]) -> None:
        self.ends: list[int] = []
        self.plays: list[PlayLine] = []
        self.offers: dict[tuple[int, int, int], int] = {}
        deal = tick = boss = 0
        for number, line in numbered:
            match line:
                case events.Opened(boss):
                    deal += 1
                case events.NewBoss(boss):
                    pass
                case events.TickBegan(tick):
                    pass
                case events.Offered(seat, _):
                    self.offers[deal, tick, seat] = number
                case events.Played(_, play) if not isinstance(play, Lay):
                    self.plays.append(PlayLine(number, boss))
                case events.Closed() | events.Failed():
                    self.ends.append(number)


def board_moments(
    tables: Tables, game: Game, numbered: Sequence[tuple[int, Event]], teller: MomentTeller
) -> Iterator[FoundMoment]:
    """All moments of a match, in no particular order."""
    lines = Lines(numbered)
    plays = [play for play in tables["plays"] if play.kind is not PlayKind.LAY]  # type: ignore[attr-defined]
    yield from _gift_moments(tables, game, lines, teller)
    yield from _theft_moments(plays, lines, teller)
    yield from _refusal_moments(tables, lines, teller)


def _gift_moments(
    tables: Mapping[str, Sequence[Any]], game: Game, lines: Lines, teller: MomentTeller
) -> Iterator[FoundMoment]:
    """Sales below the usual price of similar ones in this match, and STOPs that save another seat. ``game.giving`` is
    applied to one row at a time, so that each gift has the line of its row."""
    assert game.giving is not None
    usual = usual_parts(game.giving.find(tables, len(teller.names)).usual)
    for payment in tables["payments"]:
        if payment.kind is PaymentKind.AGREEMENT:
            for gift in _find_gifts(game, tables, [payment], [], teller):
                worth = gift_worth(gift, usual)
                if gift.kind == CHEAPER_GIFT.name and worth > 0:
                    price, usually = teller.money(payment.amount), teller.money(worth + payment.amount)
                    text = f"{teller.seat(gift.giver)} sells {teller.seat(gift.receiver)} for {price}"
                    text = f"{text} what usually cost {usually} in this match"
                    yield FoundMoment(
                        FoundKind.GIFT, lines.ends[payment.deal - 1], text, worth, (gift.giver, gift.receiver)
                    )
    for number, gift in _stop_gifts(game, tables, lines, teller):
        worth = gift_worth(gift, usual)
        if gift.kind == PLAY_GIFT.name and worth > 0:
            text = f"{teller.seat(gift.giver)} spends a STOP that saves {teller.seat(gift.receiver)} about"
            text = f"{text} {teller.money(worth)}"
            yield FoundMoment(FoundKind.GIFT, number, text, worth, (gift.giver, gift.receiver))


def _stop_gifts(
    game: Game, tables: Mapping[str, Sequence[Any]], lines: Lines, teller: MomentTeller
) -> Iterator[tuple[int, Gift]]:
    """The gifts of STOPs, each with the line of the play it stopped. They are the difference between the gifts of a
    deal's plays up to that play and those of the plays before it."""
    place = -1
    before: list[PlayRow] = []
    for play in tables["plays"]:
        place += play.kind is not PlayKind.LAY
        before = [*(each for each in before if each.deal == play.deal), play]
        if play.stopped_by is not None:
            known = _find_gifts(game, tables, [], before[:-1], teller)
            for gift in _find_gifts(game, tables, [], before, teller)[len(known) :]:
                yield lines.plays[place].line, gift


def _find_gifts(
    game: Game, tables: Mapping[str, Sequence[Any]], payments: Sequence[Any], plays: Sequence[Any], teller: MomentTeller
) -> tuple[Gift, ...]:
    """The gifts of a match with only these payments and plays."""
    assert game.giving is not None
    return game.giving.find({**tables, "payments": payments, "plays": plays}, len(teller.names)).gifts


def _theft_moments(plays: Sequence[Any], lines: Lines, teller: MomentTeller) -> Iterator[FoundMoment]:
    """Boss cards by which their player closed the deal."""
    for play, (number, boss) in zip(plays, lines.plays, strict=True):
        if play.kind is PlayKind.BOSS and play.gained:
            text = f"{teller.seat(play.seat)} takes the deal of {teller.seat(boss)} with a boss card"
            text = f"{text} and keeps {teller.money(play.gained)} of it"
            yield FoundMoment(THEFT_KIND, number, text, play.gained, (play.seat, boss))


def _refusal_moments(tables: Mapping[str, Sequence[Any]], lines: Lines, teller: MomentTeller) -> Iterator[FoundMoment]:
    """Refused offers after which the addressee did worse; for each pair of seats in a deal only the worst."""
    best: dict[tuple[int, int, int], FoundMoment] = {}
    agreements: Sequence[AgreementRow] = tables["agreements"]
    for offer in tables["offers"]:
        if offer.answer is not Answer.NO or not (offer.placards or offer.clans):
            continue
        deal: DealRow = tables["deals"][offer.deal - 1]
        found = _paid_more(offer, agreements, lines, teller) if offer.to == offer.boss else None
        if offer.by == offer.boss:
            found = _got_less(offer, deal, lines, teller)
        key = (offer.deal, offer.by, offer.to)
        if found is not None and (key not in best or best[key].figure < found.figure):
            best[key] = found
    yield from best.values()


def _paid_more(
    offer: OfferRow, agreements: Sequence[AgreementRow], lines: Lines, teller: MomentTeller
) -> FoundMoment | None:
    """The moment in which the Boss refused cards, if it paid more for cards of the same families in the same deal."""
    wanted = sorted((*offer.placards, *offer.clans))
    paid = [
        each
        for each in agreements
        if each.deal == offer.deal
        and each.boss == offer.boss
        and each.outcome is AgreementOutcome.USED
        and sorted((*each.placards, *each.clans)) == wanted
        and each.paid > offer.price
    ]
    if not paid:
        return None
    dearest = max(paid, key=lambda each: each.paid)
    text = (
        f"{teller.seat(offer.to)} refuses {teller.money(offer.price)} asked by {teller.seat(offer.by)}, "
        f"and pays {teller.seat(dearest.partner)} {teller.money(dearest.paid)} for the same"
    )
    seats = (offer.to, offer.by, dearest.partner)
    return FoundMoment(
        FoundKind.REFUSED, _offer_line(offer, lines), text, dearest.paid - offer.price, seats, [offer.to]
    )


def _got_less(offer: OfferRow, deal: DealRow, lines: Lines, teller: MomentTeller) -> FoundMoment | None:
    """The moment in which a seat refused the Boss's price, if the deal brought it less."""
    closed = deal.outcome is Ending.CLOSED
    got = deal.amounts[offer.to] if closed else 0
    if got >= offer.price:
        return None
    end = f"gets {teller.money(got)}" if got else "gets nothing" if closed else "the negotiation fails"
    text = f"{teller.seat(offer.to)} refuses {teller.money(offer.price)} of {teller.seat(offer.by)}, and {end}"
    return FoundMoment(
        FoundKind.REFUSED, _offer_line(offer, lines), text, offer.price - got, (offer.to, offer.by), [offer.to]
    )


def _offer_line(offer: OfferRow, lines: Lines) -> int:
    return lines.offers[offer.deal, offer.tick, offer.by]
