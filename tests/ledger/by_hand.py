"""Rows of a match of the board game, with what a test does not say filled in, and figures of what they add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.board.cards import Card, Family
from arena.games.board.log.ledger_rows import (
    AgreementOutcome,
    AgreementRow,
    Answer,
    DealRow,
    Ending,
    OfferOutcome,
    OfferRow,
    PaymentKind,
    PaymentRow,
    PlayKind,
    PlayRow,
)
from arena.ledger.accumulator import LedgerSums
from arena.ledger.figure_rows import LedgerRow
from arena.ledger.ledger_fold import GameLedger
from arena.penalties import SeatEnd
from arena.tournament.records.match_record import MatchRecord, SeatRecord

Rows = Mapping[str, Sequence[Any]]


def match(
    *names: str, money: Sequence[int] = (), block: int = 0, edition: str = "e", game: str = "board"
) -> MatchRecord:
    """The record of a match between these."""
    seats = tuple(
        SeatRecord(entrant=name, money=own, rank=1, ended=SeatEnd.PLAYED)
        for name, own in zip(names, money or [0] * len(names), strict=True)
    )
    return MatchRecord("m", game, edition, block, "", "end", 0, seats)


def deal(deal: int, boss: int, paid: Sequence[int] | None = None, **more: Any) -> DealRow:
    """A deal of 5 dividends of $4M each, closed if somebody is ``paid``."""
    kept = 20 - sum(paid) if paid is not None else 0
    plain: dict[str, Any] = {
        "turn": deal,
        "space": 0,
        "number": 1,
        "dividends": 5,
        "dividend": 4,
        "proceeds": 20,
        "opened_by": boss,
        "new_bosses": 0,
        "ticks": 1,
        "outcome": Ending.QUIET if paid is None else Ending.CLOSED,
        "kept": kept,
        "paid": tuple(paid or (0, 0, 0)),
        "closable": paid is not None,
        "shapley": (0, 0, 0),
    }
    return DealRow(deal=deal, boss=boss, **{**plain, **more})


def offer(offer: int, deal: int, boss: int, by: int, to: int, price: int, **more: Any) -> OfferRow:
    """An offer for the red placard, which is required."""
    plain: dict[str, Any] = {
        "tick": 1,
        "placards": (Family.RED,),
        "clans": (),
        "required": 1,
        "optional": 0,
        "dividends": price / 4,
        "share": price / 20,
        "answer": Answer.NO,
        "outcome": OfferOutcome.REFUSED,
    }
    return OfferRow(offer=offer, deal=deal, boss=boss, by=by, to=to, price=price, **{**plain, **more})


def agreed(offer: OfferRow, outcome: AgreementOutcome = AgreementOutcome.USED, usable: bool = False) -> AgreementRow:
    """The agreement, the only one, that an offer became."""
    return AgreementRow(
        agreement=1,
        deal=offer.deal,
        tick=offer.tick,
        boss=offer.boss,
        partner=offer.by if offer.by != offer.boss else offer.to,
        placards=offer.placards,
        clans=offer.clans,
        price=offer.price,
        dividends=offer.dividends,
        share=offer.share,
        offer=offer.offer,
        outcome=outcome,
        paid=offer.price if outcome is AgreementOutcome.USED else 0,
        usable=usable,
    )


def payment(deal: int, payer: int | None, payee: int, amount: int, *placards: Family, **more: Any) -> PaymentRow:
    """A payment, by agreement if not said otherwise."""
    plain: dict[str, Any] = {
        "kind": PaymentKind.AGREEMENT if payer is not None else PaymentKind.PROCEEDS,
        "agreement": None,
        "clans": (),
    }
    return PaymentRow(deal=deal, payer=payer, payee=payee, amount=amount, placards=placards, **{**plain, **more})


def play(deal: int | None, seat: int, kind: PlayKind, *cards: Card, **more: Any) -> PlayRow:
    """A play in the first tick."""
    return PlayRow(deal=deal, turn=deal or 1, tick=1, seat=seat, kind=kind, cards=cards, **more)


def tables(**rows: Sequence[Any]) -> Rows:
    """All tables of a match, empty where not given."""
    return {name: rows.get(name, ()) for name in ("deals", "offers", "agreements", "payments", "plays")}


def ledger(*matches: tuple[MatchRecord, Rows], by_block: bool = False) -> GameLedger:
    """The ledger of these matches."""
    sums = LedgerSums(by_block)
    for record, rows in matches:
        sums.add(record, rows)
    ((game, book),) = sums.books.items()
    return GameLedger(game, "$M", book, by_block=by_block)


def rows(found: GameLedger, table: str, *keys: str | int, **how: Any) -> dict[str, LedgerRow]:
    """The rows of one key, by figure."""
    return {row.figure.name: row for row in found.rows(table, **how) if row.keys == keys}


def means(found: GameLedger, table: str, *keys: str | int, **how: Any) -> dict[str, float | None]:
    """Their means."""
    return {name: row.estimate.mean for name, row in rows(found, table, *keys, **how).items()}
