"""Sums up a match of the board game: what each seat did as Boss and as partner, and which of its cards paid off."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from arena.games.board import events
from arena.games.board.moves import Recruit, TakeOver, Travel
from arena.games.contract import Event
from arena.games.summary import FigureUnit, Summary, SummaryFigure


class SeatCounts(msgspec.Struct):
    """What one seat did in a match; money in $M.

    ``opened``, ``closed`` and ``failed`` count deals, the latter two those with this seat as the last Boss (B4.1). Of
    the proceeds of the ``closed`` ones it ``kept`` a part and ``paid`` others the rest (B7.1). In ``partnered`` deals
    of others it was paid, ``received`` in all. Plays that a STOP cancelled (B5.5) are included in ``boss_cards``,
    ``travels`` and ``recruitments``, and counted again as ``…_stopped``. ``takeovers`` are deals that it closed as a
    Boss by a boss card; of these it kept ``kept_by_takeover``.
    """

    opened: int = 0
    closed: int = 0
    kept: int = 0
    paid: int = 0
    failed: int = 0
    partnered: int = 0
    received: int = 0
    boss_cards: int = 0
    boss_cards_stopped: int = 0
    takeovers: int = 0
    kept_by_takeover: int = 0
    travels: int = 0
    travels_stopped: int = 0
    recruitments: int = 0
    recruitments_stopped: int = 0
    stops: int = 0


_COUNT_NAMES = tuple(SeatCounts.__struct_fields__)
_COUNTED = frozenset(
    {events.Opened, events.Played, events.Stopped, events.NewBoss, events.Closed, events.Failed},
)
"""The events that are counted; all others, which are far more, are skipped at once."""
_PLAY_COUNTS = {TakeOver: "boss_cards", Travel: "travels", Recruit: "recruitments"}

FIGURES = (
    SummaryFigure("deals opened", "opened"),
    SummaryFigure("deals closed as Boss", "closed"),
    SummaryFigure("kept of each", "kept", "closed", FigureUnit.MONEY, below=True),
    SummaryFigure("paid to partners for each", "paid", "closed", FigureUnit.MONEY, below=True),
    SummaryFigure("deals that failed as Boss", "failed"),
    SummaryFigure("deals closed as partner", "partnered"),
    SummaryFigure("received for each", "received", "partnered", FigureUnit.MONEY, below=True),
    SummaryFigure("boss cards played", "boss_cards"),
    SummaryFigure("of them stopped", "boss_cards_stopped", "boss_cards", FigureUnit.SHARE, below=True),
    SummaryFigure("of them with the deal closed", "takeovers", "boss_cards", FigureUnit.SHARE, below=True),
    SummaryFigure("kept of each such deal", "kept_by_takeover", "takeovers", FigureUnit.MONEY, below=True),
    SummaryFigure("travel cards played", "travels"),
    SummaryFigure("of them stopped", "travels_stopped", "travels", FigureUnit.SHARE, below=True),
    SummaryFigure("placards recruited or tried to", "recruitments"),
    SummaryFigure("of them stopped", "recruitments_stopped", "recruitments", FigureUnit.SHARE, below=True),
    SummaryFigure("STOPs played", "stops"),
)


def count(lines: Iterable[Event], players: int) -> Sequence[Sequence[int]]:
    """Count what each seat did; see :class:`arena.games.summary.Summary`."""
    seats = [SeatCounts() for _ in range(players)]
    last, taken_over = "", False
    player = 0
    for event in lines:
        if type(event) not in _COUNTED:
            continue
        match event:
            case events.Opened(seat):
                seats[seat].opened += 1
                taken_over = False
            case events.Played(seat, play):
                player, last = seat, _PLAY_COUNTS[type(play)]
                _count_up(seats[player], last)
            case events.Stopped(seat):
                seats[seat].stops += 1
                _count_up(seats[player], f"{last}_stopped")
            case events.NewBoss():
                taken_over = True
            case events.Closed():
                _count_closed(seats, event, taken_over)
            case events.Failed(boss):
                seats[boss].failed += 1
    return [[getattr(seat, name) for name in _COUNT_NAMES] for seat in seats]


def _count_up(seat: SeatCounts, name: str) -> None:
    setattr(seat, name, getattr(seat, name) + 1)


def _count_closed(seats: Sequence[SeatCounts], event: events.Closed, taken_over: bool) -> None:
    """Count a closed deal (B7.1); ``taken_over``: its Boss became Boss by a boss card."""
    boss = seats[event.boss]
    boss.closed += 1
    boss.kept += event.kept
    boss.paid += sum(event.paid)
    if taken_over:
        boss.takeovers += 1
        boss.kept_by_takeover += event.kept
    for seat, amount in zip(seats, event.paid, strict=True):
        if amount:
            seat.partnered += 1
            seat.received += amount


SUMMARY = Summary(_COUNT_NAMES, FIGURES, count)
