"""Ledger table of cards in the card game: what each kind of card earned the seats that played it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.cards.cards import Card
from arena.games.cards.log.ledger_rows import ActionKind, ActionRow, RoundRow
from arena.ledger.figure import SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.ledger_view import LedgerForm, LedgerView

KIND_OF = {card: card.value if card is Card.WILD_POTA else card.value.partition(" ")[2] for card in Card}
"""The name of each card without its colour: cards that differ only in colour are counted together."""


class CardSums(msgspec.Struct, gc=False):
    """How often a card was led, played, moved and dropped; ``settled`` counts leads and plays in rounds that were
    settled, ``earned`` is what the seats that made them received in these rounds."""

    led: int = 0
    played: int = 0
    moved: int = 0
    dropped: int = 0
    settled: int = 0
    earned: int = 0


def _count_figure(name: str, definition: str) -> LedgerFigure:
    return LedgerFigure(
        name, name, LedgerUnit.COUNT, name, SEAT_CASES, "its matches", f"How often it {definition}, per match."
    )


PLAYED_TABLE = FigureTable(
    "cards",
    "What cards earned",
    ("entrant", "card"),
    CardSums,
    (
        _count_figure("led", "led the card as Boss"),
        _count_figure("played", "played the card for its effect"),
        _count_figure("moved", "moved the card with a move card"),
        _count_figure("dropped", "dropped the card without effect, as agreed"),
        LedgerFigure(
            "earned", "round earned", LedgerUnit.MONEY, "earned", "settled",
            "leads and plays in rounds that were settled",
            "Money that it received, for all its shares, at the end of a round in which it led or played the card.",
        ),
    ),
    ("led", "played", "dropped", "earned"),
    over=("entrant",),
    views=(LedgerView(LedgerForm.MAP, "card", "earned"), LedgerView(LedgerForm.MAP, "card", "played")),
)  # fmt: skip


def add_cards(
    cells: Mapping[tuple[str, str], CardSums],
    names: Sequence[str],
    rounds: Sequence[RoundRow],
    actions: Sequence[ActionRow],
) -> None:
    """Add a match's cards to the sums; ``names`` are the entrants by seat."""
    amounts = {row.round: row.amounts for row in rounds}
    for row in actions:
        if row.card is None:
            continue
        cell = cells[names[row.seat], KIND_OF[row.card]]
        match row.kind:
            case ActionKind.LEAD:
                cell.led += 1
            case ActionKind.PLAY:
                cell.played += 1
            case ActionKind.SHIFT:
                cell.moved += 1
            case ActionKind.DROP:
                cell.dropped += 1
        received = amounts.get(row.round)
        if row.kind in (ActionKind.LEAD, ActionKind.PLAY) and received is not None:
            cell.settled += 1
            cell.earned += received[row.seat]
