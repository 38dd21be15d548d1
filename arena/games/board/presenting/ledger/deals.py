"""Ledger tables of deals in the board game: what Bosses kept, what partners got, how negotiations ended and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.log.ledger_rows import AgreementOutcome, AgreementRow, DealRow, Ending, OfferRow
from arena.ledger.figure import LAST_BAND, MILLION, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit, RuleFixedFigures
from arena.ledger.ledger_view import LedgerForm, LedgerView

LED_NEGOTIATIONS = "negotiations that it led last"
CLOSED_DEALS = "deals that it closed"


class BossSums(msgspec.Struct, gc=False):
    """Sums over an entrant's negotiations: those it ``opened``, how many of these it ``lost`` to another Boss, those it
    ``led`` at the end, and how many of these it ``closed``; shares of the proceeds in millionths."""

    opened: int = 0
    lost: int = 0
    led: int = 0
    closed: int = 0
    share: int = 0
    money: int = 0
    investors: int = 0


class PartnerSums(msgspec.Struct, gc=False):
    """Sums over deals that other entrants ``closed``, and over those of them in which this entrant was ``paid``."""

    closed: int = 0
    paid: int = 0
    share: int = 0
    money: int = 0


class KeptSums(msgspec.Struct, gc=False):
    """Sums over deals that the entrant ``closed``: how many, and what it kept."""

    closed: int = 0
    share: int = 0
    money: int = 0


class EndSums(msgspec.Struct, gc=False):
    """How the negotiations that the entrant led at the end ended, and what the ``failed`` ones lacked."""

    led: int = 0
    closed: int = 0
    given_up: int = 0
    quiet: int = 0
    out_of_ticks: int = 0
    failed: int = 0
    worth: int = 0
    no_offer: int = 0
    no_agreement: int = 0
    fell: int = 0
    too_little: int = 0


BOSS_SHARE = "Share of the proceeds that it kept after paying all partners."
BOSS_TABLE = FigureTable(
    "boss",
    "As Boss: deals closed and money kept",
    ("entrant",),
    BossSums,
    (
        LedgerFigure(
            "opened", "opened", LedgerUnit.COUNT, "opened", SEAT_CASES, "its matches",
            "Negotiations that it opened, per match."
        ),
        LedgerFigure(
            "lost", "lost", LedgerUnit.SHARE, "lost", "opened", "negotiations that it opened",
            "Share of the negotiations that it opened in which another seat was the last Boss.", yes_or_no=True,
        ),
        LedgerFigure(
            "led", "led", LedgerUnit.COUNT, "led", SEAT_CASES, "its matches",
            "Negotiations per match in which it was the last Boss, whoever opened them.",
        ),
        LedgerFigure(
            "closed", "closed", LedgerUnit.SHARE, "closed", "led", LED_NEGOTIATIONS,
            "Share of the negotiations with it as the last Boss that were closed.", yes_or_no=True,
        ),
        LedgerFigure("kept", "kept", LedgerUnit.SHARE, "share", "closed", CLOSED_DEALS, BOSS_SHARE, quotient=True),
        LedgerFigure(
            "kept_money", "kept a deal", LedgerUnit.MONEY, "money", "closed", CLOSED_DEALS,
            "Money that it kept from a deal after paying all partners.",
        ),
        LedgerFigure(
            "investors", "investors", LedgerUnit.COUNT, "investors", "closed", CLOSED_DEALS,
            "Number of other seats that were paid in a deal that it closed.",
        ),
        LedgerFigure(
            "earned", "earned a match", LedgerUnit.MONEY, "money", SEAT_CASES, "its matches",
            "Money that it kept as Boss, per match. This and its earnings as partner make up its money at the end.",
        ),
    ),
    ("led", "closed", "kept", "kept_money", "earned"),
)  # fmt: skip

PARTNER_TABLE = FigureTable(
    "partner",
    "As partner: deals of others",
    ("entrant",),
    PartnerSums,
    (
        LedgerFigure(
            "invested", "paid in", LedgerUnit.SHARE, "paid", "closed", "deals that others closed",
            "Share of the deals closed by others in which it was paid.", yes_or_no=True,
        ),
        LedgerFigure(
            "got", "got", LedgerUnit.SHARE, "share", "paid", "deals in which it was paid",
            "Share of the proceeds that it received, in deals in which it was paid.", quotient=True,
        ),
        LedgerFigure(
            "got_money", "got a deal", LedgerUnit.MONEY, "money", "paid", "deals in which it was paid",
            "Money that it received, in a deal in which it was paid.",
        ),
        LedgerFigure(
            "earned", "earned a match", LedgerUnit.MONEY, "money", SEAT_CASES, "its matches",
            "Money that others paid it for its cards and as side promises, per match.",
        ),
    ),
    ("invested", "got", "got_money", "earned"),
)  # fmt: skip

KEPT_BY = FigureTable(
    "kept",
    "Kept as Boss, by investors and value",
    ("entrant", "investors", "value"),
    KeptSums,
    (
        LedgerFigure("kept", "kept", LedgerUnit.SHARE, "share", "closed", CLOSED_DEALS, BOSS_SHARE, quotient=True),
        LedgerFigure(
            "kept_money", "kept a deal", LedgerUnit.MONEY, "money", "closed", CLOSED_DEALS,
            "Money that it kept from a deal after paying all partners.",
        ),
    ),
    ("kept", "kept_money"),
    over=("entrant", "value"),
    by_rule=(RuleFixedFigures("investors", 0, ("kept",)),),
    views=(LedgerView(LedgerForm.MAP, "investors", "kept"), LedgerView(LedgerForm.MAP, "value", "kept")),
    compared=(),
)  # fmt: skip


def _ending_figure(name: str, heading: str, definition: str) -> LedgerFigure:
    return LedgerFigure(name, heading, LedgerUnit.SHARE, name, "led", LED_NEGOTIATIONS,
        f"Share of the negotiations that it led last that {definition}.",
                  yes_or_no=True)  # fmt: skip


def _lack(name: str, heading: str, definition: str) -> LedgerFigure:
    return LedgerFigure(name, heading, LedgerUnit.SHARE, name, "failed", "its failed negotiations",
                  f"Share of its failed negotiations {definition}.", yes_or_no=True)  # fmt: skip


FAILED_TABLE = FigureTable(
    "failed",
    "Deals that failed, and why",
    ("entrant",),
    EndSums,
    (
        _ending_figure("closed", "closed", "were closed"),
        _ending_figure("given_up", "given up", "it gave up"),
        _ending_figure("quiet", "quiet", "ended because nothing new happened for as many ticks as the edition allows"),
        _ending_figure("out_of_ticks", "out of ticks", "reached the last tick that the edition allows"),
        _lack("no_offer", "no offer", "in which nobody made an offer"),
        _lack("no_agreement", "no agreement", "in which there were offers, but no agreement"),
        _lack("fell", "agreements fell", "in which agreements ended, because a card travelled or changed hands or the "
                "Boss changed, and none was left at the end"),
        _lack("too_little", "too little", "with agreements at the end that did not bring everything that the space "
                "requires, or were not used"),
        LedgerFigure(
            "worth", "worth", LedgerUnit.MONEY, "worth", "failed", "its failed negotiations",
            "Proceeds of a failed negotiation that it led last.",
        ),
    ),
    ("closed", "given_up", "quiet", "out_of_ticks", "no_agreement"),
    note="Closed, given up, quiet and out of ticks add up to 100 % of the negotiations that it led last; no offer, no "
    "agreement, agreements fell and too little to 100 % of those that failed.",
)  # fmt: skip


def add_boss(cells: Mapping[tuple[str], BossSums], names: Sequence[str], deals: Sequence[DealRow]) -> None:
    """Add a match's deals to the sums of their Bosses; ``names`` are the entrants by seat."""
    for name in names:
        cells[(name,)]
    for deal in deals:
        opened, led = cells[(names[deal.opened_by],)], cells[(names[deal.boss],)]
        opened.opened += 1
        opened.lost += deal.boss != deal.opened_by
        led.led += 1
        if deal.outcome is Ending.CLOSED:
            led.closed += 1
            led.money += deal.kept
            led.share += share_of(deal.kept, deal)
            led.investors += investor_count(deal)


