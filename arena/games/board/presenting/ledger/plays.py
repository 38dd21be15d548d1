"""Ledger table of plays in the board game: what each kind of influence card earned (B5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.cards import Family
from arena.games.board.log.ledger_rows import DealRow, Ending, PaymentRow, PlayKind, PlayRow
from arena.ledger.figure import MILLION, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit

BOSS_CARDS = "boss cards that took effect"
EFFECTIVE_TRAVELS = "travel cards that took another seat's card out of a deal"
RECRUITMENTS = "recruitments that took effect"
PLAYED_STOPS = "its STOPs"
LAID_CARDS = "clan cards that it laid"


class PlaySums(msgspec.Struct, gc=False):
    """Sums over plays by kind of card, with their effects; ``recruit_earned`` and ``clan_earned`` are in millionths."""

    boss: int = 0
    boss_stopped: int = 0
    boss_works: int = 0
    boss_closed: int = 0
    boss_kept: int = 0
    travel: int = 0
    travel_stopped: int = 0
    travel_works: int = 0
    travel_blocked: int = 0
    travel_worth: int = 0
    recruit: int = 0
    recruit_stopped: int = 0
    recruit_works: int = 0
    recruit_earned: int = 0
    stop: int = 0
    stop_saved: int = 0
    clan: int = 0
    clan_paid: int = 0
    clan_earned: int = 0


def _count_figure(name: str, what: str) -> LedgerFigure:
    return LedgerFigure(
        name, what, LedgerUnit.COUNT, name, SEAT_CASES, "its matches", f"Number of {what} that it played, per match."
    )


def _stopped_figure(name: str, what: str) -> LedgerFigure:
    return LedgerFigure(f"{name}_stopped", "stopped", LedgerUnit.SHARE, f"{name}_stopped", name,
        f"{what} that it played",
                  f"Share of its {what} that a STOP cancelled.", yes_or_no=True)  # fmt: skip


INFLUENCE_TABLE = FigureTable(
    "cards",
    "What influence cards earned",
    ("entrant",),
    PlaySums,
    (
        _count_figure("boss", "boss cards"),
        _stopped_figure("boss", "boss cards"),
        LedgerFigure(
            "boss_closed", "deals stolen", LedgerUnit.SHARE, "boss_closed", "boss_works", BOSS_CARDS,
            "Share of its effective boss cards after which it closed the deal, still as the Boss.", yes_or_no=True,
        ),
        LedgerFigure(
            "boss_kept", "kept a card", LedgerUnit.MONEY, "boss_kept", "boss_works", BOSS_CARDS,
            "Money that it kept from the deal that it closed thanks to the card; 0 if it did not close the deal.",
        ),
        _count_figure("travel", "travel cards"),
        _stopped_figure("travel", "travel cards"),
        LedgerFigure(
            "travel_blocked", "deals blocked", LedgerUnit.SHARE, "travel_blocked", "travel_works", EFFECTIVE_TRAVELS,
            "Share of its travel cards against another seat's card after which the deal failed.",
            yes_or_no=True,
        ),
        LedgerFigure(
            "travel_worth", "worth of these", LedgerUnit.MONEY, "travel_worth", "travel_blocked", "deals blocked",
            "Proceeds of the deals that failed after its travel card.",
        ),
        _count_figure("recruit", "recruitments"),
        _stopped_figure("recruit", "recruitments"),
        LedgerFigure(
            "recruit_earned", "paid a placard", LedgerUnit.MONEY, "recruit_earned", "recruit_works", RECRUITMENTS,
            "Money that others then paid it for the recruited placard, until another seat recruited the placard or the "
            "match ended. A price for several cards is divided equally.", quotient=True,
        ),
        _count_figure("stop", "STOP cards"),
        LedgerFigure(
            "stop_saved", "saved a card", LedgerUnit.MONEY, "stop_saved", "stop", PLAYED_STOPS,
            "Money that the protected seat then got from the deal, as Boss or in payments; 0 if the deal failed. A "
            "STOP against a boss card protects the Boss, any other the seat with the placard or clan card.",
        ),
        _count_figure("clan", "clan cards"),
        LedgerFigure(
            "clan_paid", "paid for", LedgerUnit.SHARE, "clan_paid", "clan", LAID_CARDS,
            "Share of the clan cards that it laid for which the Boss of a closed deal paid.", yes_or_no=True,
        ),
        LedgerFigure(
            "clan_earned", "paid a clan card", LedgerUnit.MONEY, "clan_earned", "clan", LAID_CARDS,
            "Money that others paid it for a clan card that it laid. A price for several cards is divided equally.",
            quotient=True,
        ),
    ),
    ("boss_kept", "travel_blocked", "recruit_earned", "stop_saved"),
)  # fmt: skip

Cells = Mapping[tuple[str], PlaySums]


def add_plays(
    cells: Cells,
    names: Sequence[str],
    deals: Sequence[DealRow],
    payments: Sequence[PaymentRow],
    plays: Sequence[PlayRow],
) -> None:
    """Add a match's plays to the sums; ``names`` are the entrants by seat."""
    for name in names:
        cells[(name,)]
    boss, number = -1, 0
    recruited: list[tuple[PlayRow, PlaySums]] = []
    for play in plays:
        cell = cells[(names[play.seat],)]
        deal = None if play.deal is None else deals[play.deal - 1]
        if deal is not None and deal.deal != number:
            boss, number = deal.opened_by, deal.deal
        if play.stopped_by is not None:
            stopper = cells[(names[play.stopped_by],)]
            stopper.stop += 1
            victim = boss if play.kind is PlayKind.BOSS else play.of
            stopper.stop_saved += 0 if deal is None or victim is None else _seat_proceeds(deal, victim)
        _add_play(cell, play, deal)
        if play.gained is not None:
            boss = play.seat
        if play.kind is PlayKind.RECRUIT and play.stopped_by is None:
            recruited.append((play, cell))
    _add_recruited(recruited, deals, payments)
    _add_clan_cards(cells, names, payments)


