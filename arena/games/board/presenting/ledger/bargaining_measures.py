"""Ledger table of the measures of bargaining in the board game: efficiency, agreements missed and used, fairness. Those
of concessions are added in :mod:`arena.games.board.presenting.ledger.concession_measures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.log.deal_chances import THOUSANDTHS
from arena.games.board.log.ledger_rows import AgreementOutcome, AgreementRow, DealRow, Ending
from arena.ledger.figure import MILLION, FigureTable, LedgerFigure, LedgerUnit, SeatRole, seat_role

Cells = Mapping[tuple[str, SeatRole], "BargainingSums"]


class BargainingSums(msgspec.Struct, gc=False):
    """Sums over negotiations: those that were ``closable`` with their proceeds (``at_stake``) and the proceeds of those
    that closed (``realized``); those that ``failed``, and the ``missed`` among them; agreements ``usable`` at a closing
    and those ``used``; deals that ``closed``, and what the seat got in them beyond its Shapley value, in millionths;
    the ``fitted`` courses of prices with their exponents (``log_beta``, in millionths); and the ``replies`` to
    concessions, with the sums of squares and products that give their slope (in millionths of a squared dividend)."""

    closable: int = 0
    at_stake: int = 0
    realized: int = 0
    failed: int = 0
    missed: int = 0
    usable: int = 0
    used: int = 0
    closed: int = 0
    beyond_shapley: int = 0
    fitted: int = 0
    log_beta: int = 0
    replies: int = 0
    squares: int = 0
    products: int = 0


BARGAINING_TABLE = FigureTable(
    "bargaining",
    "What bargaining is measured by",
    ("entrant", "role"),
    BargainingSums,
    (
        LedgerFigure(
            "efficiency", "efficiency", LedgerUnit.SHARE, "realized", "closable",
            "negotiations that it led last and that could have been closed",
            "Proceeds of the deals that it closed ÷ proceeds of all negotiations that it led last and that could have "
            "been closed with the placards and clan cards of all seats (`closable` in `arena docs tables`).",
            weight="at_stake",
        ),
        LedgerFigure(
            "missed", "missed", LedgerUnit.SHARE, "missed", "failed", "its failed negotiations",
            "Share of the failed negotiations that it led last in which its bids had covered asks that sufficed, with "
            "its own cards and its agreements, to close within the proceeds (`missed` in `arena docs tables`).",
            yes_or_no=True,
        ),
        LedgerFigure(
            "word", "word kept", LedgerUnit.SHARE, "used", "usable", "its agreements that could be used at a closing",
            "Share of the agreements for cards that its closing used, among those that stood when it closed the deal "
            "and could be used (`usable` in `arena docs tables`); as partner, among those that it had made.",
            yes_or_no=True,
        ),
        LedgerFigure(
            "fairness", "beyond Shapley", LedgerUnit.MONEY, "beyond_shapley", "closed",
            "closed deals in which it had this role",
            "What it got from a closed deal less its Shapley value in it, where a coalition of seats is worth the "
            "proceeds if the Boss is in it and its cards fill the needs (`shapley` in `arena docs tables`). All seats "
            "of a deal add up to 0.", quotient=True,
        ),
        LedgerFigure(
            "exponent", "ln β", LedgerUnit.NUMBER, "log_beta", "fitted",
            "courses of at least three new prices for the same cards that end with a better one for the other side",
            "Natural logarithm of β in p(t) = p0 + (p1 - p0) * t^(1/β), fitted by least squares to its prices per card "
            "for the same cards, seat and Boss, from its first (p0, t = 0) to its last (p1, t = 1), with t in ticks. "
            "Above 0 it concedes early, below 0 late; no value is beyond ±3.", quotient=True,
        ),
        LedgerFigure(
            "reciprocity", "reciprocity", LedgerUnit.NUMBER, "products", "replies",
            "its concessions, after one of the other side, in matches in which the other side's differ",
            "Slope of its concession (y) on the other side's last one in an earlier tick (x), for the same cards: "
            "Σ (x - mean of x)(y - mean of y) ÷ Σ (x - mean of x)², with means of each match, in dividends per card. "
            "At 1 it gives what it is given; at 0 it concedes whatever the other side does.",
            weight="squares",
        ),
    ),
    ("efficiency", "missed", "word", "fairness", "exponent", "reciprocity"),
    note="Sources: for the Shapley value L. S. Shapley, Contributions to the Theory of Games II, 1953; for β "
    "P. Faratin, C. Sierra and N. R. Jennings, Robotics and Autonomous Systems 24, 1998.",
    compared=(),
)  # fmt: skip


def add_bargaining(
    cells: Cells, names: Sequence[str], deals: Sequence[DealRow], agreements: Sequence[AgreementRow]
) -> None:
    """Add a match's negotiations to the sums; ``names`` are the entrants by seat."""
    for deal in deals:
        led = cells[names[deal.boss], SeatRole.BOSS]
        closed = deal.outcome is Ending.CLOSED
        if deal.closable:
            led.closable += 1
            led.at_stake += deal.proceeds
            led.realized += deal.proceeds if closed else 0
        if not closed:
            led.failed += 1
            led.missed += deal.missed
            continue
        for seat, (amount, shapley) in enumerate(zip(deal.amounts, deal.shapley, strict=True)):
            cell = cells[names[seat], seat_role(seat, deal.boss)]
            cell.closed += 1
            cell.beyond_shapley += amount * MILLION - shapley * (MILLION // THOUSANDTHS)
    for made in agreements:
        if made.usable:
            for seat, role in ((made.boss, SeatRole.BOSS), (made.partner, SeatRole.PARTNER)):
                cell = cells[names[seat], role]
                cell.usable += 1
                cell.used += made.outcome is AgreementOutcome.USED
