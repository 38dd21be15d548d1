"""What is computed for all seats at once is what each measure says of a single seat."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from arena.penalties import FaultKind, SeatEnd
from arena.tournament.measures.measures import MEASURES
from arena.tournament.measures.seat_columns import SeatColumns
from arena.tournament.records.match_record import MatchRecord, SeatRecord


def invented(count: int, largest: int) -> list[MatchRecord]:
    """Matches at tables of 2 to 7, with money up to ``largest``, faults and all ends."""
    drawn = random.Random(1)
    records = []
    for at in range(count):
        money = [drawn.randint(-largest, largest) for _ in range(drawn.randint(2, 7))]
        seats = tuple(
            SeatRecord(
                f"bot{number}",
                own,
                1 + sum(other > own for other in money),
                drawn.choice(list(SeatEnd)),
                {kind: drawn.randint(1, 3) for kind in drawn.sample(list(FaultKind), drawn.choice((0, 0, 2)))},
            )
            for number, own in enumerate(money)
        )
        records.append(MatchRecord(f"m{at}", "board", "base", at, "0", "end roll", 1, seats))
    return records


@pytest.mark.parametrize("largest", [2, 1000, 2**62])
def test_a_column_has_the_number_of_each_seat(largest: int) -> None:
    columns = SeatColumns(invented(100, largest))
    for measure in MEASURES:
        found = columns.column(measure.of)
        numbers = [Fraction(int(each), found.denominator) for each in found.numerators]
        assert numbers == [measure.of(at) for at in columns.measured_seats], measure.name
        assert found.bound >= abs(sum(int(each) for each in found.numerators)), measure.name


def test_faults_by_kind_are_those_of_each_seat() -> None:
    columns = SeatColumns(invented(200, 5))
    (parts,) = {each.parts for each in MEASURES if each.parts is not None}
    expected = [(at.seat.entrant, kind, count) for at in columns.measured_seats for kind, count in parts(at)]
    assert list(columns.measure_parts(parts)) == expected
    assert list(columns.measure_parts(lambda at: parts(at))) == expected, "asked seat by seat"


def test_seats_are_numbered_in_each_match() -> None:
    columns = SeatColumns(invented(50, 5))
    assert columns.numbers.tolist() == [at.number for at in columns.measured_seats]
