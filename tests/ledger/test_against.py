"""How a figure differs from that of the others: the right difference, and intervals that hold the truth."""

from __future__ import annotations

import numpy
import pytest

from arena.games.board.presenting.ledger.offers import OFFERS_TABLE
from arena.ledger.against import LEAST_BLOCKS, _has_enough, compare_quotients, entrant_differences, estimate_differences
from arena.ledger.book import LedgerBook
from arena.ledger.cell_sums import SumsScope
from arena.ledger.figure import SeatRole
from arena.web.report.sections.distinction_section import LISTING_CHANCE

ENTRANTS, BLOCKS, RUNS = 6, 20, 500


def test_a_difference_is_own_less_the_mean_of_the_others() -> None:
    totals = numpy.array([[1.0, 3.0], [2.0, 2.0], [0.0, 8.0]])
    counts = numpy.array([[2.0, 2.0], [1.0, 4.0], [4.0, 4.0]])
    found = compare_quotients(totals, counts)
    assert found.own.tolist() == [1.0, 0.8, 1.0]
    assert found.others.tolist() == pytest.approx([0.9, 1.0, 0.9])
    assert found.influence.sum(axis=1) == pytest.approx(numpy.zeros(3))


def test_what_a_block_does_to_all_alike_cancels() -> None:
    luck = numpy.arange(7.0)
    totals = numpy.array([luck, luck + 1, luck + 3])
    found = compare_quotients(totals, numpy.ones((3, 7)))
    assert found.influence == pytest.approx(numpy.zeros((3, 7)))
    assert [told for _, _, told in estimate_differences(totals, numpy.ones((3, 7)))] == [None, None, None]


def test_intervals_hold_the_truth_and_chances_are_what_they_say() -> None:
    """Made-up tournaments: blocks have luck that all share, entrants make more or fewer offers from block to block."""
    random = numpy.random.Generator(numpy.random.PCG64(15))
    truth = numpy.array([0.30, 0.30, 0.30, 0.30, 0.30, 0.55])
    listed = LISTING_CHANCE / 47  # as many figures are compared in a run of the board game
    held, chances, wide = 0, [], []
    for _ in range(RUNS):
        counts = random.poisson(numpy.array([[4], [8], [8], [12], [16], [8]]) + numpy.zeros(BLOCKS)) + 1.0
        luck = random.normal(0, 0.06, BLOCKS)
        totals = random.binomial(counts.astype(int), numpy.clip(truth[:, None] + luck, 0, 1)).astype(float)
        for place, (_, _, told) in enumerate(estimate_differences(totals, counts)):
            assert told is not None
            estimate, _, chance = told
            true = truth[place] - (truth.sum() - truth[place]) / (ENTRANTS - 1)
            assert estimate.low is not None
            assert estimate.high is not None
            held += estimate.low <= true <= estimate.high
            (wide if place == ENTRANTS - 1 else chances).append(chance)
    assert 0.935 < held / (RUNS * ENTRANTS) < 0.97
    assert sum(each < listed for each in wide) / RUNS > 0.9, "25 points are seen"
    assert sum(each < listed for each in chances) / len(chances) < 0.02, "five points are seldom told apart"


def test_equals_differ_as_often_as_the_chance_says() -> None:
    random = numpy.random.Generator(numpy.random.PCG64(16))
    chances = []
    for _ in range(RUNS):
        counts = random.poisson(9.0, (ENTRANTS, BLOCKS)) + 1.0
        totals = random.gamma(1.5 * counts, 2.0)
        chances += [told[2] for _, _, told in estimate_differences(totals, counts) if told is not None]
    found_below = [sum(each < level for each in chances) / len(chances) for level in (0.5, 0.05, 0.005)]
    assert found_below[0] == pytest.approx(0.5, abs=0.04)
    assert found_below[1] == pytest.approx(0.05, abs=0.015)
    assert found_below[2] < 0.008


def test_what_is_rare_is_not_compared() -> None:
    figure = next(each for each in OFFERS_TABLE.figures if each.yes_or_no)
    assert _has_enough(figure, numpy.full(7, 6.0), others=0.5)
    assert not _has_enough(figure, numpy.full(7, 6.0), others=0.05), "2 of 42 would be usual, so 0 is no wonder"
    assert not _has_enough(figure, numpy.full(7, 4.0), others=0.5), "28 cases"
    assert not _has_enough(figure, numpy.array([100.0, 100.0, 0.0, 0.0, 0.0, 100.0]), others=0.5), "3 blocks"


def test_figures_of_a_ledger_are_compared_by_role() -> None:
    book = LedgerBook("board")
    for block in range(LEAST_BLOCKS):
        page = SumsScope("outline", 3, block)
        for name, made in (("one", 9), ("two", 1 + block % 2), ("three", 2 - block % 2)):
            book.seats.open_page(page)[(name,)].seats += 6
            if name != "three" or block:
                book.tables["offers"].open_page(page)[name, SeatRole.BOSS].offers += 6 * made
    figure = next(each for each in OFFERS_TABLE.figures if each.name == "made")
    found = {each.entrant: each for each in entrant_differences(book, OFFERS_TABLE, ["role"], [figure])}
    assert found["one"].keys == (SeatRole.BOSS,)
    assert (found["one"].own, found["one"].others) == (9.0, pytest.approx((7 / 5 + 6 / 5) / 2))
    assert found["one"].chance < 0.01
    assert found["three"].own == 6 / 5, "matches without an offer count"
