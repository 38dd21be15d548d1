"""The other way round: from a seat's view back to the table it was judged on, so that a bot can ask for its
legal moves. The same code decides as in the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from arena.games.board.answers import HOOKS, legal_answers, refuse_answer
from arena.games.board.cards import clans_counted, counted
from arena.games.board.legal import ASIDE
from arena.games.board.rules import Layout, Rules
from arena.games.board.table import NOBODY, Table
from arena.games.board.views import AcceptView, BoardView, DiscardView, InterruptView
from arena.games.contract import Move, Refusal
from arena.games.identity import Same


def table_of(view: BoardView, rules: Rules) -> Table:
    """The open table that ``view`` describes, as the engine keeps it."""
    table = Table()
    table.layout = _layout(Same(rules), view.players)
    table.boss = NOBODY if view.boss is None else view.boss
    table.owners = bytes(ASIDE if placard.owner is None else placard.owner for placard in view.placards)
    table.travelling = sum(1 << index for index, placard in enumerate(view.placards) if placard.travelling)
    table.laid = tuple(map(clans_counted, view.laid))
    table.offers = tuple(tuple(o.offer for o in view.offers if o.by == seat) for seat in range(view.players))
    table.agreements = view.agreements
    table.active = sum(1 << seat for seat in view.active)
    table.marker = view.marker
    table.covered = sum(1 << space for space in range(len(rules.spaces)) if space not in view.uncovered)
    table.deal = table.layout.cards.index(view.deal)
    table.rolled = view.rolled
    table.must_deal = view.must_deal
    table.failed_here = view.failed_here
    excess = view.excess if isinstance(view, DiscardView) else 0
    table.excess = tuple(excess if seat == view.seat else 0 for seat in range(view.players))
    table.cards_only = isinstance(view, DiscardView) and view.cards_only
    return table


def legal_moves(view: BoardView, rules: Rules, prices: Sequence[int] | None = None) -> tuple[Move, ...]:
    """Every legal answer to the ask ``view`` came with; offers at ``prices`` in $M (None: one and two dividends)."""
    return legal_answers(table_of(view, rules), view.seat, counted(view.hand), _hook(view), _topic(view), prices)


def refusal(view: BoardView, rules: Rules, move: Move) -> Refusal | None:
    """Why the rules would refuse ``move`` as the answer, or None."""
    return refuse_answer(table_of(view, rules), view.seat, counted(view.hand), _hook(view), _topic(view), move)


def _hook(view: BoardView) -> str:
    return next(name for name, hook in HOOKS.items() if hook.view is type(view))


def _topic(view: BoardView) -> Any:
    if isinstance(view, AcceptView):
        return (view.by, view.offer)
    if isinstance(view, InterruptView) and view.can_stop is not None:
        return (view.can_stop.by, view.can_stop.play)
    return None


@lru_cache(maxsize=32)
def _layout(same: Same[Rules], players: int) -> Layout:
    return Layout(same.it, players)
