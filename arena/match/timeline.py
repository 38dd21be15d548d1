"""A replay played again phase by phase, to look at the asks in it: where each stands, what its seat saw, what was
legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.games.contract import Ask, Event, HeldMove, Move, State, View
from arena.match.verify import Verifier
from arena.replay.lines import Answered, Faulted, move_decoder
from arena.replay.read import read_replay_line


class TimelinePhase(NamedTuple):
    """One phase of a match: its asks in order, the number of the ``first``, and its lines of the file, from 1: those of
    its decisions, then those of what came of them; and the answers of earlier phases that were ``held`` until then."""

    first: int
    asks: tuple[Ask, ...]
    decisions: range
    events: range
    held: tuple[HeldMove, ...]


class TimelineAsk(NamedTuple):
    """The ask ``number``: what the asked seat ``view``-ed, ``legal`` answers, and what was ``played``; ``default`` is
    what is played for a seat that does not answer.

    ``line`` is its answer or fault, line ``at`` of the file; None if there is none, because nothing was done. ``out``:
    the seat was out, and the default was played for it. ``before`` are the lines of the file since the seat was asked
    ``previous`` (0: since the match began), ``phase`` is where the ask stands.
    """

    number: int
    ask: Ask
    view: View
    legal: tuple[Move, ...]
    played: Move
    line: Answered | Faulted | None
    at: int | None
    out: bool
    previous: int
    before: range
    phase: TimelinePhase
    default: Move


class Timeline:
    """A match as its replay tells it, played again. Raises Mismatch at a line that does not follow from the rules, and
    ReplayError for what is no replay."""

    def __init__(self, content: bytes) -> None:
        self.verifier = Verifier(content)
        self.verifier.take_header()
        self.minutes = self.verifier.set_up()

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self.minutes.state

    def phases(self) -> Iterator[TimelinePhase]:
        """Every phase once it has been played."""
        self.begin()
        while self.state.asks:
            yield self.play_phase()

    def begin(self) -> None:
        """Play up to the first ask."""
        self.verifier.begin(self.minutes)

    def play_phase(self) -> TimelinePhase:
        """Play the phase that is due."""
        verifier, minutes = self.verifier, self.minutes
        first, asks, start = minutes.asks + 1, minutes.state.asks, verifier.at
        held = minutes.game.held(minutes.state)
        verifier.decide(minutes)
        decided = verifier.at
        minutes.end_phase()
        minutes.forget()
        return TimelinePhase(first, asks, range(start + 1, decided + 1), range(decided + 1, verifier.at + 1), held)

    def ask(self, number: int) -> TimelineAsk | None:
        """The ask ``number``, from 1; None where the match has fewer."""
        found = self._look(lambda first, asks: [number - first] if 0 <= number - first < len(asks) else [])
        return next(found, None)

    def asks_of(self, seat: int) -> Iterator[TimelineAsk]:
        """Every ask of a seat, in order."""
        return self._look(lambda first, asks: [index for index, ask in enumerate(asks) if ask.seat == seat])

    def _look(self, which: Callable[[int, Sequence[Ask]], list[int]]) -> Iterator[TimelineAsk]:
        """Those asks of which ``which`` gives the places in their phase, from the number of its first ask and all its
        asks."""
        self.begin()
        since = dict.fromkeys(range(len(self.verifier.header.seats)), (0, 2))  # the ask before, and where it ended
        while asks := self.state.asks:
            state, chosen = self.state, which(self.minutes.asks + 1, asks)
            looks = [(index, state.view(index), state.legal(index), state.default(index)) for index in chosen]
            phase = self.play_phase()
            for index, view, legal, default in looks:
                yield self._decided(phase, index, view, legal, default, since)
            for place, ask in enumerate(phase.asks):
                since[ask.seat] = (phase.first + place, phase.events.start)

    def _decided(
        self,
        phase: TimelinePhase,
        index: int,
        view: View,
        legal: tuple[Move, ...],
        default: Move,
        since: dict[int, tuple[int, int]],
    ) -> TimelineAsk:
        ask, number = phase.asks[index], phase.first + index
        at, line = self._line(phase, number)
        out = self.minutes.conduct.out[ask.seat] and not self._went_out(phase, ask.seat, number)
        previous, start = since[ask.seat]
        before = range(start, phase.decisions.start)
        played = default if line is None else self.move(line.hook, line.move)
        return TimelineAsk(number, ask, view, legal, played, line, at, out, previous, before, phase, default)

    def _line(self, phase: TimelinePhase, number: int) -> tuple[int, Answered | Faulted] | tuple[None, None]:
        """The decision about an ask of the phase, with the number of its line."""
        for at in phase.decisions:
            line: Event = read_replay_line(self.verifier.header, self.verifier.lines[at - 1], at)
            if isinstance(line, Answered | Faulted) and line.ask == number:
                return at, line
        return None, None

    def _went_out(self, phase: TimelinePhase, seat: int, number: int) -> bool:
        """Whether the seat went out at this ask of the phase, or at one after it."""
        asks = range(number, phase.first + len(phase.asks))
        lines = (self._line(phase, each)[1] for each in asks)
        return any(isinstance(line, Faulted) and line.seat == seat and line.out for line in lines)

    def move(self, hook: str, written: msgspec.Raw | msgspec.UnsetType) -> Any:
        """A move of a line, which answers ``hook``."""
        assert not isinstance(written, msgspec.UnsetType)
        return move_decoder(self.verifier.header.game, hook).decode(written)


def with_asks(phases: Iterable[TimelinePhase], lines: Iterable[Event]) -> Iterator[tuple[Event, int | None]]:
    """The ``lines`` of a replay, from the first on, each with the ask that it tells of: an answer or fault its own; an
    event that was held until others had been asked, that at which its cause was answered; another event the last
    that its seat answered in that phase, or the only ask of the phase. Other lines have None; so have events behind the
    ``phases``, which are those of the file as far as it verifies."""
    phases = iter(phases)
    phase, asked = next(phases, None), AskTracker()
    for at, line in enumerate(lines, 1):
        while phase is not None and at >= phase.events.stop:
            phase = next(phases, None)
            asked.begin(phase)
        if isinstance(line, Answered | Faulted):
            if phase is not None and at in phase.decisions:
                asked.answered[line.seat] = line.ask
            yield line, line.ask
        elif phase is not None and at in phase.events:
            yield line, asked.of(phase, line)
        else:
            yield line, None


class AskTracker:
    """Which asks events of a phase tell of: the last that each seat ``answered`` in it, and of what is held until
    others have been asked, the one at which its cause was answered."""

    def __init__(self) -> None:
        self.answered: dict[int, int] = {}
        self._held: dict[tuple[int, str], int | None] = {}

    def begin(self, phase: TimelinePhase | None) -> None:
        """A phase begins: what is held in it was answered in the phase before, or was held then already."""
        before = self._held
        held = phase.held if phase is not None else ()
        self._held = {
            each[:2]: before[each[:2]] if each[:2] in before else self.answered.get(each.seat) for each in held
        }
        self.answered = {}

    def of(self, phase: TimelinePhase, event: Event) -> int | None:
        """The ask that an event of the phase tells of."""
        seat = getattr(event, "seat", None)
        for held in phase.held:
            if type(event) in held.events and seat in (None, held.seat):
                return self._held[held[:2]]
        return self.answered.get(seat) if seat is not None else phase.first if len(phase.asks) == 1 else None


def phases_verified(content: bytes) -> Iterator[TimelinePhase]:
    """The phases of a replay before the first line that does not follow from those before it."""
    with suppress(Mismatch, ReplayError):
        yield from Timeline(content).phases()


def asks_of_lines(content: bytes, lines: Iterable[Event]) -> dict[int, int]:
    """The asks that lines of the file tell of (:func:`with_asks`), by the lines' numbers from 1."""
    return {at: ask for at, (_, ask) in enumerate(with_asks(phases_verified(content), lines), 1) if ask is not None}
