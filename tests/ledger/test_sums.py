"""Sums of the ledger: neither the order of matches nor how they are split among processes changes a figure."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence

import pytest

from arena.errors import UserError
from arena.games.board.cards import Family
from arena.ledger.accumulator import LedgerSums
from arena.ledger.cell_sums import BLOCK_GROUPS
from arena.ledger.ledger_fold import GameLedger
from arena.tournament.inference.intervals import clustered_mean
from arena.tournament.records.match_record import MatchRecord
from tests.ledger.by_hand import Rows, deal, ledger, match, offer, payment, rows, tables

ABC = ("ann", "bob", "cy")
Matches = Sequence[tuple[MatchRecord, Rows]]


def made_up(number: int) -> Matches:
    """Matches with prices and payments drawn at random, in five blocks and two editions."""
    drawn = random.Random(1)
    found = []
    for at in range(number):
        price = drawn.randrange(1, 20)
        names = drawn.sample(ABC, 3)
        deals = [deal(1, 0, (0, price, 0))]
        offers = [offer(1, 1, 0, by=1, to=0, price=price, dividends=price / 3, tick=drawn.randrange(1, 4))]
        played = tables(deals=deals, offers=offers, payments=[payment(1, 0, 1, price, Family.RED)])
        found.append((match(*names, money=(20 - price, price, 0), block=at % 5, edition="ef"[at % 2]), played))
    return found


def everything(found: GameLedger, **how: object) -> list[tuple[object, ...]]:
    return [(name, *row) for name in found.tables for row in found.rows(name, **how)]  # type: ignore[arg-type]


def test_order_and_split_of_matches_change_nothing() -> None:
    matches = made_up(60)
    whole = everything(ledger(*matches))
    assert len(whole) > 100
    mixed = list(matches)
    random.Random(2).shuffle(mixed)
    assert everything(ledger(*mixed)) == whole
    together = LedgerSums()
    for first in range(0, 60, 7):
        part = LedgerSums()
        for record, played in mixed[first : first + 7]:
            part.add(record, played)
        together.merge(pickle.loads(pickle.dumps(part)))
    assert everything(GameLedger("board", "$M", together.books["board"])) == whole


def test_editions_add_up_to_the_whole() -> None:
    found = ledger(*made_up(60))
    for name, table in found.tables.items():
        apart: dict[tuple[object, ...], int] = {}
        for row in found.rows(name, by=["edition"]):
            key = (row.keys[1:], row.figure.name)
            apart[key] = apart.get(key, 0) + row.n
        assert apart == {(row.keys, row.figure.name): row.n for row in found.rows(name)}, table


def test_intervals_are_clustered_by_block() -> None:
    matches = made_up(60)
    row = rows(ledger(*matches), "payments", "ann", "bob")["paid"]
    paid, met = [0] * 5, [0] * 5
    for record, played in matches:
        names = [seat.entrant for seat in record.seats]
        met[record.block] += 1
        if names[:2] == ["ann", "bob"]:
            paid[record.block] += played["payments"][0].amount
    assert row.estimate == clustered_mean(zip(paid, met, strict=True))
    assert (row.total, row.n, row.estimate.clusters) == (sum(paid), 60, 5)


def test_blocks_beyond_a_number_are_taken_together_unless_they_are_asked_for() -> None:
    blocks = [0, 1, BLOCK_GROUPS, BLOCK_GROUPS + 1, 2]
    matches = [(match(*ABC, block=block), tables(deals=[deal(1, 0, (0, block % 7, 0))])) for block in blocks]
    found = ledger(*matches)
    assert rows(found, "boss", "ann")["kept_money"].estimate.clusters == 3
    with pytest.raises(UserError, match="combined: make a ledger by block"):
        list(found.rows("boss", by=["block"]))
    apart = ledger(*matches, by_block=True)
    assert sorted({row.keys[0] for row in apart.rows("boss", by=["block"])}) == sorted(blocks)
    assert rows(apart, "boss", "ann")["kept_money"].estimate.clusters == 5


def test_numbers_too_large_for_a_machine_word_are_added_up_exactly() -> None:
    huge = 1 << 62
    one = (match(*ABC), tables(payments=[payment(1, 0, 1, huge, Family.RED)]))
    assert rows(ledger(one, one, one), "payments", "ann", "bob")["paid"].total == 3 * huge
    beyond = (match(*ABC), tables(payments=[payment(1, 0, 1, 1 << 70, Family.RED)]))
    assert rows(ledger(one, beyond), "payments", "ann", "bob")["paid"].total == huge + (1 << 70)


def test_money_of_boss_and_partner_is_the_money_at_the_end() -> None:
    matches = made_up(60)
    found = ledger(*matches)
    for name in ABC:
        earned = sum(rows(found, table, name)["earned"].total or 0 for table in ("boss", "partner"))
        assert earned == sum(seat.money for record, _ in matches for seat in record.seats if seat.entrant == name)


def test_a_single_entrant_has_the_same_rows_as_among_all() -> None:
    found = ledger(*made_up(20))
    for name in ("offers", "payments"):
        alone = list(found.rows(name, entrant="bob"))
        assert alone == [row for row in found.rows(name) if "bob" in row.keys]
    with pytest.raises(UserError, match=r"nobody called 'bo' played \(did you mean 'bob'\?\)"):
        list(found.rows("offers", entrant="bo"))


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"by": ["editon"]}, "by: expected edition, players, block, got 'editon' (did you mean 'edition'?)"),
        ({"over": ["rol"]}, "over: expected entrant, role, got 'rol' (did you mean 'role'?)"),
    ],
)
def test_unknown_keys_are_told_with_those_that_there_are(how: dict[str, list[str]], told: str) -> None:
    with pytest.raises(UserError) as refused:
        ledger(*made_up(1)).rows("offers", **how)  # type: ignore[arg-type]
    assert str(refused.value) == told
