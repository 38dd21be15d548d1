"""Ledger tables of bargains in the card game: proposals and requests, their answers, and what tokens brought (C4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.cards.log.ledger_rows import Answer, BargainKind, BargainRow, RoundRow
from arena.ledger.figure import LAST_BAND, MET_COUNT, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.ledger_view import LedgerForm, LedgerView

OFFERED_BARGAINS = "bargains that it offered"
AGREED_BARGAINS = "its bargains that were agreed"
RECEIVED_BARGAINS = "bargains offered to it"


class BargainSums(msgspec.Struct, gc=False):
    """Sums over the bargains an entrant offered, and over those ``put`` to it, with its answers."""

    made: int = 0
    yes: int = 0
    token: int = 0
    put: int = 0
    said_yes: int = 0
    said_nothing: int = 0


class TurnSums(msgspec.Struct, gc=False):
    """Sums over bargains offered in a turn; ``least`` adds up smallest values of requests, ``valued`` counts these."""

    made: int = 0
    yes: int = 0
    valued: int = 0
    least: int = 0


class TokenSums(msgspec.Struct, gc=False):
    """Matches in which two entrants ``met``, and the Cousin tokens that the first as Boss gave the second."""

    met: int = 0
    tokens: int = 0
    worth: int = 0


BARGAINS_TABLE = FigureTable(
    "bargains",
    "Proposals and requests",
    ("entrant", "kind", "want"),
    BargainSums,
    (
        LedgerFigure(
            "made", "made", LedgerUnit.COUNT, "made", SEAT_CASES, "its matches",
            "Bargains that it offered, per match: proposals to the Boss or, as Boss, requests.",
        ),
        LedgerFigure(
            "accepted", "accepted", LedgerUnit.SHARE, "yes", "made", OFFERED_BARGAINS,
            "Share of the bargains that it offered to which the other seat said yes.", yes_or_no=True,
        ),
        LedgerFigure(
            "token", "token brought", LedgerUnit.MONEY, "token", "yes", AGREED_BARGAINS,
            "Money that the token brought the seat that got it: one share at the end of the round (negative: it cost). "
            "For a proposal that seat is the entrant, for a request the other seat.",
        ),
        LedgerFigure(
            "put", "put to it", LedgerUnit.COUNT, "put", SEAT_CASES, "its matches",
            "Bargains that others offered to it, per match.",
        ),
        LedgerFigure(
            "says_yes", "says yes", LedgerUnit.SHARE, "said_yes", "put", RECEIVED_BARGAINS,
            "Share of the bargains offered to it to which it said yes.", yes_or_no=True,
        ),
        LedgerFigure(
            "no_answer", "no answer", LedgerUnit.SHARE, "said_nothing", "put", RECEIVED_BARGAINS,
            "Share of the bargains offered to it that count as refused because its bot had a fault or was out.",
            yes_or_no=True,
        ),
    ),
    ("made", "accepted", "token", "says_yes"),
    over=("want",),
    views=(
        LedgerView(LedgerForm.MAP, "want", "accepted", "kind"),
        LedgerView(LedgerForm.MAP, "want", "made", "kind"),
    ),
)  # fmt: skip

TURNS_TABLE = FigureTable(
    "turns",
    "Concession from turn to turn",
    ("entrant", "kind", "turn"),
    TurnSums,
    (
        LedgerFigure(
            "made", "made", LedgerUnit.COUNT, "made", SEAT_CASES, "its matches",
            "Bargains that it offered in this turn of a round, per match.",
        ),
        LedgerFigure(
            "accepted", "accepted", LedgerUnit.SHARE, "yes", "made", OFFERED_BARGAINS,
            "Share of the bargains that it offered in this turn that were agreed.", yes_or_no=True,
        ),
        LedgerFigure(
            "least", "asks at least", LedgerUnit.COUNT, "least", "valued", "its requests for a card with a value",
            "Least value, without its sign, that its requests for positive or negative cards in this turn ask for.",
        ),
    ),
    ("made", "accepted", "least"),
    over=("entrant",),
    views=(
        LedgerView(LedgerForm.LINES, "turn", "accepted", "kind"),
        LedgerView(LedgerForm.LINES, "turn", "made", "kind"),
    ),
    compared=(),
)  # fmt: skip

TOKENS_TABLE = FigureTable(
    "tokens",
    "Who makes whom a Cousin",
    ("giver", "receiver"),
    TokenSums,
    (
        LedgerFigure(
            "worth", "worth", LedgerUnit.MONEY, "worth", MET_COUNT, "matches in which both sat",
            "Money that Cousin tokens from the giver, as Boss, brought the receiver, per match in which both sat.",
        ),
        LedgerFigure(
            "tokens", "tokens", LedgerUnit.COUNT, "tokens", MET_COUNT, "matches in which both sat",
            "Cousin tokens that the giver, as Boss, gave the receiver, per match in which both sat.",
        ),
        LedgerFigure(
            "each", "each", LedgerUnit.MONEY, "worth", "tokens", "tokens",
            "Money that one token brought the receiver.",
        ),
    ),
    ("worth",),
)  # fmt: skip


def add_bargains(
    cells: Mapping[tuple[str, BargainKind, str], BargainSums], names: Sequence[str], bargains: Sequence[BargainRow]
) -> None:
    """Add a match's bargains to the sums; ``names`` are the entrants by seat."""
    for row in bargains:
        made, put = cells[names[row.by], row.kind, row.want], cells[names[row.to], row.kind, row.want]
        made.made += 1
        put.put += 1
        if row.answer is Answer.YES:
            made.yes += 1
            made.token += row.token
            put.said_yes += 1
        elif row.answer is Answer.DEFAULT:
            put.said_nothing += 1


def add_turns(
    cells: Mapping[tuple[str, BargainKind, int], TurnSums], names: Sequence[str], bargains: Sequence[BargainRow]
) -> None:
    """Add a match's bargains to the sums by turn of the round; ``names`` are the entrants by seat."""
    for row in bargains:
        cell = cells[names[row.by], row.kind, min(row.turn, LAST_BAND)]
        cell.made += 1
        cell.yes += row.answer is Answer.YES
        if row.kind is BargainKind.REQUEST and row.want in ("positive", "negative"):
            cell.valued += 1
            cell.least += row.least


def add_tokens(
    cells: Mapping[tuple[str, str], TokenSums],
    names: Sequence[str],
    rounds: Sequence[RoundRow],
    bargains: Sequence[BargainRow],
) -> None:
    """Add the tokens that a match's Bosses gave, in rounds that were settled; ``names`` are the entrants by seat."""
    for one, giver in enumerate(names):
        for two, receiver in enumerate(names):
            if one != two:
                cells[giver, receiver].met += 1
    bosses = {row.round: row.boss for row in rounds}
    for row in bargains:
        boss = bosses.get(row.round)
        if row.answer is Answer.YES and boss is not None and boss != row.seat:
            cell = cells[names[boss], names[row.seat]]
            cell.tokens += 1
            cell.worth += row.token
