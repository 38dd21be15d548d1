"""Finds the ask to which each line of a replay belongs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.games.contract import Event, HeldMove
from arena.match.walk.record_walk import RecordedPhase
from arena.match.walk.timeline import Timeline
from arena.replay.lines import Answered, Faulted


def with_asks(timeline: Timeline, lines: Iterable[Event]) -> Iterator[tuple[Event, int | None]]:
    """The ``lines`` of a replay, whose ``timeline`` keeps its phases, from the first on, each with the number of the
    ask it belongs to: an answer or fault belongs to its own ask; an event that was held back until others had been
    asked, to the ask that caused it; any other event to the last ask that its seat answered in that phase, or to the
    only ask of the phase. Other lines have None; so have events from the first line on that does not verify."""
    phases, asked = timeline.phases_verified(), PhaseAsks()
    phase = next(phases, None)
    held = _held_in(timeline, phase)
    for at, line in enumerate(lines, 1):
        while phase is not None and at >= phase.events.stop:
            phase = next(phases, None)
            held = _held_in(timeline, phase)
            asked.begin(held)
        if isinstance(line, Answered | Faulted):
            if phase is not None and at in phase.decisions:
                asked.answered[line.seat] = line.ask
            yield line, line.ask
        elif phase is not None and at in phase.events:
            yield line, asked.of(phase, held, line)
        else:
            yield line, None


class PhaseAsks:
    """Finds the ask to which an event of a phase belongs, from the last ask that each seat ``answered`` in it, and, for
    answers held back until others have been asked, from the ask that caused them."""

    def __init__(self) -> None:
        self.answered: dict[int, int] = {}
        self._held: dict[tuple[int, str], int | None] = {}

    def begin(self, held: tuple[HeldMove, ...]) -> None:
        """Begin a phase: ``held`` are the answers held back in it, which were given in the phase before, or were
        already held then."""
        before = self._held
        self._held = {
            each[:2]: before[each[:2]] if each[:2] in before else self.answered.get(each.seat) for each in held
        }
        self.answered = {}

    def of(self, phase: RecordedPhase, held: tuple[HeldMove, ...], event: Event) -> int | None:
        """The ask to which an event of the phase belongs, while ``held`` is held back."""
        seat = getattr(event, "seat", None)
        for each in held:
            if type(event) in each.events and seat in (None, each.seat):
                return self._held[each[:2]]
        return self.answered.get(seat) if seat is not None else phase.first if len(phase.asks) == 1 else None


def _held_in(timeline: Timeline, phase: RecordedPhase | None) -> tuple[HeldMove, ...]:
    """The answers of earlier phases that were still held back when the phase began."""
    return () if phase is None else timeline.walk.game.held(phase.state)


def asks_of_lines(timeline: Timeline, lines: Iterable[Event]) -> dict[int, int]:
    """The asks to which lines of a replay belong (:func:`with_asks`), by line number from 1."""
    return {at: ask for at, (_, ask) in enumerate(with_asks(timeline, lines), 1) if ask is not None}