def _seat_proceeds(deal: DealRow, seat: int) -> int:
    """What a seat got from a deal, in $M; 0 if the deal was not closed."""
    return deal.amounts[seat] if deal.outcome is Ending.CLOSED else 0


def _add_play(cell: PlaySums, play: PlayRow, deal: DealRow | None) -> None:
    stopped = play.stopped_by is not None
    match play.kind:
        case PlayKind.LAY:
            cell.clan += len(play.cards)
        case PlayKind.BOSS:
            cell.boss += 1
            cell.boss_stopped += stopped
            cell.boss_works += not stopped
            cell.boss_closed += deal is not None and _closed_by(play, deal)
            cell.boss_kept += play.gained or 0
        case PlayKind.TRAVEL:
            cell.travel += 1
            cell.travel_stopped += stopped
            if stopped or deal is None or play.of in (None, play.seat):
                return
            cell.travel_works += 1
            if deal.outcome is not Ending.CLOSED:
                cell.travel_blocked += 1
                cell.travel_worth += deal.proceeds
        case PlayKind.RECRUIT:
            cell.recruit += 1
            cell.recruit_stopped += stopped
            cell.recruit_works += not stopped


def _closed_by(play: PlayRow, deal: DealRow) -> bool:
    """Whether this boss card made the Boss that closed the deal."""
    return deal.outcome is Ending.CLOSED and deal.boss == play.seat and play.gained == deal.kept


def _add_recruited(
    recruited: Sequence[tuple[PlayRow, PlaySums]], deals: Sequence[DealRow], payments: Sequence[PaymentRow]
) -> None:
    """Add what recruited placards were paid for, each until another seat recruited it."""
    for place, (play, cell) in enumerate(recruited):
        since = _first_deal(play, deals)
        again = next((later for later, _ in recruited[place + 1 :] if later.family == play.family), None)
        until = len(deals) + 1 if again is None else _first_deal(again, deals)
        for row in payments:
            if row.payee == play.seat and row.payer is not None and play.family in row.placards:
                cell.recruit_earned += _payment_per_card(row) if since <= row.deal < until else 0


def _first_deal(play: PlayRow, deals: Sequence[DealRow]) -> int:
    """The number of the first deal in which a recruited placard counts for its new owner."""
    if play.deal is not None:
        return play.deal
    return next((deal.deal for deal in deals if deal.turn > play.turn), len(deals) + 1)


def _add_clan_cards(cells: Cells, names: Sequence[str], payments: Sequence[PaymentRow]) -> None:
    for row in payments:
        if row.payer is not None and row.clans and row.amount:
            cell = cells[(names[row.payee],)]
            cell.clan_paid += len(row.clans)
            cell.clan_earned += _payment_per_card(row) * len(row.clans)


def _payment_per_card(row: PaymentRow) -> int:
    """What was paid for each card of a payment, in millionths."""
    cards: tuple[Family, ...] = row.placards + row.clans
    return round(row.amount * MILLION / len(cards)) if cards else 0
