"""A recorded match for inspection: its phases and asks, with what each seat saw and what was legal.

A timeline is walked only once, however many callers read it, and only as far as they read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.games.contract import Ask, Event, Move, View
from arena.match.walk.record_walk import RecordedPhase, RecordWalk
from arena.match.walk.verifier import Verifier
from arena.players.player import TimedAnswer
from arena.replay.frame import unpack_replay
from arena.replay.lines import Answered, Faulted, Header, move_decoder
from arena.replay.read import read_replay_line


class TimelineAsk(NamedTuple):
    """The ask ``number``: the asked seat's ``view``, its ``legal`` answers, and what was ``played``; ``default`` is
    played for a seat that does not answer.

    ``line`` is its answer or fault, line ``at`` of the file; None if there is none, because nothing was done. ``out``:
    the seat was out, and the default was played for it. ``before`` are the lines of the file since the seat's
    ``previous`` ask (0: since the match began), ``phase`` is the phase of the ask.
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
    phase: RecordedPhase
    default: Move


class Timeline:
    """The match in a replay, whose bytes are its ``content``. ``seats`` has the asked seat by ask, as far as the match
    has been walked.

    The phases are kept for later readers, each with the state of the game at its beginning. If they are not ``kept``
    they are walked anew each time, and a phase's state must be read before the phase is played.

    Every method that walks the match raises Mismatch at a line that does not follow from the rules, and ReplayError for
    a file that is no replay.
    """

    def __init__(self, content: bytes, kept: bool = True) -> None:
        self.content, self.kept = content, kept
        self._begin()

    def _begin(self) -> None:
        self.seats: list[int] = []
        self._answers: list[TimedAnswer | None] = []
        self._phases: list[RecordedPhase] = []
        self._walk: RecordWalk | None = None
        self._walked = False

    @property
    def walk(self) -> RecordWalk:
        """The walk through the match, at its first ask or as far as the match has been read."""
        if self._walk is None:
            self._walk = RecordWalk(Verifier(self.content), copies=self.kept)
        return self._walk

    @property
    def header(self) -> Header:
        """Its first line."""
        return self.walk.header

    @property
    def rules(self) -> Any:
        """The rules of its game, typed."""
        return self.walk.rules

    def phases(self) -> Iterator[RecordedPhase]:
        """Every phase in order."""
        if not self.kept:
            if self._walked:
                self._begin()
            self._walked = True
            yield from self.walk.phases()
            return
        for number in count():
            if number == len(self._phases) and not self._walk_on():
                return
            yield self._phases[number]

    def phases_verified(self) -> Iterator[RecordedPhase]:
        """The phases before the first line that does not follow from those before it; what came of each is known."""
        with suppress(Mismatch, ReplayError):
            for phase in self.phases():
                phase.play()
                yield phase

    def _walk_on(self) -> bool:
        """Walk one phase, and keep it; False where there are no more. A walk that fails is discarded, because it stands
        in the middle of a phase."""
        try:
            phase = next(self.walk.phases(), None)
            if phase is None:
                return False
            self._answers += phase.answers
        except BaseException:
            self._begin()
            raise
        self._phases.append(phase)
        self.seats += [ask.seat for ask in phase.asks]
        return True

    def finish(self) -> None:
        """Walk and compare the rest of the replay, to its last line."""
        while self.kept and self._walk_on():
            pass
        self.walk.finish()

    def start(self, seat: int) -> TimedAnswer:
        """The answer of a seat's bot to the start."""
        return self.walk.starts[seat]

    def answer(self, number: int) -> TimedAnswer | None:
        """The answer to the ask ``number``, from 1, of a match that has been walked that far; None where its seat was
        out."""
        return self._answers[number - 1]

    def ask(self, number: int) -> TimelineAsk | None:
        """The ask ``number``, from 1; None where the match has fewer."""
        return next(self._look(lambda at, ask: at == number), None)

    def asks_of(self, seat: int) -> Iterator[TimelineAsk]:
        """Every ask of a seat, in order."""
        return self._look(lambda number, ask: ask.seat == seat)

    def _look(self, wanted: Callable[[int, Ask], bool]) -> Iterator[TimelineAsk]:
        """The asks for which ``wanted`` is true."""
        since = dict.fromkeys(range(len(self.header.seats)), (0, 2))  # the ask before, and where it ended
        for phase in self.phases():
            for index, ask in enumerate(phase.asks):
                if wanted(phase.first + index, ask):
                    yield self._ask(phase, index, *since[ask.seat])
            for number, ask in enumerate(phase.asks, phase.first):
                since[ask.seat] = (number, phase.events.start)

    def _ask(self, phase: RecordedPhase, index: int, previous: int, start: int) -> TimelineAsk:
        state, ask, number = phase.state, phase.asks[index], phase.first + index
        view, legal, default = state.view(index), state.legal(index), state.default(index)
        at, line = self._line(phase, number)
        return TimelineAsk(
            number=number,
            ask=ask,
            view=view,
            legal=legal,
            played=default if line is None else self.move(line.hook, line.move),
            line=line,
            at=at,
            out=phase.answers[index] is None,
            previous=previous,
            before=range(start, phase.start),
            phase=phase,
            default=default,
        )

    def _line(self, phase: RecordedPhase, number: int) -> tuple[int, Answered | Faulted] | tuple[None, None]:
        """The replay's line about an ask of the phase, its answer or fault, with the line's number; None for both where
        there is none."""
        for at in phase.decisions:
            line: Event = read_replay_line(self.header, self.walk.verifier.lines[at - 1], at)
            if isinstance(line, Answered | Faulted) and line.ask == number:
                return at, line
        return None, None

    def move(self, hook: str, written: msgspec.Raw | msgspec.UnsetType) -> Any:
        """Decode a move of a line, which answers ``hook``."""
        assert not isinstance(written, msgspec.UnsetType)
        return move_decoder(self.header.game, hook).decode(written)


@lru_cache(maxsize=4)
def whole_timeline(packed: bytes) -> Timeline:
    """The match of a packed replay (:func:`arena.replay.frame.pack_replay`), walked to its end, for playing many
    branches of it. Raises Mismatch at a line that does not follow from the rules, and ReplayError for a file that is no
    replay."""
    timeline = Timeline(unpack_replay(packed))
    timeline.finish()
    return timeline
