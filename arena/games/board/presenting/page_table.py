"""The data from which a page draws the board game: the edition's board, deal cards and family names; and the table
after every event, with what the rules say about its deals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec.structs import asdict

from arena.games.board.answers.seat import layout_of
from arena.games.board.cards import CARDS, FAMILIES, Card, Family
from arena.games.board.log.fold_table import BoardTable
from arena.games.board.presenting.open_deal import CoverSource, DealSituation, OpenDeal, deal_situation, open_deal
from arena.games.board.presenting.picture_steps import family_chips
from arena.games.board.rules import Rules
from arena.games.board.spaces import Choice
from arena.games.board.views import ClosedDeal


class FamilyShown(msgspec.Struct, frozen=True, gc=False):
    """A family: its ``name`` in the edition, and the ``letters`` that distinguish it from the others."""

    family: Family
    name: str
    letters: str


class SpaceShown(msgspec.Struct, frozen=True, gc=False):
    """A space: how many dividends it pays, and which families it needs."""

    dividends: int
    required: tuple[Family, ...]
    groups: tuple[Choice, ...]


class DealShown(msgspec.Struct, frozen=True, gc=False):
    """A deal card: its ``number``, what a dividend is worth in $M, the faces that end the match (B7.3), and what a deal
    ``pays`` under it on each space, in $M (B4.1)."""

    number: int
    value: int
    ends: tuple[int, ...]
    pays: tuple[int, ...]


class BoardShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The edition as drawn with the table. ``cards`` are all kinds, in the order of the counts of discards; ``spaces``
    are clockwise from 0; ``deals`` are those in play, in order; ``last_call`` says whether one follows a named closing
    (B4.6)."""

    edition: str
    players: int
    cards: tuple[Card, ...]
    families: tuple[FamilyShown, ...]
    spaces: tuple[SpaceShown, ...]
    deals: tuple[DealShown, ...]
    last_call: bool


class DealOnPage(ClosedDeal, frozen=True, gc=False):
    """A closed deal, with the money that each seat got, in $M."""

    amounts: tuple[int, ...]


class BoardOnPage(BoardTable, frozen=True, gc=False, kw_only=True):
    """The table with what the rules say about it: for the open deal, the fields of
    :class:`arena.games.board.presenting.open_deal.OpenDeal`."""

    ledger: tuple[DealOnPage, ...]
    cover: tuple[CoverSource, ...]
    hope: tuple[CoverSource, ...]
    missing: int
    amounts: tuple[int, ...]
    unpayable: tuple[int, ...]


def shown_rules(rules: Rules, players: int) -> BoardShown:
    """The parts of ``rules`` that a page shows, for a table of ``players``."""
    chips = family_chips(rules)
    layout = layout_of(rules, players)
    return BoardShown(
        edition=rules.title,
        players=players,
        cards=CARDS,
        families=tuple(FamilyShown(family, rules.names[family], chips[family].text) for family in FAMILIES),
        spaces=tuple(SpaceShown(space.dividends, space.required, space.groups) for space in rules.spaces),
        deals=tuple(
            DealShown(number, value, rules.end_rolls.get(number, ()), tuple(pays[index] for pays in layout.proceeds))
            for index, (number, value) in enumerate(zip(layout.cards, layout.values, strict=True))
        ),
        last_call=rules.last_call,
    )


def board_on_page(rules: Rules, players: int) -> Callable[[BoardTable], BoardOnPage]:
    """A function that turns a table into the one that a page draws. Tables that are drawn one after another for several
    seats share the figures of the open deal, if these seats know the same about it."""
    layout = layout_of(rules, players)

    @cache
    def closed(deal: ClosedDeal) -> DealOnPage:
        return DealOnPage(**asdict(deal), amounts=deal.amounts)

    @lru_cache(maxsize=2 * players)
    def opened(situation: DealSituation | None) -> dict[str, Any]:
        return (OpenDeal() if situation is None else open_deal(layout, situation))._asdict()

    def shown(table: BoardTable) -> BoardOnPage:
        fields = asdict(table)
        fields["ledger"] = tuple(map(closed, table.ledger))
        return BoardOnPage(**fields, **opened(deal_situation(table)))

    return shown
