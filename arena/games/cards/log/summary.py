"""Sums up a match of the card game: what each seat got as Boss, as Cousin and otherwise, and how it bargained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from arena.games.cards import events
from arena.games.contract import Event
from arena.games.summary import FigureUnit, Summary, SummaryFigure


class SeatCounts(msgspec.Struct):
    """What one seat did in a match; money in $, negative where it paid.

    In the rounds that it ``led`` it was the Boss, in the ``cousined`` ones it had a token (C4.1), in the ``other`` ones
    neither; for each of these there is what it ``received`` in them (C5.2). Of its ``proposals`` the Boss ``granted``
    some; of the ``requests`` that it made as Boss some were ``taken`` (C4.2); ``tokens`` is how many it gave as Boss in
    either way. ``potas`` counts those it played in front of itself, ``reverses`` those in front of others (C3.3).
    """

    led: int = 0
    received_as_boss: int = 0
    cousined: int = 0
    received_as_cousin: int = 0
    others: int = 0
    received_otherwise: int = 0
    proposals: int = 0
    granted: int = 0
    requests: int = 0
    taken: int = 0
    tokens: int = 0
    potas: int = 0
    reverses: int = 0


_COUNT_NAMES = tuple(SeatCounts.__struct_fields__)
_COUNTED = frozenset(
    {events.RoundBegan, events.Proposed, events.Requested, events.CousinMade, events.Played, events.Settled}
)
"""The events that are counted; all others, which are far more, are skipped at once."""

FIGURES = (
    SummaryFigure("rounds as Boss", "led"),
    SummaryFigure("received in each", "received_as_boss", "led", FigureUnit.MONEY, below=True),
    SummaryFigure("tokens given in each", "tokens", "led", below=True),
    SummaryFigure("rounds as Cousin", "cousined"),
    SummaryFigure("received in each", "received_as_cousin", "cousined", FigureUnit.MONEY, below=True),
    SummaryFigure("rounds as neither", "others"),
    SummaryFigure("received in each", "received_otherwise", "others", FigureUnit.MONEY, below=True),
    SummaryFigure("proposals to the Boss", "proposals"),
    SummaryFigure("of them accepted", "granted", "proposals", FigureUnit.SHARE, below=True),
    SummaryFigure("requests as Boss", "requests"),
    SummaryFigure("of them accepted", "taken", "requests", FigureUnit.SHARE, below=True),
    SummaryFigure("POTA cards played for itself", "potas"),
    SummaryFigure("reverse cards played on others", "reverses"),
)


def count(lines: Iterable[Event], players: int) -> Sequence[Sequence[int]]:
    """Count what each seat did; see :class:`arena.games.summary.Summary`."""
    seats = [SeatCounts() for _ in range(players)]
    boss, requested, cousins = 0, False, set[int]()
    for event in lines:
        if type(event) not in _COUNTED:
            continue
        match event:
            case events.RoundBegan():
                boss = event.boss
                cousins.clear()
            case events.Proposed(seat):
                seats[seat].proposals += 1
                requested = False
            case events.Requested():
                seats[boss].requests += 1
                requested = True
            case events.CousinMade(seat):
                cousins.add(seat)
                seats[boss].tokens += 1
                if requested:
                    seats[boss].taken += 1
                else:
                    seats[seat].granted += 1
            case events.Played(seat, card, to) if to is not None:
                seats[seat].potas += card.is_pota and to == seat
                seats[seat].reverses += card.is_reverse and to != seat
            case events.Settled():
                _count_settled(seats, event, cousins)
    return [[getattr(seat, name) for name in _COUNT_NAMES] for seat in seats]


def _count_settled(seats: Sequence[SeatCounts], event: events.Settled, cousins: set[int]) -> None:
    """Count the end of a round (C5)."""
    for number, (seat, amount) in enumerate(zip(seats, event.amounts, strict=True)):
        if number == event.boss:
            seat.led += 1
            seat.received_as_boss += amount
        elif number in cousins:
            seat.cousined += 1
            seat.received_as_cousin += amount
        else:
            seat.others += 1
            seat.received_otherwise += amount


SUMMARY = Summary(_COUNT_NAMES, FIGURES, count)
