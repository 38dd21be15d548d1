"""A study: what are the last deals worth? Their part of all money, and how often the leader before them wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from arena.games.board.log.ledger_rows import Ending
from arena.study.finding import MeansByKey, StudyAnswer, StudyColumn, StudyLine, StudyMatch, StudyTable
from arena.tournament.measures.measures import MeasureUnit, shared_wins

LAST_DEALS = 6
"""How many deals are looked at, counted from the end."""
LAST_DEAL_COLUMNS = (
    StudyColumn("of all proceeds", MeasureUnit.SHARE),
    StudyColumn("proceeds", MeasureUnit.MONEY),
    StudyColumn("leader wins", MeasureUnit.SHARE),
    StudyColumn("top earner wins", MeasureUnit.SHARE),
)


def last_deals(matches: Iterable[StudyMatch]) -> StudyAnswer:
    """A line for each edition and each of the last closed deals, the last first."""
    part, worth = MeansByKey[tuple[str, int]](), MeansByKey[tuple[str, int]]()
    leads, most = MeansByKey[tuple[str, int]](), MeansByKey[tuple[str, int]]()
    played = 0
    for played, (record, tables) in enumerate(matches, 1):  # noqa: B007 - the last number is wanted
        closed = [deal for deal in tables.get("deals", ()) if deal.outcome is Ending.CLOSED]
        won = [float(each) for each in shared_wins(tuple([seat.rank for seat in record.seats]))]
        received = [deal.amounts for deal in closed]
        before = _standing_before(received, len(won))
        all = sum(deal.proceeds for deal in closed)
        for place in range(1, min(LAST_DEALS, len(closed)) + 1):
            key, deal = (record.edition, place), closed[-place]
            part.add(key, record.block, deal.proceeds / all)
            worth.add(key, record.block, deal.proceeds)
            leads.add(key, record.block, _mean_at_most(before[-place], won))
            most.add(key, record.block, _mean_at_most(received[-place], won))
    lines = [
        StudyLine(
            (key[0], _deal_label(key[1])),
            (part.mean(key, True), worth.mean(key), leads.mean(key, True), most.mean(key, True)),
        )
        for key in _in_order(list(part))
    ]
    table = StudyTable("The last deals that were closed", ("edition", "deal"), LAST_DEAL_COLUMNS, tuple(lines))
    words = (
        (
            "Leader wins: how often the seat that has received most in the deals before it wins the match. "
            "Top earner wins: how often the seat that receives most in this deal wins the match. If several seats "
            "have equally much, the mean of their shares of the win counts. An even share is 1 ÷ the number of seats."
        ),
    )
    return StudyAnswer(played, (table,), words)


def _in_order(keys: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The keys sorted: editions in the order of their first key, then from the last deal backwards."""
    editions = list(dict.fromkeys(edition for edition, _ in keys))
    return sorted(keys, key=lambda key: (editions.index(key[0]), key[1]))


def _standing_before(received: Sequence[Sequence[int]], seats: int) -> list[list[int]]:
    """For each deal, what each seat had received in the deals before it."""
    start = [0] * seats
    return list(
        accumulate(received[:-1], lambda sums, each: [a + b for a, b in zip(sums, each, strict=True)], initial=start)
    )


def _mean_at_most(amounts: Sequence[int], won: Sequence[float]) -> float:
    """The mean share of the win of the seats with the greatest amount."""
    most = max(amounts)
    shares = [share for amount, share in zip(amounts, won, strict=True) if amount == most]
    return sum(shares) / len(shares)


def _deal_label(place: int) -> str:
    return "last" if place == 1 else f"{place}. from the end"
