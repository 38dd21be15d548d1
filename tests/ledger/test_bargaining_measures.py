"""Measures of bargaining in the board game, of matches so small that each is computed by hand."""

from __future__ import annotations

import pytest

from arena.games.board.log.ledger_rows import AgreementOutcome
from arena.tournament.inference.intervals import clustered_mean
from tests.ledger.by_hand import agreed, deal, ledger, match, means, offer, rows, tables

ABC = ("ann", "bob", "cy")


def test_efficiency_weighs_deals_by_their_proceeds_and_leaves_out_those_that_nobody_could_close() -> None:
    deals = [
        deal(1, 0, (0, 6, 4)),
        deal(2, 0, proceeds=60, closable=True),
        deal(3, 0, proceeds=500),
        deal(4, 1),
    ]
    found = ledger((match(*ABC), tables(deals=deals)))
    row = rows(found, "bargaining", "ann", "boss")["efficiency"]
    assert (row.estimate.mean, row.n, row.total) == (0.25, 2, None)
    assert "efficiency" not in means(found, "bargaining", "bob", "boss"), "it could close nothing"
    assert "efficiency" not in means(found, "bargaining", "ann", "partner")


def test_the_interval_of_efficiency_counts_negotiations_and_not_money() -> None:
    closed, failed = tables(deals=[deal(1, 0, (0, 0, 0))]), tables(deals=[deal(1, 0, closable=True)])
    found = ledger(*((match(*ABC, block=block), closed) for block in range(4)))
    estimate = rows(found, "bargaining", "ann", "boss")["efficiency"].estimate
    assert estimate == clustered_mean([(1, 1)] * 4, share=True)
    found = ledger(*((match(*ABC, block=block), (closed, failed)[block == 3]) for block in range(4)))
    estimate = rows(found, "bargaining", "ann", "boss")["efficiency"].estimate
    expected = clustered_mean([(1, 1)] * 3 + [(0, 1)], share=True)
    assert (estimate.mean, estimate.clusters) == (0.75, 4)
    assert (estimate.low, estimate.high) == (pytest.approx(expected.low), pytest.approx(expected.high))


def test_missed_agreements_are_a_share_of_the_failed_negotiations_of_their_last_boss() -> None:
    deals = [deal(1, 0, missed=True), deal(2, 0), deal(3, 0, (0, 0, 0)), deal(4, 1, (0, 0, 0))]
    found = ledger((match(*ABC), tables(deals=deals)))
    assert means(found, "bargaining", "ann", "boss")["missed"] == 0.5
    assert "missed" not in means(found, "bargaining", "bob", "boss"), "none of its negotiations failed"


def test_word_is_kept_for_agreements_that_a_closing_used_of_those_that_it_could_use() -> None:
    offers = [offer(number, 1, 0, by=by, to=0, price=4) for number, by in ((1, 1), (2, 2), (3, 2), (4, 2))]
    outcomes = (AgreementOutcome.USED, AgreementOutcome.UNUSED, AgreementOutcome.FELL, AgreementOutcome.USED)
    made = [
        agreed(each, outcome, usable=number != 3)
        for number, (each, outcome) in enumerate(zip(offers, outcomes, strict=True), 1)
    ]
    found = ledger((match(*ABC), tables(deals=[deal(1, 0, (0, 4, 4))], offers=offers, agreements=made)))
    assert means(found, "bargaining", "ann", "boss")["word"] == pytest.approx(2 / 3)
    assert means(found, "bargaining", "bob", "partner")["word"] == 1
    assert means(found, "bargaining", "cy", "partner")["word"] == 0.5
    assert "word" not in means(
        ledger((match(*ABC), tables(deals=[deal(1, 0, (0, 0, 0))]))), "bargaining", "ann", "boss"
    )


def test_fairness_is_what_a_seat_got_less_its_shapley_value_and_adds_up_to_nothing() -> None:
    deals = [deal(1, 0, (0, 6, 4), shapley=(10_000, 5_000, 5_000)), deal(2, 0, (0, 2, 0), shapley=(10_000, 10_000, 0))]
    found = ledger((match(*ABC), tables(deals=[*deals, deal(3, 1)])))
    values = [
        means(found, "bargaining", name, role)["fairness"]
        for name, role in zip(ABC, ("boss", *["partner"] * 2), strict=True)
    ]
    assert values == [4, -3.5, -0.5]
    assert "fairness" not in means(found, "bargaining", "bob", "boss"), "it closed nothing"
    assert rows(ledger((match(*ABC), tables(deals=[deal(1, 0)]))), "bargaining", "ann", "partner") == {}
