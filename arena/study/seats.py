"""Is a seat better than another? The seat's money and wins against the mean of its table, over seat orders in which
everybody takes every seat equally often."""

from __future__ import annotations

from collections.abc import Iterable

from arena.study.finding import ByBlock, Column, Found, Line, Played, Table, chance_words
from arena.tournament.measures.measures import Unit, shared_wins

COLUMNS = (Column("more wins", Unit.SHARE, 0.0), Column("more money", Unit.MONEY, 0.0))


def seats(matches: Iterable[Played]) -> Found:
    """A line for each edition, number of seats, and seat."""
    wins, money = ByBlock[tuple[str, int]](), ByBlock[tuple[str, int]]()
    played = 0
    for played, (record, _) in enumerate(matches, 1):  # noqa: B007 - the last number is wanted
        ranks = tuple([seat.rank for seat in record.seats])
        even, middle = 1 / len(ranks), sum(seat.money for seat in record.seats) / len(ranks)
        for number, (seat, won) in enumerate(zip(record.seats, shared_wins(ranks), strict=True)):
            wins.add((record.edition, number), record.block, float(won) - even)
            money.add((record.edition, number), record.block, seat.money - middle)
    lines = [
        Line((edition, f"{number}"), (wins.mean(key), money.mean(key))) for key in wins for edition, number in [key]
    ]
    table = Table("Seats, from 0: the first turn is seat 0's", ("edition", "seat"), COLUMNS, tuple(lines))
    return Found(played, (table,), (chance_words([table]), *_extremes(table)))


def _extremes(table: Table) -> list[str]:
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
