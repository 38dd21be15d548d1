"""How one seat numbers a match: by what it saw of the match, and by its own asks.

The numbers of a replay's lines and asks would reveal to a seat that something happened which it did not see, such as
another seat's yes that had no effect. So everything that is shown for one seat alone is numbered by the seat's own
count, from 1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from arena.errors import UserError
from arena.games.contract import Event, Fold
from arena.match.walk.record_walk import RecordedPhase
from arena.match.walk.timeline import Timeline
from arena.replay.lines import Answered, Faulted, Header
from arena.replay.read import game_of, read_replay_lines, rules_of
from arena.replay.replay_sentences import Sentences


class SeatNumbers(NamedTuple):
    """The numbering of a ``seat``: the ``lines`` of the file of which it saw something, and the numbers of its ``asks``
    in the match, both in order. After the first line that does not follow from the rules, only asks that have a line
    are known."""

    seat: int
    lines: Sequence[int]
    asks: Sequence[int]

    def seen(self, line: int) -> int:
        """The number of the last thing that the seat saw up to a line; 1 if it saw nothing before."""
        return max(1, bisect_right(self.lines, line))

    def next_seen(self, line: int) -> int:
        """The number of the first thing that the seat saw from a line on; if there is none, one more than the last."""
        return bisect_left(self.lines, line) + 1

    def own_ask(self, ask: int | None) -> int | None:
        """The seat's own number for an ask of the match, 0 for the start; None where the ask is not one of the
        seat's."""
        if not ask:
            return ask
        at = bisect_left(self.asks, ask)
        return at + 1 if self.asks[at : at + 1] == [ask] else None

    def line_of(self, seen: int) -> int:
        """The line of the file for the seat's number ``seen``. Raises UserError where the seat saw less."""
        if not 1 <= seen <= len(self.lines):
            raise UserError(f"there is no event {seen} of seat {self.seat}; its own events are 1 to {self.last}")
        return self.lines[seen - 1]

    def ask_of(self, own: int) -> int:
        """The number in the match for an ask by the seat's own count. Raises UserError where the seat has fewer
        asks."""
        if not 1 <= own <= len(self.asks):
            raise UserError(f"there is no ask {own} of seat {self.seat}; its own asks are 1 to {self.many}")
        return self.asks[own - 1]

    @property
    def last(self) -> int:
        """The number of the last thing that the seat saw."""
        return len(self.lines)

    @property
    def many(self) -> int:
        """The number of the seat's asks."""
        return len(self.asks)

    def places(self, lines: Mapping[int | None, int]) -> dict[int | None, int]:
        """Convert a mapping from asks to lines into one from the seat's own asks to the number of what it saw next."""
        return {self.own_ask(ask): self.next_seen(line) for ask, line in lines.items() if ask in (None, 0, *self.asks)}


def check_seat(header: Header, seat: int | None) -> None:
    """Raise UserError where the match has no such seat."""
    players = len(header.seats)
    if seat is not None and not 0 <= seat < players:
        raise UserError(f"there is no seat {seat}; seats are 0 to {players - 1}")


class TableFollower:
    """The table as it changes with the lines of a match, complete or as a ``seat`` sees it; None in a game that does
    not define how its table is computed."""

    def __init__(self, header: Header, rules: Any, seat: int | None) -> None:
        self.fold: Fold | None = None
        with suppress(UserError):  # the game has no fold
            self.fold = game_of(header).fold(rules, len(header.seats), seat)
        self.table: Any = self.fold.table if self.fold else None

    def follow(self, line: Event) -> bool:
        """Apply a line to the table; returns whether it changed the table."""
        if self.fold is None:
            return False
        self.fold.follow(line)
        before, self.table = self.table, self.fold.table
        return self.table is not before and self.table != before


def table_money(table: object) -> dict[int, int]:
    """The money of the seats on a table, by seat, where it is known; empty in a game whose tables have no ``money``."""
    money = getattr(table, "money", None)
    if not isinstance(money, tuple | list):
        return {}
    return {seat: amount for seat, amount in enumerate(money) if isinstance(amount, int)}


def seat_numbers(
    header: Header, rules: Any, lines: Sequence[Event], phases: Iterable[RecordedPhase], seat: int
) -> SeatNumbers:
    """The numbering of a ``seat`` in the match with these ``lines`` and ``phases``. From the first line on that
    contradicts those before it, the seat counts as seeing nothing."""
    names = [each.entrant for each in header.seats]
    sentences, table, seen = Sentences(header, rules, names), TableFollower(header, rules, seat), list[int]()
    with suppress(ValueError, LookupError, AssertionError):
        for number, line in enumerate(lines, 1):
            told, changed = list(sentences.line_sentences(line, seat)), table.follow(line)
            if told or changed:
                seen.append(number)
    return SeatNumbers(seat, seen, _asks(lines, phases, seat))


def _asks(lines: Sequence[Event], phases: Iterable[RecordedPhase], seat: int) -> list[int]:
    asks, known = list[int](), 0
    for phase in phases:
        asks += [number for number, ask in enumerate(phase.asks, phase.first) if ask.seat == seat]
        known = phase.first + len(phase.asks) - 1
    decided = (line for line in lines if isinstance(line, Answered | Faulted))
    return asks + [line.ask for line in decided if line.seat == seat and line.ask > known]


def seat_numbers_in(timeline: Timeline, seat: int) -> SeatNumbers:
    """The numbering of a ``seat`` in the match of a timeline; the match must have this seat. Raises ReplayError for a
    file that is no finished replay."""
    header, lines = read_replay_lines(timeline.content)
    return seat_numbers(header, rules_of(header), lines, timeline.phases_verified(), seat)
