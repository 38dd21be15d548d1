"""The page of a match of the card game: its table, the parts it is divided into, and the places to jump to."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.cards import events
from arena.games.cards.log.fold_table import CardsTable
from arena.games.cards.presenting.moments import cards_moments
from arena.games.cards.presenting.page_table import cards_on_page, shown_rules
from arena.games.contract import Event
from arena.pages.page_file import PageFile
from arena.web.viewer.game_page import GamePage, NumberedEvents, PageLevel, TableDrawing
from arena.web.viewer.moment import Jump, JumpPlace

CARDS_SCRIPTS = ("pieces", "centre", "seats", "words", "key", "table")
"""The scripts that draw the table, in the order in which a page takes them."""


def _jump_places(numbered: NumberedEvents) -> Iterator[JumpPlace]:
    """The beginning of each round, for its Boss, and its end, for the Boss and all who received or paid."""
    for number, line in numbered:
        match line:
            case events.RoundBegan(boss=seat):
                yield JumpPlace(number, Jump.BOSS, seats=[seat])
            case events.Settled():
                seats = [seat for seat, amount in enumerate(line.amounts) if amount or seat == line.boss]
                yield JumpPlace(number, Jump.DEAL, seats=seats, number=line.round)


def _begins_turn(event: Event, before: CardsTable, after: CardsTable) -> bool:
    return after.on_turn is not None and before.on_turn != after.on_turn


def _begins_round(event: Event, before: CardsTable, after: CardsTable) -> bool:
    return isinstance(event, events.RoundBegan)


CARDS_PAGE = GamePage(
    drawing=TableDrawing(
        shown_rules,
        ("table_pieces", *(PageFile(__package__, f"table/{name}.js") for name in CARDS_SCRIPTS)),
        ("table_pieces", PageFile(__package__, "table/table.css")),
        cards_on_page,
    ),
    levels=(PageLevel("turn", _begins_turn), PageLevel("round", _begins_round)),
    jumps=_jump_places,
    moments=cards_moments,
    deal="round",
)
