"""Null runs: copies of one bot differ by chance alone, and a test says so."""

from __future__ import annotations

import random

import numpy

from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.null_test import NullRun, judge_null
from arena.tournament.standings.standings import fold_standings

NAMES = ("one", "two", "three", "four")


def run(seed: int, blocks: int = 10, stronger: float = 0.0, repeats: bool = False) -> list[MatchRecord]:
    """Four at a table in four rotations; the first is ``stronger`` by so much, in deviations of luck. A bot that
    ``repeats`` itself has the luck of its seat alone."""
    source = random.Random(seed)
    found = []
    for block in range(blocks):
        luck = [source.gauss(0, 1) for _ in NAMES]
        for shift in range(4):
            money = {}
            for seat, name in enumerate(NAMES[shift:] + NAMES[:shift]):
                own = luck[seat] if repeats else luck[seat] + source.gauss(0, 1)
                money[name] = round(100 * (own + stronger * (name == "one")))
            ranks = {name: 1 + sum(other > mine for other in money.values()) for name, mine in money.items()}
            seats = tuple(SeatRecord(name, money[name], ranks[name]) for name in money)
            found.append(MatchRecord(f"{block}/{shift}", "board", "base", block, "seed", "end", 9, seats))
    return found


def judged(records: list[MatchRecord]) -> NullRun:
    (standings,) = fold_standings(records)
    return judge_null(standings, records, "seed")


def test_copies_that_repeat_themselves_have_identical_results() -> None:
    found = judged(run(1, repeats=True))
    assert found.identical
    assert found.same == ("wins", "money")
    assert found.missed_intervals == 0
    assert sum(each.varied for each in found.intervals) < found.interval_count, (
        "where all blocks are alike, nothing can miss"
    )
    assert all(each.alike <= each.total and each.varied <= each.shown <= each.total for each in found.intervals)
    assert found.by_chance
    assert all(probability == 1 for probability in found.probabilities.values())


def test_a_bot_that_is_stronger_than_its_copies_is_found_out() -> None:
    found = judged(run(1, stronger=1.5))
    assert not found.identical
    assert found.same == ()
    assert sum(each.varied_missed for each in found.intervals) == found.missed_intervals
    assert not found.by_chance
    assert found.missed_intervals > 5
    assert max(found.probabilities.values()) < 0.01


def test_copies_are_accused_as_often_as_chance_has_it() -> None:
    found = [judged(run(seed, blocks=6)) for seed in range(16)]
    assert sum(not each.by_chance for each in found) <= 1
    assert 0 < sum(each.missed_intervals for each in found) / sum(each.interval_count for each in found) < 0.08
    assert 0.35 < float(numpy.mean([each.probabilities["money"] for each in found])) < 0.65


def test_the_order_of_records_changes_nothing() -> None:
    records = run(3)
    before = judged(records)
    random.Random(1).shuffle(records)
    assert judged(records) == before


def test_void_matches_do_not_count_and_nothing_is_said_of_no_match() -> None:
    found = judge_null(fold_standings([], NAMES, ["base"])[0], [], "seed")
    assert (found.matches, found.interval_count, found.probability, found.by_chance) == (0, 0, None, True)
