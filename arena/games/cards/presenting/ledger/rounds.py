"""Ledger tables of rounds in the card game: what a seat's shares earned as Boss, as Cousin and otherwise (C5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from arena.games.cards.log.ledger_rows import ActionRow, RoundRow, ShareRow
from arena.ledger.figure import SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.ledger_view import LedgerForm, LedgerView

ROLE_ROUNDS = "its rounds in this role"
BOSS_ROUNDS = "rounds in which it was the Boss"


class Role(StrEnum):
    """What a seat is at the end of a round: the ``boss``, a ``cousin``, or an ``other``."""

    BOSS = "boss"
    COUSIN = "cousin"
    OTHER = "other"


class RoundSums(msgspec.Struct, gc=False):
    """The number of rounds, and sums of what the seat received in them, in $."""

    rounds: int = 0
    amount: int = 0
    gained: int = 0
    lost: int = 0
    shares: int = 0


class BossSums(msgspec.Struct, gc=False):
    """Sums over the rounds of a Boss: what a share was worth, tokens given and turns taken."""

    rounds: int = 0
    value: int = 0
    tokens: int = 0
    turns: int = 0


class ActionSums(msgspec.Struct, gc=False):
    """How often an action was done."""

    times: int = 0


ROUNDS_TABLE = FigureTable(
    "rounds",
    "What shares earned, by role",
    ("entrant", "role"),
    RoundSums,
    (
        LedgerFigure(
            "rounds", "rounds", LedgerUnit.COUNT, "rounds", SEAT_CASES, "its matches",
            "Rounds per match in which it had this role at the end; the Boss counts only as Boss.",
        ),
        LedgerFigure(
            "shares", "shares", LedgerUnit.COUNT, "shares", "rounds", ROLE_ROUNDS,
            "Shares that it had at the end of a round: as Boss, as Cousin and for POTA cards (C5.2).",
        ),
        LedgerFigure(
            "round", "a round", LedgerUnit.MONEY, "amount", "rounds", ROLE_ROUNDS,
            "Money that it received at the end of a round; negative: it paid.",
        ),
        LedgerFigure(
            "gained", "gained", LedgerUnit.SHARE, "gained", "rounds", ROLE_ROUNDS,
            "Share of the rounds in which it received something.", yes_or_no=True,
        ),
        LedgerFigure(
            "lost", "lost", LedgerUnit.SHARE, "lost", "rounds", ROLE_ROUNDS,
            "Share of the rounds in which it paid something.", yes_or_no=True,
        ),
        LedgerFigure(
            "earned", "a match", LedgerUnit.MONEY, "amount", SEAT_CASES, "its matches",
            "Money that it received in this role, per match. All roles together, plus the money at the start, make up "
            "its money at the end.",
        ),
    ),
    ("rounds", "shares", "round", "gained", "earned"),
    views=(LedgerView(LedgerForm.TABLE, apart="role"),),
)  # fmt: skip

ROUND_BOSS_TABLE = FigureTable(
    "boss",
    "The rounds of each Boss",
    ("entrant",),
    BossSums,
    (
        LedgerFigure(
            "rounds", "rounds", LedgerUnit.COUNT, "rounds", SEAT_CASES, "its matches",
            "Rounds per match in which it was the Boss.",
        ),
        LedgerFigure(
            "value", "a share", LedgerUnit.MONEY, "value", "rounds", BOSS_ROUNDS,
            "Worth of a share at the end of a round in which it was the Boss.",
        ),
        LedgerFigure(
            "tokens", "Cousins", LedgerUnit.COUNT, "tokens", "rounds", BOSS_ROUNDS,
            "Number of seats that became Cousins in a round in which it was the Boss.",
        ),
        LedgerFigure(
            "turns", "turns", LedgerUnit.COUNT, "turns", "rounds", BOSS_ROUNDS,
            "Number of turns in a round in which it was the Boss, including its lead.",
        ),
    ),
    ("rounds", "value", "tokens", "turns"),
)  # fmt: skip

ACTIONS_TABLE = FigureTable(
    "actions",
    "What seats did",
    ("entrant", "action"),
    ActionSums,
    (
        LedgerFigure(
            "times", "a match", LedgerUnit.COUNT, "times", SEAT_CASES, "its matches",
            "How often it did this, per match.",
        ),
    ),
    ("times",),
    over=("entrant",),
    views=(LedgerView(LedgerForm.MAP, "action", "times"),),
)  # fmt: skip


def add_rounds(cells: Mapping[tuple[str, Role], RoundSums], names: Sequence[str], shares: Sequence[ShareRow]) -> None:
    """Add what the seats of a match received to the sums; ``names`` are the entrants by seat."""
    for row in shares:
        role = Role.BOSS if row.boss else Role.COUSIN if row.cousin else Role.OTHER
        cell = cells[names[row.seat], role]
        cell.rounds += 1
        cell.shares += row.shares
        cell.amount += row.amount
        cell.gained += row.amount > 0
        cell.lost += row.amount < 0


def add_bosses(cells: Mapping[tuple[str], BossSums], names: Sequence[str], rounds: Sequence[RoundRow]) -> None:
    """Add a match's rounds to the sums of their Bosses; ``names`` are the entrants by seat."""
    for name in names:
        cells[(name,)]
    for row in rounds:
        cell = cells[(names[row.boss],)]
        cell.rounds += 1
        cell.value += row.value
        cell.tokens += row.tokens
        cell.turns += row.turns


def add_actions(
    cells: Mapping[tuple[str, str], ActionSums], names: Sequence[str], actions: Sequence[ActionRow]
) -> None:
    """Add the actions of a match to the sums; ``names`` are the entrants by seat."""
    for row in actions:
        cells[names[row.seat], row.kind].times += 1
