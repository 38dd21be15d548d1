"""The ledger of one game: which tables it has, and the fold of a match into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

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
from arena.games.cards.presenting.ledger import bargains, played, rounds
from arena.ledger.figure import FigureTable
from arena.ledger.other_games import COLUMNS, add_columns
from arena.ledger.sums import SumsScope, TableSums

Rows = Mapping[str, Sequence[Any]]
At = Callable[[FigureTable], Any]
"""Where a table's sums of a match are."""

BOARD = (OFFERS, BOSS, PARTNER, KEPT_BY, PRICES, TICKS, PAYMENTS, CARDS, FAILED)
"""The tables of the board game, in the order in which they are shown."""
CARD_GAME = (
    rounds.ROUNDS_TABLE,
    rounds.BOSS,
    bargains.BARGAINS,
    bargains.TURNS,
    bargains.TOKENS,
    played.CARDS,
    rounds.ACTIONS,
)
"""Those of the card game."""


class SeatSums(msgspec.Struct, gc=False):
    """Matches, each seat of an entrant counted, and the money at their end."""

    seats: int = 0
    money: int = 0


class MatchSums(msgspec.Struct, gc=False):
    """Matches."""

    matches: int = 0


def _board(at: At, names: Sequence[str], rows: Rows) -> None:
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


def _cards(at: At, names: Sequence[str], rows: Rows) -> None:
    settled, offered, done = rows["rounds"], rows["bargains"], rows["actions"]
    rounds.add_rounds(at(rounds.ROUNDS_TABLE), names, rows["shares"])
    rounds.add_bosses(at(rounds.BOSS), names, settled)
    bargains.add_bargains(at(bargains.BARGAINS), names, offered)
    bargains.add_turns(at(bargains.TURNS), names, offered)
    bargains.add_tokens(at(bargains.TOKENS), names, settled, offered)
    played.add_cards(at(played.CARDS), names, settled, done)
    rounds.add_actions(at(rounds.ACTIONS), names, done)


def _other(at: At, names: Sequence[str], rows: Rows) -> None:
    add_columns(at(COLUMNS), names, rows)


FOLDS: Mapping[str, Callable[[At, Sequence[str], Rows], None]] = {"board": _board, "cards": _cards}
"""What adds up the rows of a match, by game."""
TABLES: Mapping[str, tuple[FigureTable, ...]] = {"board": BOARD, "cards": CARD_GAME}
"""The tables of the ledger, by game."""


def tables_of(game: str) -> tuple[FigureTable, ...]:
    """The tables of the ledger of this game."""
    return TABLES.get(game, (COLUMNS,))


class LedgerBook:
    """The sums of one ``game``: of each of its tables by name, and matches by seat's entrant and in all."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.tables = {table.name: TableSums(table.sums) for table in tables_of(game)}
        self.seats, self.matches = TableSums(SeatSums), TableSums(MatchSums)

    def add(self, page: SumsScope, names: Sequence[str], money: Sequence[int], rows: Rows) -> None:
        """A match: its entrants' ``names`` and ``money`` by seat, and the ``rows`` of its tables."""
        self.matches.at(page)[()].matches += 1
        seats = self.seats.at(page)
        for name, own in zip(names, money, strict=True):
            cell = seats[(name,)]
            cell.seats += 1
            cell.money += own
        fold = FOLDS.get(self.game, _other)
        fold(lambda table: self.tables[table.name].at(page), names, rows)

    def merge(self, other: LedgerBook) -> None:
        """Take in all that another of the same game has taken in."""
        self.seats.merge(other.seats)
        self.matches.merge(other.matches)
        for name, sums in other.tables.items():
            self.tables[name].merge(sums)
