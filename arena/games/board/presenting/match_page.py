"""The page of a match of the board game: its table, the parts it is divided into, and the places to jump to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.games.board import events
from arena.games.board.presenting.moments import board_moments
from arena.games.board.presenting.page_table import board_on_page, shown_rules
from arena.games.contract import Event
from arena.pages.page_file import PageFile
from arena.web.viewer.game_page import GamePage, NumberedEvents, PageLevel, TableDrawing
from arena.web.viewer.moment import FoundKind, FoundMoment, Jump, JumpPlace, MomentTeller

BOARD_SCRIPTS = (
    "cards",
    "ring",
    "seats",
    "paths",
    "lines",
    "cover",
    "deal",
    "offers",
    "hands",
    "words",
    "key",
    "table",
)
"""The scripts that draw the table, in the order in which a page takes them."""


def _jump_places(numbered: NumberedEvents) -> Iterator[JumpPlace]:
    """New Bosses, and the ends of negotiations, numbered in the order of opening. The end of a closed deal belongs to
    the Boss and all seats that were paid."""
    deal = 0
    for number, line in numbered:
        match line:
            case events.NewBoss(seat):
                yield JumpPlace(number, Jump.BOSS, seats=[seat])
            case events.Opened():
                deal += 1
            case events.Closed():
                yield JumpPlace(number, Jump.DEAL, seats=_paid_seats(line.boss, line.paid), number=deal)
            case events.Failed():
                yield JumpPlace(number, Jump.DEAL, seats=[line.boss], number=deal, failed=True)


def _paid_seats(boss: int, amounts: Sequence[int]) -> list[int]:
    return [seat for seat, amount in enumerate(amounts) if amount or seat == boss]


def _payment_moments(numbered: NumberedEvents, teller: MomentTeller) -> Iterator[FoundMoment]:
    """A moment for each payment of a Boss to another seat."""
    for number, line in numbered:
        if not isinstance(line, events.Closed):
            continue
        for seat, amount in enumerate(line.paid):
            if amount:
                text = f"{teller.seat(line.boss)} pays {teller.seat(seat)} {teller.money(amount)}"
                yield FoundMoment(FoundKind.PAYMENT, number, text, amount, (line.boss, seat))


def _begins_tick(event: Event, before: object, after: object) -> bool:
    return isinstance(event, events.TickBegan)


def _begins_turn(event: Event, before: object, after: object) -> bool:
    return isinstance(event, events.TurnBegan)


def _opens_deal(event: Event, before: object, after: object) -> bool:
    return isinstance(event, events.Opened)


BOARD_PAGE = GamePage(
    drawing=TableDrawing(
        shown_rules,
        ("table_pieces", *(PageFile(__package__, f"table/{name}.js") for name in BOARD_SCRIPTS)),
        ("table_pieces", PageFile(__package__, "table/table.css")),
        board_on_page,
    ),
    levels=(PageLevel("tick", _begins_tick), PageLevel("turn", _begins_turn), PageLevel("deal", _opens_deal)),
    jumps=_jump_places,
    payments=_payment_moments,
    moments=board_moments,
)
