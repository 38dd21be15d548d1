"""What each seat of the board game gains, deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.games.board.log.ledger_rows import PaymentRow
from arena.games.presenting import GameRows, MoneyByDeal, SeatPayment


def _deal_gains(rows: GameRows) -> list[dict[int, int]]:
    """For each deal opened, including failed ones, what each seat gained."""
    gained: list[dict[int, int]] = [{} for _ in rows["deals"]]
    payments: Sequence[PaymentRow] = rows["payments"]
    for payment in payments:
        deal, amount = gained[payment.deal - 1], payment.amount
        deal[payment.payee] = deal.get(payment.payee, 0) + amount
        if payment.payer is not None:
            deal[payment.payer] = deal.get(payment.payer, 0) - amount
    return gained


def _seat_payments(rows: GameRows) -> Iterator[SeatPayment]:
    """What Bosses paid other seats; the proceeds are not among it, they come from the bank."""
    payments: Sequence[PaymentRow] = rows["payments"]
    for row in payments:
        if row.payer is not None:
            yield SeatPayment(row.amount, row.deal, row.payer, row.payee)


BOARD_MONEY = MoneyByDeal("deal", _deal_gains, _seat_payments, fails=True)
