"""Ledger table of offers in the board game: their outcomes and answers, as Boss and as partner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.log.ledger_rows import Answer, OfferOutcome, OfferRow
from arena.ledger.figure import SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit, RuleFixedFigures, SeatRole
from arena.ledger.ledger_view import LedgerForm, LedgerView


class OfferSums(msgspec.Struct, gc=False):
    """Sums over the offers an entrant made, with outcomes, and those ``put`` to it, with its answers."""

    offers: int = 0
    yes: int = 0
    agreed: int = 0
    undercut: int = 0
    refused: int = 0
    withdrawn: int = 0
    lapsed: int = 0
    put: int = 0
    said_yes: int = 0
    said_nothing: int = 0


def _outcome(outcome: str, definition: str) -> LedgerFigure:
    return LedgerFigure(
        outcome, outcome, LedgerUnit.SHARE, outcome, "offers", "offers it made", f"Share of its offers {definition}.",
        yes_or_no=True,
    )  # fmt: skip


OFFERS_TABLE = FigureTable(
    "offers",
    "Outcomes of offers",
    ("entrant", "role"),
    OfferSums,
    (
        LedgerFigure(
            "made", "made", LedgerUnit.COUNT, "offers", SEAT_CASES, "its matches",
            "Offers that it made in this role, per match: as Boss to others, as partner to the Boss. An offer that is "
            "withdrawn and sent again counts once.",
        ),
        _outcome("agreed", "that became an agreement, by a yes or because the Boss used the offer in a closing"),
        _outcome("refused", "that got the answer no, and to which nothing else happened"),
        _outcome("undercut", "that another agreement prevented: for the same card, the same terms or the last money"),
        _outcome("withdrawn", "that it withdrew or changed before anything else happened to them"),
        _outcome("lapsed", "that ended because one of their cards travelled or changed hands, or the Boss changed"),
        LedgerFigure(
            "accepted", "answered yes", LedgerUnit.SHARE, "yes", "offers", "offers it made",
            "Share of its offers to which the addressee said yes, whatever happened to them afterwards.",
            yes_or_no=True,
        ),
        LedgerFigure(
            "put", "put to it", LedgerUnit.COUNT, "put", SEAT_CASES, "its matches",
            "Offers that it received in this role, per match.",
        ),
        LedgerFigure(
            "says_yes", "says yes", LedgerUnit.SHARE, "said_yes", "put", "offers put to it",
            "Share of the offers it received to which it said yes.", yes_or_no=True,
        ),
        LedgerFigure(
            "no_answer", "no answer", LedgerUnit.SHARE, "said_nothing", "put", "offers put to it",
            "Share of the offers it received that count as refused because its bot had a fault or was out.",
            yes_or_no=True,
        ),
    ),
    ("agreed", "refused", "undercut", "withdrawn", "lapsed", "made", "accepted"),
    by_rule=(RuleFixedFigures("role", SeatRole.BOSS, ("withdrawn", "lapsed")),),
    note="Agreed, refused, undercut, withdrawn and lapsed are outcomes: they add up to 100 % of the offers made. "
    "Answered yes is an answer, not an outcome: a yes may come too late, and the Boss may use an offer after a no. The "
    "Boss's offers end with the answer, so none is withdrawn or lapses.",
    views=(LedgerView(LedgerForm.TABLE, apart="role"),),
)  # fmt: skip


def add_offers(
    cells: Mapping[tuple[str, SeatRole], OfferSums], names: Sequence[str], offers: Sequence[OfferRow]
) -> None:
    """Add a match's offers to the sums; ``names`` are the entrants by seat."""
    for name in names:
        cells[name, SeatRole.BOSS], cells[name, SeatRole.PARTNER]  # also of those who made none
    for row in offers:
        by_boss = row.by == row.boss
        made = cells[names[row.by], SeatRole.BOSS if by_boss else SeatRole.PARTNER]
        put = cells[names[row.to], SeatRole.PARTNER if by_boss else SeatRole.BOSS]
        made.offers += 1
        put.put += 1
        if row.answer is Answer.YES:
            made.yes += 1
            put.said_yes += 1
        elif row.answer is Answer.DEFAULT:
            put.said_nothing += 1
        match row.outcome:
            case OfferOutcome.REFUSED:
                made.refused += 1
            case OfferOutcome.AGREED:
                made.agreed += 1
            case OfferOutcome.UNDERCUT:
                made.undercut += 1
            case OfferOutcome.WITHDRAWN:
                made.withdrawn += 1
            case OfferOutcome.LAPSED:
                made.lapsed += 1
