"""The tables of the board game's ledger, and the functions that add a match to them."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.board.presenting.ledger.bargaining_measures import BARGAINING_TABLE, add_bargaining
from arena.games.board.presenting.ledger.concession_measures import add_exponents, add_reciprocity
from arena.games.board.presenting.ledger.deals import (
    BOSS_TABLE,
    FAILED_TABLE,
    KEPT_BY,
    PARTNER_TABLE,
    add_boss,
    add_ends,
    add_kept,
    add_partners,
)
from arena.games.board.presenting.ledger.offers import OFFERS_TABLE, add_offers
from arena.games.board.presenting.ledger.payments import PAYMENTS_TABLE, add_payments
from arena.games.board.presenting.ledger.plays import INFLUENCE_TABLE, add_plays
from arena.games.board.presenting.ledger.prices import PRICES_TABLE, add_prices
from arena.games.board.presenting.ledger.ticks import TICKS_TABLE, add_ticks, best_prices
from arena.ledger.game_tables import FailureReasons, LedgerRows, LedgerTables, PriceFigures, SumsOf


def _fold_match(at: SumsOf, names: Sequence[str], rows: LedgerRows) -> None:
    deals, offers, agreements = rows["deals"], rows["offers"], rows["agreements"]
    payments, prices = rows["payments"], best_prices(offers)
    add_offers(at(OFFERS_TABLE), names, offers)
    add_boss(at(BOSS_TABLE), names, deals)
    add_partners(at(PARTNER_TABLE), names, deals)
    add_kept(at(KEPT_BY), names, deals)
    add_prices(at(PRICES_TABLE), names, deals, offers, agreements)
    add_ticks(at(TICKS_TABLE), names, offers, prices)
    add_payments(at(PAYMENTS_TABLE), names, payments)
    add_plays(at(INFLUENCE_TABLE), names, deals, payments, rows["plays"])
    add_ends(at(FAILED_TABLE), names, deals, offers, agreements)
    measures = at(BARGAINING_TABLE)
    add_bargaining(measures, names, deals, agreements)
    add_exponents(measures, names, prices)
    add_reciprocity(measures, names, prices)


BOARD_LEDGER = LedgerTables(
    (
        OFFERS_TABLE,
        BOSS_TABLE,
        PARTNER_TABLE,
        KEPT_BY,
        PRICES_TABLE,
        TICKS_TABLE,
        PAYMENTS_TABLE,
        INFLUENCE_TABLE,
        FAILED_TABLE,
        BARGAINING_TABLE,
    ),
    _fold_match,
    title="How bots bargain: the deal ledger",
    labels={("role", "boss"): "as Boss", ("role", "partner"): "as partner"},
    failures=FailureReasons(
        FAILED_TABLE,
        "closed",
        {
            "no_offer": "nobody offered anything to anybody",
            "no_agreement": "there were offers, but no agreement",
            "fell": "agreements fell, because a card travelled or changed hands or the Boss changed",
            "too_little": "what was agreed did not bring what the space requires, or was not used",
        },
    ),
    prices=PriceFigures(PRICES_TABLE, "role", ("asked", "asked_share", "got", "got_share")),
)
