"""What the report adds up itself: money over deals, the largest payments, times. Computed by hand."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from arena.games.board.log.ledger_rows import PaymentKind, PaymentRow
from arena.games.cards.log.ledger_rows import RoundRow
from arena.match.work import SeatTiming
from arena.penalties import SeatEnd
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.web.report.figures.asking_time import thinking_of
from arena.web.report.figures.money_over_deals import MoneyOverDeals
from arena.web.report.figures.notable_matches import LargestPayments
from tests.thirdgame.pie import GAME as PIE


def record(block: int, money: tuple[int, ...], game: str = "board", edition: str = "e") -> MatchRecord:
    seats = tuple(
        SeatRecord(entrant=name, money=amount, rank=1, ended=SeatEnd.PLAYED, faults={})
        for name, amount in zip("ab", money, strict=True)
    )
    return MatchRecord(f"{edition}/{block}/{money}", game, edition, block, "00", "end roll", 1, seats)


def payment(deal: int, payer: int | None, payee: int, amount: int) -> PaymentRow:
    return PaymentRow(
        deal=deal, payer=payer, payee=payee, kind=PaymentKind.AGREEMENT, amount=amount, agreement=None, placards=(),
        clans=(),
    )  # fmt: skip


def board(deals: int, *payments: PaymentRow) -> dict[str, list[Any]]:
    return {"deals": [None] * deals, "payments": list(payments)}


MATCHES = [
    (record(0, (9, 3)), board(2, payment(1, None, 0, 12), payment(1, 0, 1, 3))),  # the second deal failed
    (record(1, (4, 6)), board(1, payment(1, None, 1, 10), payment(1, 1, 0, 4))),
    (
        record(2, (2, 8)),
        board(
            3,
            *(payment(1, None, 0, 5), payment(1, 0, 1, 3)),
            *(payment(2, 1, 0, 3), payment(2, 0, 1, 3)),
            payment(3, None, 1, 8),
        ),
    ),
]


def summed(order: Any) -> MoneyOverDeals:
    whole = MoneyOverDeals()
    for matches in order:
        part = MoneyOverDeals()
        part.add(*matches)
        whole.merge(part)
    return whole


def test_money_grows_deal_by_deal_to_what_the_standings_have() -> None:
    points = summed(MATCHES).points(["e"], "a")
    assert [point.deals for point in points] == [0, 1, 2, 3]
    assert [point.money.mean for point in points] == pytest.approx([0, (9 + 4 + 2) / 3, 5, 5])
    assert [point.reached for point in points] == [3, 3, 2, 1]
    assert points[-1].money.low is not None
    assert [point.money.mean for point in summed(MATCHES).points(["e"], "b")][-1] == pytest.approx(17 / 3)


def test_neither_order_nor_parts_change_money_over_deals() -> None:
    found = [summed(order).points(["e"], "a") for order in permutations(MATCHES)]
    assert all(each == found[0] for each in found)


def test_what_a_seat_began_with_counts_from_the_beginning() -> None:
    rounds = [
        RoundRow(
            round=number, boss=0, color=None, led=None, turns=1, tokens=0, total=1, multiplier=2, value=2,
            amounts=amounts,
        )  # type: ignore[arg-type]
        for number, amounts in enumerate([(10, -10), (5, -5)], 1)
    ]  # fmt: skip
    sums = MoneyOverDeals()
    sums.add(record(0, (115, 85), "cards"), {"rounds": rounds})
    assert [point.money.mean for point in sums.points(["e"], "a")] == [100, 110, 115]
    assert sums.points(["e"], "nobody") == []


def test_editions_of_a_game_are_added_up() -> None:
    sums = summed(MATCHES)
    sums.add(record(0, (30, 0), edition="f"), board(1, payment(1, None, 0, 30)))
    assert sums.points(["e", "f"], "a")[-1].money.mean == pytest.approx((9 + 4 + 2 + 30) / 4)


def test_matches_of_games_that_hand_over_nothing_are_passed_by() -> None:
    sums, largest = MoneyOverDeals(), LargestPayments()
    sums.add(record(0, (1, 2), PIE.name), {})
    largest.add(record(0, (1, 2), PIE.name), {})
    assert (sums.sums, largest.found) == ({}, {})


def test_the_largest_payments_are_found_whatever_the_order() -> None:
    found = []
    for order in permutations(MATCHES):
        whole = LargestPayments()
        for matches in order:
            part = LargestPayments()
            part.add(*matches)
            whole.merge(part)
        found.append(whole.in_turn())
    assert all(each == found[0] for each in found)
    assert [(each.amount, each.payer, each.payee, each.deal) for each in found[0]] == [
        (4, "b", "a", 1),
        (3, "a", "b", 1),
        (3, "a", "b", 1),
    ]


def test_times_are_added_up_by_entrant() -> None:
    def seat(entrant: str, asks: int, total: float, worst: float, middle: float) -> SeatTiming:
        return SeatTiming(entrant, asks, total, worst, {"turn": asks}, median=middle)

    found = thinking_of([(seat("a", 2, 1.0, 0.8, 0.5), seat("b", 0, 0.0, 0.0, 0.0)), (seat("a", 6, 3.0, 0.9, 0.1),)])
    assert list(found) == ["a"]
    of = found["a"]
    assert (of.asks, of.mean, of.worst, of.matches, of.hooks["turn"]) == (8, 0.5, 0.9, 2, 8)
    assert of.median_seconds == pytest.approx(0.3)
