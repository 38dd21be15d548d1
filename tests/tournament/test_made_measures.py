"""A tournament's author makes measures of the facts that the record of a match has."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.tournament.measures.custom_measures import CustomMeasure, Fact, measure_problem, with_made
from arena.tournament.measures.measures import MEASURES, MeasureUnit
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.standings import fold_standings

RECORDS = [
    MatchRecord(
        "1",
        "board",
        "base",
        0,
        "s",
        "end roll",
        500,
        (SeatRecord("ann", 40, 1), SeatRecord("ben", 20, 2, faults={"late": 2}), SeatRecord("cat", 15, 3)),
        counts={"closed": (2, 0, 1)},
    ),
    MatchRecord(
        "2",
        "board",
        "base",
        1,
        "t",
        "last deal",
        300,
        (SeatRecord("ben", 30, 1, "struck-out", {"late": 1, "broken": 4}), SeatRecord("ann", 30, 1)),
        counts={"closed": (1, 3)},
    ),
]


def values(**made: Any) -> dict[str, float | None]:
    """What each entrant has of this measure."""
    spec = msgspec.convert(made, CustomMeasure)
    (standings,) = fold_standings(RECORDS, measures=with_made({"own": spec}))
    found = {}
    for row in standings.rows:
        estimate = row["own"]
        assert estimate is not None
        assert not isinstance(estimate, int | Fraction)
        found[row.entrant] = estimate.mean
    return found


MADE: tuple[tuple[dict[str, Any], float, float], ...] = (
    ({"of": "money"}, 35, 25),
    ({"of": "money", "below": 30}, 0, 1 / 2),
    ({"of": "money", "at_most": 30}, 1 / 2, 1),
    ({"of": "money", "above": 30}, 1 / 2, 0),
    ({"of": "money", "at_least": 30, "below": 40}, 1 / 2, 1 / 2),
    ({"of": "lead"}, 7.5, -2.5),
    ({"of": "rank"}, 1, 1.5),
    ({"of": "rank", "equals": 2}, 0, 1 / 2),
    ({"of": "win"}, 3 / 4, 1 / 4),
    ({"of": "win", "equals": 0.5}, 1 / 2, 1 / 2),
    ({"of": "beaten"}, 3 / 4, 1 / 2),
    ({"of": "faults"}, 0, 3.5),
    ({"of": "faults", "kind": "late"}, 0, 1.5),
    ({"of": "faults", "kind": "late", "above": 1}, 0, 1 / 2),
    ({"of": "ended", "equals": "struck-out"}, 0, 1 / 2),
    ({"of": "seat"}, 1 / 2, 1 / 2),
    ({"of": "seat", "equals": 0}, 1 / 2, 1 / 2),
    ({"of": "asks"}, 400, 400),
    ({"of": "players", "equals": 3}, 1 / 2, 1 / 2),
    ({"of": "termination", "equals": "last deal"}, 1 / 2, 1 / 2),
    ({"of": "count", "count": "closed"}, 2.5, 0.5),
    ({"of": "count", "count": "closed", "above": 2}, 1 / 2, 0),
)
"""Measures, and what ann and ben have of each."""


def test_a_fact_is_averaged_and_a_test_gives_the_share_of_matches() -> None:
    for made, ann, ben in MADE:
        found = values(**made)
        assert (found["ann"], found["ben"]) == (pytest.approx(ann), pytest.approx(ben)), made


def test_every_fact_can_be_measured() -> None:
    more = {
        Fact.ENDED: {"equals": "played"},
        Fact.TERMINATION: {"equals": "end roll"},
        Fact.COUNT: {"count": "closed"},
    }
    for fact in Fact:
        assert values(of=fact, **more.get(fact, {}))["ann"] is not None


def test_a_count_has_no_value_over_several_games_and_none_in_records_of_before() -> None:
    deals = CustomMeasure(of=Fact.COUNT, count="closed")
    (measure,) = with_made({"deals": deals})[len(MEASURES) :]
    assert not measure.across_games
    assert measure.meaning == "mean of closed"
    old = [msgspec.structs.replace(each, counts=msgspec.UNSET) for each in RECORDS]
    with pytest.raises(UserError, match="1: its record has no count 'closed'; play it again"):
        fold_standings(old, measures=with_made({"deals": deals}))


def test_of_the_measures_of_all_standings_those_can_be_taken_that_a_run_was_folded_with() -> None:
    assert [each.name for each in with_made({}, ["wins", "faults"])] == ["wins", "faults"]
    with pytest.raises(UserError, match=r"this arena has no measure 'win_rat' \(did you mean 'win_rate'\?\)"):
        with_made({}, ["wins", "win_rat"])


def test_made_measures_follow_those_of_all_standings() -> None:
    measures = with_made({"poor": CustomMeasure(of=Fact.MONEY, below=20), "long": CustomMeasure(of=Fact.ASKS)})
    assert measures[: len(MEASURES)] == MEASURES
    poor, long = measures[len(MEASURES) :]
    assert (poor.name, poor.header, poor.unit, poor.interval) == ("poor", "poor", MeasureUnit.SHARE, True)
    assert poor.meaning == "share of matches with money below 20"
    assert not poor.across_games, "20 is of other worth in another game"
    assert long.across_games
    assert long.meaning == "mean of asks"


@pytest.mark.parametrize(
    ("name", "made", "key", "told"),
    [
        ("Second", CustomMeasure(of=Fact.RANK), "", "got 'Second'"),
        ("a" * 41, CustomMeasure(of=Fact.RANK), "", "at most 40"),
        ("wins", CustomMeasure(of=Fact.RANK), "", "standings have 'wins' already"),
        ("seat", CustomMeasure(of=Fact.RANK), "", "standings have 'seat' already"),
        ("money_half_width", CustomMeasure(of=Fact.RANK), "", "does not end with _half_width"),
        ("own", CustomMeasure(of=Fact.MONEY, kind="late"), "kind", "only faults have a kind, not money"),
        ("own", CustomMeasure(of=Fact.MONEY, count="closed"), "count", "money has no count"),
        ("own", CustomMeasure(of=Fact.COUNT), "count", "expected one of the game's counts"),
        ("own", CustomMeasure(of=Fact.RANK, equals="two"), "equals", "rank is a number; expected a number, got 'two'"),
        ("own", CustomMeasure(of=Fact.ENDED), "equals", "ended is a word: expected the one to compare with, got none"),
        ("own", CustomMeasure(of=Fact.ENDED, above=2), "above", "ended is a word and can only be tested with 'equals'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_measured_is_refused(name: str, made: CustomMeasure, key: str, told: str) -> None:
    found = measure_problem(name, made)
    assert found is not None
    assert found[0] == key
    assert told in found[1]
