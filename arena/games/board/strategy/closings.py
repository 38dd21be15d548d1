"""The closing that costs the Boss least (B4.5 phase 4)."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.board.answers.closing import Source, can_fill, fixed_costs, need_sources
from arena.games.board.answers.seat import table_of
from arena.games.board.cards import count_cards
from arena.games.board.deal_money import kept_by_boss
from arena.games.board.moves import Close
from arena.games.board.rules import Rules
from arena.games.board.views import CloseView


class Deal(NamedTuple):
    """A closing the Boss could name now: what it pays the others, and what is left for the Boss, in $M."""

    close: Close
    cost: int
    profit: int


def best_closing(view: CloseView, rules: Rules) -> Deal | None:
    """The legal closing that costs the Boss least, or None while there is none.

    It considers own cards (also in hand), agreements, offers to the Boss still open, and fair shares; of equally cheap
    closings it takes the one with the fewest clan cards.
    """
    table, hand = table_of(view, rules), count_cards(view.hand)
    if not can_fill(table, hand):
        return None
    singles: dict[int, Source] = {}
    several = []
    for source in need_sources(table, hand, with_offers=True):
        if source.mask.bit_count() > 1:
            several.append(source)
        elif source.mask not in singles or _cost_rank(source) < _cost_rank(singles[source.mask]):
            singles[source.mask] = source
    filling, needs = table.layout.filled[view.marker], table.layout.needs[view.marker]
    fixed = fixed_costs(table)
    ways: dict[int, tuple[int, tuple[Source, ...]]] = {0: (0, ())}
    for source in (*several, *singles.values()):
        for mask, (rank, used) in list(ways.items()):
            union, total = mask | source.mask, rank + _cost_rank(source)
            if mask & source.mask or filling[union] < union.bit_count():
                continue
            if union not in ways or total < ways[union][0]:
                ways[union] = (total, (*used, source))
    full = [way for mask, way in ways.items() if filling[mask] == needs]
    _, best = min(full, key=lambda way: way[0], default=(0, ()))
    cost = fixed + sum(source.cost for source in best)
    if not best or cost > view.proceeds:
        return None
    close = Close(
        tuple(source.placard for source in best if source.placard is not None),
        tuple(source.clan for source in best if source.clan is not None),
        tuple(source.partner for source in best if source.partner is not None),
    )
    return Deal(close, cost, kept_by_boss(view.proceeds, cost))


def _cost_rank(source: Source) -> int:
    """A sort key: by cost, then by the number of clan cards spent."""
    return source.cost * 16 + (source.clan is not None)
