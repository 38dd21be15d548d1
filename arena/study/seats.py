"""Are some seats better than others? The seat's money and wins against the mean of its table, over seat orders in which
everybody takes every seat equally often."""

from __future__ import annotations

from collections.abc import Iterable

from arena.study.finding import MeansByKey, StudyAnswer, StudyColumn, StudyLine, StudyMatch, StudyTable, chance_words
from arena.tournament.measures.measures import MeasureUnit, shared_wins

SEAT_COLUMNS = (StudyColumn("more wins", MeasureUnit.SHARE, 0.0), StudyColumn("more money", MeasureUnit.MONEY, 0.0))


def compare_seats(matches: Iterable[StudyMatch]) -> StudyAnswer:
    """A line for each edition, number of seats, and seat."""
    wins, money = MeansByKey[tuple[str, int]](), MeansByKey[tuple[str, int]]()
    played = 0
    for played, (record, _) in enumerate(matches, 1):  # noqa: B007 - the last number is wanted
        ranks = tuple([seat.rank for seat in record.seats])
        even, middle = 1 / len(ranks), sum(seat.money for seat in record.seats) / len(ranks)
        for number, (seat, won) in enumerate(zip(record.seats, shared_wins(ranks), strict=True)):
            wins.add((record.edition, number), record.block, float(won) - even)
            money.add((record.edition, number), record.block, seat.money - middle)
    lines = [
        StudyLine((edition, f"{number}"), (wins.mean(key), money.mean(key)))
        for key in wins
        for edition, number in [key]
    ]
    table = StudyTable("Seats, from 0: the first turn is seat 0's", ("edition", "seat"), SEAT_COLUMNS, tuple(lines))
    return StudyAnswer(played, (table,), (chance_words([table]), *_extreme_seats(table)))


def _extreme_seats(table: StudyTable) -> list[str]:
    """The best and the worst seat of all, by money."""
    known = [(line, value) for line in table.lines if (value := line.values[1]) is not None and value.mean is not None]
    if not known:
        return []
    ordered = sorted(known, key=lambda each: each[1].mean or 0.0)
    told = [
        f"{name}: seat {line.label[1]} of {line.label[0]}, {value.mean:+.1f} against the mean of its table."
        for name, (line, value) in (("Most", ordered[-1]), ("Least", ordered[0]))
    ]
    return [" ".join(told)]
