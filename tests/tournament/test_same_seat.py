"""Matchpoints compare a result with those of everybody else who held the same seat in the same deal."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

import pytest

from arena.tournament.inference.intervals import clustered_mean
from arena.tournament.measures import same_seat
from arena.tournament.measures.measures import MEASURES, Measure, MeasureUnit, SeatInMatch
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.standings import Standings, fold_standings
from tests.tournament.estimates import around

BY_ASKS = Measure(
    "share_of_longer",
    "",
    lambda at: Fraction(at.record.asks, 7 + at.number),
    MeasureUnit.SHARE,
    interval=True,
    same_seat=True,
)


def match(block: int, seed: str, *money: tuple[str, int], edition: str = "base", void: bool = False) -> MatchRecord:
    """A record from (entrant, money) of each seat."""
    seats = [SeatRecord(name, own, 1 + sum(own < other for _, other in money)) for name, own in money]
    return MatchRecord("id", "board", edition, block, seed, "end", 9, tuple(seats), void)


def points(standings: Standings) -> dict[str, float | None]:
    found = {}
    for row in standings.rows:
        value = row["matchpoints"]
        assert not isinstance(value, int | Fraction)
        assert value is not None
        found[row.entrant] = value.mean
    return found


def naive(records: Iterable[MatchRecord], of: Measure) -> dict[str, dict[int, list[Fraction]]]:
    """The matchpoints of every match by entrant and block, by comparing every match with every other."""
    every = [record for record in records if not record.void]
    number = {id(record): [of.of(same_place(record, seat)) for seat in range(len(record.seats))] for record in every}
    found: dict[str, dict[int, list[Fraction]]] = {}
    for record in every:
        for place, seat in enumerate(record.seats):
            own = number[id(record)][place]
            others = [
                number[id(other)][place]
                for other in every
                if (other.edition, other.block, other.seed) == (record.edition, record.block, record.seed)
                and place < len(other.seats)
                and other.seats[place].entrant != seat.entrant
            ]
            if others:
                score = sum((Fraction(own > other) + Fraction(own == other, 2) for other in others), Fraction())
                found.setdefault(seat.entrant, {}).setdefault(record.block, []).append(score / len(others))
    return found


def same_place(record: MatchRecord, seat: int) -> SeatInMatch:
    return SeatInMatch(record, record.seats[seat], seat, tuple(each.rank for each in record.seats))


def drawn(seed: int, matches: int, deals: int) -> list[MatchRecord]:
    """Matches of five entrants at tables of two to four, some of them void, with some money alike."""
    source = random.Random(seed)
    found = []
    for _ in range(matches):
        block = source.randint(0, 3)
        names = source.sample("abcde", source.randint(2, 4))
        money = [(name, source.randint(-3, 3)) for name in names]
        seed_of = f"{block}-{source.randint(1, deals)}"
        record = match(block, seed_of, *money, edition=source.choice(["base", "call"]), void=source.random() < 0.1)
        found.append(record)
    return found


def test_a_result_scores_1_against_a_lower_and_a_half_against_an_equal_one_of_the_same_seat() -> None:
    (standings,) = fold_standings(
        [
            match(0, "deal", ("ann", 30), ("dan", 1)),
            match(0, "deal", ("ben", 20), ("eva", 9)),
            match(0, "deal", ("cat", 20), ("fay", 5)),
        ]
    )
    assert points(standings) == {"ann": 1, "ben": 0.25, "cat": 0.25, "dan": 0, "eva": 1, "fay": 0.5}


def test_neither_another_deal_nor_block_nor_edition_nor_void_match_is_compared() -> None:
    alone = match(0, "deal", ("ann", 30), ("ben", 1))
    others = [
        match(0, "other", ("cat", 20), ("dan", 9)),
        match(1, "deal", ("cat", 20), ("dan", 9)),
        match(0, "deal", ("cat", 20), ("dan", 9), void=True),
        match(0, "deal", ("cat", 20), ("dan", 9), edition="call"),
    ]
    (standings, _, _) = fold_standings([alone, *others], editions=["base"])
    assert set(points(standings).values()) == {None}


def test_an_entrant_is_not_compared_with_itself() -> None:
    same = [match(0, "deal", ("ann", 30), ("ben", 1)), match(0, "deal", ("ann", 10), ("cat", 1))]
    (standings,) = fold_standings(same)
    assert points(standings) == {"ann": None, "ben": 0.5, "cat": 0.5}
    (standings,) = fold_standings([*same, match(0, "deal", ("dan", 20), ("eva", 0))])
    assert points(standings) == {"ann": 0.5, "dan": 0.5, "ben": 0.75, "cat": 0.75, "eva": 0}


def test_matches_without_a_comparison_do_not_count_in_the_mean() -> None:
    compared = [match(block, "deal", ("ann", 1 + block % 2), ("ben", 0)) for block in range(4)]
    compared += [match(block, "deal", ("cat", 1), ("dan", 0)) for block in range(4)]
    alone = [match(9, f"{number}", ("ann", 0), ("ben", 0)) for number in range(5)]
    (standings,) = fold_standings([*compared, *alone])
    ann = next(row for row in standings.rows if row.entrant == "ann")
    assert ann.matches == 9
    # 1/2, 1, 1/2 and 1 in four blocks: off by 1/4 each; error² = 4/16 / (4 * 3) = 1/48, and t at 3 degrees is 3.182.
    assert ann["matchpoints"] == clustered_mean([(0.5, 1), (1, 1), (0.5, 1), (1, 1)], share=True)
    assert around(0.75, 3.182 / 48**0.5, 4).mean == 0.75


def test_seats_have_none_because_all_of_a_seat_together_always_have_half() -> None:
    (standings,) = fold_standings(drawn(1, 60, 2)[:1] * 3)
    assert all("matchpoints" not in seat.values for seat in standings.seats)


def test_money_beyond_any_machine_word_is_compared_exactly() -> None:
    (standings,) = fold_standings(
        [match(0, "deal", ("ann", 10**30 + 1), ("ben", 0)), match(0, "deal", ("cat", 10**30), ("dan", 0))]
    )
    assert points(standings) == {"ann": 1, "cat": 0, "ben": 0.5, "dan": 0.5}


@pytest.mark.parametrize("cut", [1, 7, 1 << 13], ids=lambda cut: f"{cut} at a time")
@pytest.mark.parametrize("deals", [1, 3, 40], ids=lambda deals: f"{deals} deals")
def test_they_are_those_of_comparing_every_match_with_every_other(
    monkeypatch: pytest.MonkeyPatch, cut: int, deals: int
) -> None:
    monkeypatch.setattr(same_seat, "SLICE_MATCHES", cut)
    records = drawn(deals, 60, deals)
    measures = (*MEASURES, BY_ASKS)
    for standings in fold_standings(records, measures=measures):
        own = [record for record in records if standings.edition in (record.edition, "all")]
        for measure in (each for each in measures if each.same_seat):
            expected = naive(own, measure)
            for row in standings.rows:
                blocks = expected.get(row.entrant, {}).values()
                wanted = clustered_mean([(float(sum(block)), len(block)) for block in blocks], share=True)
                check(row[measure.name], wanted)


def check(value: object, wanted: object) -> None:
    for name in ("mean", "low", "high", "clusters"):
        assert getattr(value, name) == pytest.approx(getattr(wanted, name), abs=1e-6)


def test_the_order_of_records_changes_nothing() -> None:
    records = drawn(5, 200, 3)
    expected: Sequence[Standings] = fold_standings(records)
    random.Random(1).shuffle(records)
    assert repr(fold_standings(records)) == repr(expected)
