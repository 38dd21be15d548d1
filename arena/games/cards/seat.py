"""The other way round: from a seat's view back to the table it was judged on, so that a bot can ask for its
legal moves. The same code decides as in the engine."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arena.games.cards.answers import HOOKS, legal_answers, refuse_answer
from arena.games.cards.cards import CARD_ID, COLOR_ID, NO_FRONT, NO_VALUES, SUIT, Card, counted, front_place
from arena.games.cards.rules import BASE_MULTIPLIER, Layout, Rules
from arena.games.cards.table import UNKNOWN, Spread, Table
from arena.games.cards.views import AcceptView, CardsView, PlayView
from arena.games.contract import Move, Refusal
from arena.games.counts import changed
from arena.games.identity import Same


def table_of(view: CardsView, rules: Rules) -> Table:
    """The open table that ``view`` describes, as the engine keeps it."""
    table = Table()
    table.layout = _layout(Same(rules), view.players)
    table.boss, table.on_turn = view.boss, view.on_turn
    table.color = UNKNOWN if view.color is None else COLOR_ID[view.color]
    table.spread = _spread(view)
    table.passes = bytes(view.passes)
    table.tokens = view.tokens
    table.cousins = sum(1 << seat for seat in view.cousins)
    table.exes = view.multiplier - BASE_MULTIPLIER
    table.moving, table.moves_left, table.bound = UNKNOWN, 0, None
    if isinstance(view, PlayView):
        table.bound = view.bound
        if view.moving is not None:
            table.moving, table.moves_left = CARD_ID[view.moving], view.moves_left
    return table


def _spread(view: CardsView) -> Spread:
    """The cards on the table, with those that the move card in use has moved already."""
    centre = NO_VALUES
    for card in view.centre:
        centre = changed(centre, CARD_ID[card] % SUIT, 1)
    moved = [NO_FRONT] * view.players
    if isinstance(view, PlayView):
        for shift in view.moved:
            if shift.source is not None and shift.to is not None:
                place = front_place(CARD_ID[shift.card])
                assert place is not None
                moved[shift.to] = changed(moved[shift.to], place, 1)
    return Spread(centre, tuple(map(_front, view.fronts)), tuple(moved))


def _front(cards: tuple[Card, ...]) -> bytes:
    front = NO_FRONT
    for card in cards:
        place = front_place(CARD_ID[card])
        assert place is not None
        front = changed(front, place, 1)
    return front


def legal_moves(view: CardsView, rules: Rules) -> tuple[Move, ...]:
    """Every legal answer to the ask ``view`` came with; proposals of a move card with one move each."""
    return legal_answers(table_of(view, rules), view.seat, counted(view.hand), _hook(view), _topic(view))


def refusal(view: CardsView, rules: Rules, move: Move) -> Refusal | None:
    """Why the rules would refuse ``move`` as the answer, or None."""
    return refuse_answer(table_of(view, rules), view.seat, counted(view.hand), _hook(view), _topic(view), move)


def _hook(view: CardsView) -> str:
    return next(name for name, hook in HOOKS.items() if hook.view is type(view))


def _topic(view: CardsView) -> Any:
    return view.bargain if isinstance(view, AcceptView) else None


@lru_cache(maxsize=32)
def _layout(same: Same[Rules], players: int) -> Layout:
    return Layout(same.it, players)
