"""A referee that lets a match go as it is recorded, while its bots are asked what they were asked then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.games.contract import Ask, State
from arena.match.match_spec import MatchSpec, start_of
from arena.match.minutes import Minutes
from arena.match.pulse import LifeSignDeadline
from arena.match.referee import Referee
from arena.players.player import Player, TimedAnswer


class RecordedAnswers(Protocol):
    """What the bots of a match answered, as its replay has it: :class:`arena.match.verify.Verifier` reads it line by
    line, :class:`arena.match.answer_script.AnswerScript` has it all."""

    def start(self, seat: int) -> TimedAnswer:
        """How a seat's bot took the start."""

    def answer(self, ask: Ask, number: int) -> TimedAnswer:
        """What a seat that is not out answered to the match's ask ``number``. Asks come in their order."""


class RecordFollower(Referee):
    """Tells the bots the same start, hands them the same views, news and all, and decides by what is ``recorded``:
    whatever a bot answers to one ask moves no other. So each comes to be in the state that it was in then.

    ``following`` says that it does so still: from where it is set to False the match is played as ever. A bot that
    could not be started, or whose process has ended, is in ``gone`` with its fault, and is asked no more."""

    def __init__(
        self,
        spec: MatchSpec,
        players: Sequence[Player],
        recorded: RecordedAnswers,
        pulse: LifeSignDeadline | None = None,
        minutes: Minutes | None = None,
    ) -> None:
        super().__init__(spec, players, pulse, minutes=minutes)
        self.recorded = recorded
        self.following = True
        self.gone: dict[int, TimedAnswer] = {}

    def start(self, seat: int) -> None:
        """Tell a bot the start, unless it failed at it then."""
        recorded = self.recorded.start(seat)
        self.minutes.start(seat, recorded)
        if recorded.fault is not None:
            return
        answered = self.players[seat].start(start_of(self.spec, self.rules, seat))
        self.times[seat].start = answered.seconds
        if answered.fault is not None:
            self.gone[seat] = answered

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask on its way, but not to a bot that is gone."""
        if ask.seat in self.gone and not self.out[ask.seat]:
            return self.gone[ask.seat]
        return super().post(state, index, ask)

    def decision(self, state: State, index: int, answered: TimedAnswer | None) -> TimedAnswer | None:
        """By which answer an ask is decided: by the recorded one."""
        if not self.following:
            return answered
        ask = state.asks[index]
        if self.out[ask.seat]:
            return None
        if answered is not None and (answered.gone or (answered.fault is not None and answered.fault.kind.final)):
            self.gone[ask.seat] = answered
        number = self.minutes.asks + 1
        recorded = self.recorded.answer(ask, number)
        return self.compare(state, index, recorded, answered)

    def compare(
        self, state: State, index: int, recorded: TimedAnswer, answered: TimedAnswer | None
    ) -> TimedAnswer | None:
        """By which answer an ask is decided that was answered now as ``answered``, None where nobody was asked."""
        return recorded
