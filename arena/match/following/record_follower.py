"""A referee that lets a match go as it is recorded, while its bots are asked what they were asked then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.games.contract import Ask, State
from arena.match.feeding.fed_bot import FedBot
from arena.match.match_spec import MatchSpec, start_of
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.referee import Referee
from arena.players.player import Player, TimedAnswer


class RecordedAnswers(Protocol):
    """What the bots of a match answered, as its replay has it (:class:`arena.match.walk.timeline.Timeline`), or the
    notes of who asked them."""

    def start(self, seat: int) -> TimedAnswer:
        """How a seat's bot took the start."""

    def answer(self, number: int) -> TimedAnswer | None:
        """What was answered to the match's ask ``number``, from 1; None where the default was played."""


class RecordFollower(Referee):
    """Tells the bots the same start, hands them the same views, news and all, and decides by what is ``recorded``:
    whatever a bot answers to one ask moves no other. So each comes to be in the state that it was in then.

    ``following`` says that it does so still: from where it is set to False the match is played as ever. A bot that
    could not be started, or whose process has ended, is asked no more."""

    seat_bot = FedBot
    bots: Sequence[FedBot]

    def __init__(
        self,
        spec: MatchSpec,
        players: Sequence[Player],
        recorded: RecordedAnswers,
        pulse: LifeSignDeadline | None = None,
    ) -> None:
        super().__init__(spec, players, pulse)
        self.recorded = recorded
        self.following = True

    def start(self, seat: int) -> None:
        """Tell a bot the start, unless it failed at it then."""
        recorded = self.recorded.start(seat)
        self.minutes.start(seat, recorded)
        if recorded.fault is None:
            self.bots[seat].start(start_of(self.spec, self.rules, seat))

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask on its way, but not to a bot that is gone."""
        gone = self.bots[ask.seat].gone
        return super().post(state, index, ask) if gone is None or self.out[ask.seat] else gone

    def decision(self, state: State, index: int, answered: TimedAnswer | None) -> TimedAnswer | None:
        """By which answer an ask is decided: by the recorded one."""
        if not self.following:
            return answered
        seat = state.asks[index].seat
        if self.out[seat]:
            return None
        if answered is not None:
            self.bots[seat].note(answered)
        return self.compare(state, index, self.recorded.answer(self.minutes.asks + 1), answered)

    def compare(
        self, state: State, index: int, recorded: TimedAnswer | None, answered: TimedAnswer | None
    ) -> TimedAnswer | None:
        """By which answer an ask is decided that was answered now as ``answered``, None where nobody was asked."""
        return recorded
