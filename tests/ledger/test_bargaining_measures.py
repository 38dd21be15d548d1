"""Measures of bargaining in the board game, of matches so small that each is computed by hand."""

from __future__ import annotations

from math import log

import pytest

from arena.games.board.log.ledger_rows import AgreementOutcome, OfferRow
from arena.games.board.presenting.ledger.concession_measures import concession_replies, fit_log_beta
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


@pytest.mark.parametrize("beta", [0.25, 0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("ticks", [(3, 8, 13), (1, 2, 4, 7, 11), tuple(range(1, 20))])
def test_the_exponent_of_a_course_of_prices_that_follows_the_formula_is_found(
    beta: float, ticks: tuple[int, ...]
) -> None:
    times = [(tick - ticks[0]) / (ticks[-1] - ticks[0]) for tick in ticks]
    falling = [(tick, round(9e9 - 7e9 * time ** (1 / beta))) for tick, time in zip(ticks, times, strict=True)]
    assert fit_log_beta(falling, rises=False) == pytest.approx(log(beta), abs=1e-5)
    rising = [(tick, -price) for tick, price in falling]
    assert fit_log_beta(rising, rises=True) == pytest.approx(log(beta), abs=1e-5)


def test_what_shows_no_course_has_no_exponent_and_what_fits_any_great_one_has_the_bound() -> None:
    for course in ([(1, 8)], [(1, 8), (2, 6)], [(1, 8), (2, 6), (3, 8)], [(1, 8), (2, 9), (3, 10)], []):
        assert fit_log_beta(course, rises=False) is None
    assert fit_log_beta([(1, 8), (2, 8), (3, 4)], rises=False) == -3, "all at the end"
    assert fit_log_beta([(1, 8), (2, 4), (3, 4)], rises=False) == 3, "all at once"


def test_the_exponent_is_a_mean_over_the_courses_of_prices_of_a_role() -> None:
    asks = ((1, 12), (2, 11), (3, 8), (1, 12), (2, 10), (3, 8))
    made = [
        offer(number, 1 + (number > 3), 0, by=1, to=0, price=price, tick=tick)
        for number, (tick, price) in enumerate(asks, 1)
    ]
    found = ledger((match(*ABC), tables(deals=[deal(1, 0), deal(2, 0)], offers=made)))
    row = rows(found, "bargaining", "bob", "partner")["exponent"]
    assert row.n == 2
    assert row.estimate.mean == pytest.approx(log(0.5) / 2, abs=1e-6), "a quarter in half of the time, and a half"
    assert "exponent" not in means(found, "bargaining", "ann", "boss")


def test_a_reply_is_to_the_last_concession_of_an_earlier_tick() -> None:
    asks, bids = {1: 20, 2: 16, 4: 15, 5: 17}, {1: 2, 3: 5, 5: 6}
    assert concession_replies(bids, asks, rises=True) == [(4, 3), (1, 1)]
    assert concession_replies(asks, bids, rises=False) == [(3, 1), (3, -2)]
    assert concession_replies({1: 20}, bids, rises=False) == []
    assert concession_replies(asks, {1: 2}, rises=False) == []


def test_reciprocity_is_the_slope_of_replies_about_the_means_of_a_match() -> None:
    def bargain(asks: dict[int, int], bids: dict[int, int]) -> list[OfferRow]:
        sides = [
            *((tick, 1, 0, price) for tick, price in asks.items()),
            *((tick, 0, 1, price) for tick, price in bids.items()),
        ]
        return [
            offer(number, 1, 0, by=by, to=to, price=price, tick=tick)
            for number, (tick, by, to, price) in enumerate(sorted(sides), 1)
        ]

    # The Boss answers concessions of 2, 4 and 6 with 1 + half of them; bob's replies are to 2 and 3, with 4 and 6.
    both = bargain({1: 20, 2: 18, 4: 14, 6: 8}, {1: 0, 3: 2, 5: 5, 7: 9})
    constant = bargain({1: 20, 2: 18, 4: 16}, {1: 0, 3: 2, 5: 5})
    found = ledger((match(*ABC), tables(deals=[deal(1, 0)], offers=both)))
    row = rows(found, "bargaining", "ann", "boss")["reciprocity"]
    assert (row.estimate.mean, row.n, row.total) == (pytest.approx(0.5), 3, None)
    assert means(found, "bargaining", "bob", "partner")["reciprocity"] == pytest.approx(2)
    found = ledger((match(*ABC), tables(deals=[deal(1, 0)], offers=constant)))
    assert "reciprocity" not in means(found, "bargaining", "ann", "boss"), "the other's concessions are all alike"
    assert "reciprocity" not in means(found, "bargaining", "bob", "partner"), "a single reply"
    alike = [(match(*ABC, block=block), tables(deals=[deal(1, 0)], offers=both)) for block in range(2)]
    found = ledger(*alike, (match(*ABC, block=2), tables(deals=[deal(1, 0)], offers=constant)))
    row = rows(found, "bargaining", "ann", "boss")["reciprocity"]
    assert (row.estimate.mean, row.n, row.estimate.clusters) == (pytest.approx(0.5), 6, 2)
