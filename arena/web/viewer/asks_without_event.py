"""Asks that no event of a match's page names: the event at which each can be looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from arena.games.contract import Event
from arena.match.walk.timeline import Timeline
from arena.replay.lines import Answered, Faulted


class AskGroup(msgspec.Struct, array_like=True):
    """Asks with the same ``hook`` and the event ``n``: the answer's, or if it has none (``silent``, nothing was done)
    the last before it; the numbers of the ``asks``, and the ``seats`` that were asked."""

    n: int
    hook: str
    silent: bool
    asks: list[int]
    seats: list[int]


def asks_without_event(timeline: Timeline, lines: Sequence[Event], named: Collection[int | None]) -> list[AskGroup]:
    """The asks that are not ``named`` by an event, as far as the replay verifies."""
    found = ((line, each) for line, each in _ask_places(timeline, lines) if each[0] not in named)
    groups: dict[tuple[int, str, bool], AskGroup] = {}
    for (n, hook, silent), (number, seat) in found:
        group = groups.setdefault((n, hook, silent), AskGroup(n, hook, silent, [], []))
        group.asks.append(number)
        group.seats.append(seat)
    return list(groups.values())


def own_ask_group(timeline: Timeline, lines: Sequence[Event], seat: int, ask: int) -> list[AskGroup]:
    """The ``ask`` of a seat, by its own count; none where the replay does not verify so far."""
    own = [(line, at) for line, (_, at) in _ask_places(timeline, lines) if at == seat]
    return [AskGroup(*line, [ask], [seat]) for line, _ in own[ask - 1 : ask]]


def _ask_places(timeline: Timeline, lines: Sequence[Event]) -> Iterator[tuple[tuple[int, str, bool], tuple[int, int]]]:
    """Each ask in order: its event, hook, and whether it has no line; its number and seat."""
    answers = {line.ask: at for at, line in enumerate(lines, 1) if isinstance(line, Answered | Faulted)}
    for phase in timeline.phases_verified():
        for number, ask in enumerate(phase.asks, phase.first):
            n = answers.get(number)
            yield (phase.decisions.start - 1 if n is None else n, ask.hook, n is None), (number, ask.seat)
