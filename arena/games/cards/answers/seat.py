"""Rebuilds the open table from a seat's view, so that the engine's own code can list and judge moves for a bot."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arena.games.cards.cards import CARD_ID, COLOR_ID, FRONT_PLACES, NO_FRONT, NO_VALUES, SUIT_KINDS, Card, count_cards
from arena.games.cards.rules import BASE_MULTIPLIER, Layout, Rules
from arena.games.cards.table import UNKNOWN_VALUE, Asked, Spread, Table
from arena.games.cards.views import CardsView
from arena.games.contract import Question
from arena.games.hand_counts import change_count
from arena.games.identity import SameObject


def question_of_view(view: CardsView, rules: Rules, topic: Any = None) -> Asked:
    """The question by which an answer to the ask of ``view`` is judged."""
    return Question(table_of(view, rules), view.seat, count_cards(view.hand), topic)


def table_of(view: CardsView, rules: Rules) -> Table:
    """The open table that ``view`` describes, in the engine's form."""
    table = Table()
    table.layout = layout_of(rules, view.players)
    lay_open(table, view)
    return table


def lay_open(table: Table, view: CardsView) -> None:
    """Fill ``table``, which already has its layout, with the open table that ``view`` describes."""
    table.boss, table.on_turn = view.boss, view.on_turn
    table.color = UNKNOWN_VALUE if view.color is None else COLOR_ID[view.color]
    table.spread = _spread(view)
    table.passes = bytes(view.passes)
    table.tokens = view.tokens
    table.cousins = sum(1 << seat for seat in view.cousins)
    table.exes = view.multiplier - BASE_MULTIPLIER
    table.bound = view.bound
    table.moving = UNKNOWN_VALUE if view.moving is None else CARD_ID[view.moving]
    table.moves_left = view.moves_left


def _spread(view: CardsView) -> Spread:
    """The cards on the table, including which of them the current move card has already moved."""
    centre = NO_VALUES
    for card in view.centre:
        centre = change_count(centre, CARD_ID[card] % SUIT_KINDS, 1)
    moved = [NO_FRONT] * view.players
    for shift in view.moved:
        if shift.source is not None and shift.to is not None:
            place = FRONT_PLACES[CARD_ID[shift.card]]
            assert place is not None
            moved[shift.to] = change_count(moved[shift.to], place, 1)
    return Spread(centre, tuple(map(_front_counts, view.fronts)), tuple(moved))


def _front_counts(cards: tuple[Card, ...]) -> bytes:
    front = NO_FRONT
    for card in cards:
        place = FRONT_PLACES[CARD_ID[card]]
        assert place is not None
        front = change_count(front, place, 1)
    return front


def layout_of(rules: Rules, players: int) -> Layout:
    """The layout for these rules and this number of players, cached."""
    return _layout(SameObject(rules), players)


@lru_cache(maxsize=32)
def _layout(same: SameObject[Rules], players: int) -> Layout:
    return Layout(same.it, players)