def add_partners(cells: Mapping[tuple[str], PartnerSums], names: Sequence[str], deals: Sequence[DealRow]) -> None:
    """Add a match's deals to the sums of all seats but the Boss; ``names`` are the entrants by seat."""
    for name in names:
        cells[(name,)]
    for deal in deals:
        if deal.outcome is not Ending.CLOSED:
            continue
        for seat, paid in enumerate(deal.paid):
            if seat == deal.boss:
                continue
            cell = cells[(names[seat],)]
            cell.closed += 1
            if paid:
                cell.paid += 1
                cell.money += paid
                cell.share += share_of(paid, deal)


def add_kept(cells: Mapping[tuple[str, int, int], KeptSums], names: Sequence[str], deals: Sequence[DealRow]) -> None:
    """Add what Bosses kept to the sums by number of investors and value of the deal."""
    for deal in deals:
        if deal.outcome is Ending.CLOSED:
            cell = cells[names[deal.boss], investor_count(deal), min(deal.proceeds // 10, LAST_BAND) * 10]
            cell.closed += 1
            cell.money += deal.kept
            cell.share += share_of(deal.kept, deal)


def add_ends(
    cells: Mapping[tuple[str], EndSums],
    names: Sequence[str],
    deals: Sequence[DealRow],
    offers: Sequence[OfferRow],
    agreements: Sequence[AgreementRow],
) -> None:
    """Add how a match's negotiations ended to the sums of their last Bosses."""
    offered = {row.deal for row in offers}
    agreed = {row.deal for row in agreements}
    stood = {row.deal for row in agreements if row.outcome is AgreementOutcome.FAILED}
    for name in names:
        cells[(name,)]
    for deal in deals:
        cell = cells[(names[deal.boss],)]
        cell.led += 1
        match deal.outcome:
            case Ending.CLOSED:
                cell.closed += 1
                continue
            case Ending.GIVEN_UP:
                cell.given_up += 1
            case Ending.QUIET:
                cell.quiet += 1
            case Ending.OUT_OF_TICKS:
                cell.out_of_ticks += 1
        cell.failed += 1
        cell.worth += deal.proceeds
        if deal.deal in stood:
            cell.too_little += 1
        elif deal.deal in agreed:
            cell.fell += 1
        elif deal.deal in offered:
            cell.no_agreement += 1
        else:
            cell.no_offer += 1


def investor_count(deal: DealRow) -> int:
    """How many seats other than the Boss were paid."""
    return sum(1 for seat, paid in enumerate(deal.paid) if paid and seat != deal.boss)


def share_of(money: int, deal: DealRow) -> int:
    """``money`` as a part of the deal's proceeds, in millionths; one million if there are no proceeds."""
    return (2 * MILLION * money + deal.proceeds) // (2 * deal.proceeds) if deal.proceeds else MILLION
