"""The minutes of a match: how each ask is decided, what is played where a bot fails, and the replay lines for it.

The referee keeps them from the answers of players, the verifier from those in a replay.
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
        """Append the next line."""

    @property
    def sha256(self) -> str:
        """The hash of all lines so far, in hexadecimal."""


class Minutes:
    """The minutes of one match, from :meth:`open` to :meth:`close`.

    ``state`` is the game's state, ``conduct`` the cost of faults so far, ``asks`` the number of decided asks, and
    ``events`` all events since :meth:`forget`, including words.
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
        """Write the header and the events of the set-up."""
        self.writer.write(self.header)
        self.end_phase()

    def start(self, seat: int, answered: TimedAnswer) -> None:
        """Note a bot's answer to the start: a bot that failed is put out."""
        if answered.fault is not None:
            self._fail(0, seat, "start", answered.fault, answered.gone, None)

    def decide(self, index: int, answered: TimedAnswer | None) -> None:
        """Decide the phase's ask ``index``, the next in order: apply the answered move, if the rules allow it.

        The default is played for a seat that is out, for one that was not asked (None), and for one whose answer is a
        fault or an illegal move.
        """
        state = self.state
        ask = state.asks[index]
        self.asks += 1
        if answered is None or self._out[ask.seat]:
            self._play(index, ask, state.default(index))
            return
        for call in answered.calls:
            self.writer.write(lines.ModelCall(self.asks, ask.seat, *call))
        fault = answered.fault
        if fault is None:
            move = answered.move or self._idle[ask.hook]
            assert move is not None
            refused = self._play(index, ask, move, answered.say, answered.note)
            if refused is None:
                return
            fault = Fault(FaultKind.ILLEGAL, refused.reason, refused.rule, msgspec.Raw(msgspec.json.encode(move)))
        default = state.default(index)
        self._fail(self.asks, ask.seat, ask.hook, fault, answered.gone, default)
        state.apply(index, default, self.events)

    def end_phase(self) -> None:
        """Write the events since the last phase; words have already been written with their moves."""
        events = self.events
        if len(events) > self._written:
            for event in events[self._written :]:
                if type(event) is not Said:
                    self.writer.write(event)
            self._written = len(events)

    def forget(self) -> list[Event]:
        """Remove the events, all of which are written, and return them."""
        events, self.events, self._written = self.events, [], 0
        return events

    def close(self) -> lines.Result:
        """Write and return the result of the match, which is over."""
        outcome = self.state.outcome
        assert outcome is not None
        seats = self.conduct.results([seat.entrant for seat in self.header.seats], outcome)
        result = lines.Result(seats, outcome.termination, self.asks, self.writer.sha256, self.conduct.void)
        self.writer.write(result)
        return result

    def _play(self, index: int, ask: Ask, move: Move, say: str = "", note: str = "") -> Refusal | None:
        """Apply a move and write it, unless it does nothing and says nothing. Returns the rules' refusal, or None."""
        events = self.events
        before = len(events)
        if say:
            events.append(Said(ask.seat, say))
        try:
            self.state.apply(index, move, events)
        except IllegalMove as refused:
            del events[before:]
            return Refusal(refused.rule, refused.reason)
        idle = self._idle[ask.hook]
        if say or note or (move is not idle and move != idle):
            # the writer encodes the move with the line: it need not be JSON before
            line = lines.Answered(self.asks, ask.seat, ask.hook, move, say, note)  # type: ignore[arg-type]
            self.writer.write(line)
        return None

    def _fail(self, ask: int, seat: int, hook: str, fault: Fault, gone: bool, played: Move | None) -> None:
        """Count and write a fault, with the move played instead."""
        self.writer.write(self.conduct.fault(ask, seat, hook, fault, gone, played))
