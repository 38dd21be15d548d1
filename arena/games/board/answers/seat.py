"""Rebuilds the open table from a seat's view, so that the engine's own code can list and judge moves for a bot."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arena.games.board.answers.legal import ASIDE_OWNER
from arena.games.board.cards import clans_counted, count_cards
from arena.games.board.priced_question import Priced
from arena.games.board.rules import Layout, Rules
from arena.games.board.table import NOBODY_SEAT, Table
from arena.games.board.views import BoardView, DiscardView
from arena.games.identity import SameObject


def question_of_view(view: BoardView, rules: Rules, topic: Any = None) -> Priced:
    """The question by which an answer to the ask of ``view`` is judged."""
    return Priced(table_of(view, rules), view.seat, count_cards(view.hand), topic)


def table_of(view: BoardView, rules: Rules) -> Table:
    """The open table that ``view`` describes, in the engine's form."""
    table = Table()
    table.layout = layout_of(rules, view.players)
    lay_open(table, view)
    return table


def lay_open(table: Table, view: BoardView) -> None:
    """Fill ``table``, which already has its layout, with the open table that ``view`` describes."""
    table.boss = NOBODY_SEAT if view.boss is None else view.boss
    table.owners = owners_of(view)
    table.travelling = sum(1 << index for index, placard in enumerate(view.placards) if placard.travelling)
    table.laid = tuple(map(clans_counted, view.laid))
    table.offers = tuple(tuple(o.offer for o in view.offers if o.by == seat) for seat in range(view.players))
    table.agreements = view.agreements
    table.active = sum(1 << seat for seat in view.active)
    table.marker = view.marker
    table.covered = sum(1 << space for space in range(len(table.layout.rules.spaces)) if space not in view.uncovered)
    table.deal = table.layout.cards.index(view.deal)
    table.rolled = view.rolled
    table.must_deal = view.must_deal
    table.failed_here = view.failed_here
    excess = view.excess if isinstance(view, DiscardView) else 0
    table.excess = tuple(excess if seat == view.seat else 0 for seat in range(view.players))
    table.cards_only = isinstance(view, DiscardView) and view.cards_only


def owners_of(view: BoardView) -> bytes:
    """The owner of each family's placard, in the engine's form: a seat, or ``ASIDE_OWNER``, by family."""
    return bytes([ASIDE_OWNER if placard.owner is None else placard.owner for placard in view.placards])


def layout_of(rules: Rules, players: int) -> Layout:
    """The layout for these rules and this number of players, cached."""
    return _layout(SameObject(rules), players)


@lru_cache(maxsize=32)
def _layout(same: SameObject[Rules], players: int) -> Layout:
    return Layout(same.it, players)
