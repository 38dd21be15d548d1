"""Walks through a recorded match from its first line to its last: the only loop that plays matches again from replays.

No bot is asked: each phase is decided as the replay says, and each resulting line must be the next of the file.
Verifying a match, looking at its asks, and putting them to a bot again all take the phases from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.games.contract import Ask, Event, State
from arena.match.walk.verifier import Verifier
from arena.players.player import TimedAnswer


class PhaseOutcome(NamedTuple):
    """The outcome of a phase: the answer to each ask (None where its seat was out of the match), and all events that
    ``happened``, including words. ``decided`` is the first line of the file behind the phase's answers and faults,
    ``stop`` the first behind its events; lines are numbered from 1."""

    answers: list[TimedAnswer | None]
    happened: list[Event]
    decided: int
    stop: int


class RecordedPhase:
    """One phase of a recorded match: its ``asks`` in order, the number of the ``first`` in the match, the game's
    ``state`` at the asks, and the phase's first line of the file, ``start``. The phase is played when its outcome, or
    the next phase, is requested."""

    __slots__ = ("_outcome", "_walk", "asks", "first", "start", "state")

    def __init__(self, walk: RecordWalk, state: State, asks: tuple[Ask, ...], first: int, start: int) -> None:
        self._walk, self.state, self.asks, self.first, self.start = walk, state, asks, first, start
        self._outcome: PhaseOutcome | None = None

    def play(self) -> PhaseOutcome:
        """The outcome of the phase, which is played now if it has not been."""
        if self._outcome is None:
            self._outcome = self._walk.play()
        return self._outcome

    @property
    def answers(self) -> list[TimedAnswer | None]:
        """The answer to each ask; None where its seat was out of the match."""
        return self.play().answers

    @property
    def decisions(self) -> range:
        """The line numbers of the phase's answers and faults."""
        return range(self.start, self.play().decided)

    @property
    def events(self) -> range:
        """The line numbers of the phase's events."""
        return range(self.play().decided, self.play().stop)


class RecordWalk:
    """A match in a replay, played again. ``starts`` are the answers of the seats' bots to the start, ``opening`` the
    events before the first ask.

    The ``state`` of each phase is a copy that does not change; without ``copies`` it is the match's own, which must be
    read before the phase is played. Raises Mismatch at a line that does not follow from the rules, and ReplayError for
    a file that is no replay.
    """

    def __init__(self, verifier: Verifier, copies: bool = True) -> None:
        self.verifier, self.header, self._copies = verifier, verifier.header, copies
        self._minutes = minutes = verifier.set_up()
        self.game, self.rules = minutes.game, verifier.rules
        self._finished = False
        minutes.open()
        self.starts: list[TimedAnswer] = []
        for seat in range(len(self.header.seats)):
            self.starts.append(verifier.start(seat))
            minutes.start(seat, self.starts[seat])
        verifier.compare()
        self.opening = minutes.forget()

    def phases(self) -> Iterator[RecordedPhase]:
        """The phases that have not been played yet, each when the match reaches it."""
        verifier, minutes, state = self.verifier, self._minutes, self._minutes.state
        while asks := state.asks:
            before = state.copy() if self._copies else state
            phase = RecordedPhase(self, before, asks, minutes.asks + 1, verifier.at + 1)
            yield phase
            phase.play()

    def play(self) -> PhaseOutcome:
        """Play the current phase."""
        answers, decided = self._decide(), self.verifier.at + 1
        self._minutes.end_phase()
        self.verifier.compare()
        return PhaseOutcome(answers, self._minutes.forget(), decided, self.verifier.at + 1)

    def _decide(self) -> list[TimedAnswer | None]:
        """Decide the asks of the current phase as the replay says."""
        minutes, answer = self._minutes, self.verifier.answer
        out, number = minutes.conduct.out, minutes.asks
        answers: list[TimedAnswer | None] = []
        for index, ask in enumerate(minutes.state.asks):
            number += 1
            answered = None if out[ask.seat] else answer(ask, number)
            minutes.decide(index, answered)
            answers.append(answered)
        return answers

    def finish(self) -> list[Event]:
        """Play the rest of the match, and compare its result, which must be the last line. Returns the events of the
        phases that were played here."""
        minutes = self._minutes
        if not self._finished:
            while minutes.state.asks:
                self._decide()
                minutes.end_phase()
            minutes.close()
            self.verifier.end()
            self._finished = True
        return minutes.events
