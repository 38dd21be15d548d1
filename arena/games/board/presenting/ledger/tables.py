"""The tables of the board game's ledger, and how a match is added to them."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.board.presenting.ledger.deals import (
    BOSS,
    FAILED,
    KEPT_BY,
    PARTNER,
    add_boss,
    add_ends,
    add_kept,
    add_partners,
)
from arena.games.board.presenting.ledger.offers import OFFERS, add_offers
from arena.games.board.presenting.ledger.payments import PAYMENTS, add_payments
from arena.games.board.presenting.ledger.plays import CARDS, add_plays
from arena.games.board.presenting.ledger.prices import PRICES, add_prices
from arena.games.board.presenting.ledger.ticks import TICKS, add_ticks
from arena.ledger.game_tables import LedgerRows, LedgerTables, SumsOf


def _fold(at: SumsOf, names: Sequence[str], rows: LedgerRows) -> None:
    deals, offers, agreements = rows["deals"], rows["offers"], rows["agreements"]
    payments = rows["payments"]
    add_offers(at(OFFERS), names, offers)
    add_boss(at(BOSS), names, deals)
    add_partners(at(PARTNER), names, deals)
    add_kept(at(KEPT_BY), names, deals)
    add_prices(at(PRICES), names, deals, offers, agreements)
    add_ticks(at(TICKS), names, offers)
    add_payments(at(PAYMENTS), names, payments)
    add_plays(at(CARDS), names, deals, payments, rows["plays"])
    add_ends(at(FAILED), names, deals, offers, agreements)


LEDGER = LedgerTables(
    (OFFERS, BOSS, PARTNER, KEPT_BY, PRICES, TICKS, PAYMENTS, CARDS, FAILED),
    _fold,
    title="How bots bargain: the deal ledger",
    labels={("role", "boss"): "as Boss", ("role", "partner"): "as partner"},
)
