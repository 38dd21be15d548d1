"""The minutes of a match: how each ask is decided, what is played where a bot fails, and the lines that tell it.

The referee keeps them with the answers of players, the verifier with those of a replay.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from arena.bot import Said
from arena.errors import IllegalMove
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Ask, Event, Move, Refusal
from arena.match.refereeing.conduct import conduct_of
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.replay import lines


class LineWriter(Protocol):
    """Takes the lines of a replay in order, such as :class:`arena.replay.lines.Recorder`."""

    def write(self, line: Event) -> None:
        """The next line."""

    @property
    def sha256(self) -> str:
        """The hash of all lines so far, in hexadecimal."""


class Minutes:
    """One match as it goes on, from :meth:`open` to :meth:`close`.

    ``state`` is the game's, ``conduct`` what faults have cost, ``asks`` the number of asks decided, and ``events`` all
    that happened, words among it (since :meth:`forget`).
    """

    def __init__(self, header: lines.Header, rules: Any, writer: LineWriter) -> None:
        """Set the match up. Raises ValueError for an unknown fault policy."""
        self.header, self.writer = header, writer
        self.conduct = conduct_of(header)
        self.game = load_game(header.game)
        self.events: list[Event] = []
        self.state = self.game.start(rules, len(header.seats), Chance(header.seed), self.events)
        self.asks = self._written = 0
        self._out = self.conduct.out
        self._idle = {name: hook.idle for name, hook in self.game.hooks.items()}

    def open(self) -> None:
        """Write the header and the set-up."""
        self.writer.write(self.header)
        self.end_phase()

    def start(self, seat: int, answered: TimedAnswer) -> None:
        """Note how a bot took the start: one that failed is out."""
        if answered.fault is not None:
            self._fail(0, seat, "start", answered.fault, answered.gone, None)

    def decide(self, index: int, answered: TimedAnswer | None) -> None:
        """Decide the phase's ask ``index``, the next in order: by the move that was answered, if the rules allow it.

        The default is played for a seat that is out, one that was not asked (None), and one whose answer is a fault or
        an illegal move.
        """
        state = self.state
        ask = state.asks[index]
        self.asks += 1
        if answered is None or self._out[ask.seat]:
            self._play(index, ask, state.default(index))
            return
        fault = answered.fault
        if fault is None:
            move = answered.move or self._idle[ask.hook]
            assert move is not None
            refused = self._play(index, ask, move, answered.say, answered.note)
            if refused is None:
                return
            fault = Fault(FaultKind.ILLEGAL, refused.reason, refused.rule, _encode_move(move))
        default = state.default(index)
        self._fail(self.asks, ask.seat, ask.hook, fault, answered.gone, default)
        state.apply(index, default, self.events)

    def end_phase(self) -> None:
        """Write what happened since the last phase; words stand with their moves already."""
        for event in self.events[self._written :]:
            if type(event) is not Said:
                self.writer.write(event)
        self._written = len(self.events)

    def forget(self) -> list[Event]:
        """Let go of the events, all of which are written, and hand them over."""
        events, self.events, self._written = self.events, [], 0
        return events

    def close(self) -> lines.Result:
        """Write the result of the match, which is over."""
        outcome = self.state.outcome
        assert outcome is not None
        seats = self.conduct.results([seat.entrant for seat in self.header.seats], outcome)
        result = lines.Result(seats, outcome.termination, self.asks, self.writer.sha256, self.conduct.void)
        self.writer.write(result)
        return result

    def _play(self, index: int, ask: Ask, move: Move, say: str = "", note: str = "") -> Refusal | None:
        """Apply a move and write it down, unless it does nothing and says nothing; why the rules refuse it, if they
        do."""
        before = len(self.events)
        if say:
            self.events.append(Said(ask.seat, say))
        try:
            self.state.apply(index, move, self.events)
        except IllegalMove as refused:
            del self.events[before:]
            return Refusal(refused.rule, refused.reason)
        idle = self._idle[ask.hook]
        if say or note or (move is not idle and move != idle):
            self.writer.write(lines.Answered(self.asks, ask.seat, ask.hook, _encode_move(move), say, note))
        return None

    def _fail(self, ask: int, seat: int, hook: str, fault: Fault, gone: bool, played: Move | None) -> None:
        """Count a fault and write it down, with what is played instead."""
        self.writer.write(self.conduct.fault(ask, seat, hook, fault, gone, played))


def _encode_move(move: Move) -> msgspec.Raw:
    """The move as JSON."""
    return msgspec.Raw(_encode(move))


_encode = msgspec.json.Encoder().encode
