"""A referee that lets a match go as recorded while it repeats the recorded asks to the bots."""

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
    """The recorded answers of a match's bots, from its replay (:class:`arena.match.walk.timeline.Timeline`) or from
    notes made while it was played."""

    def start(self, seat: int) -> TimedAnswer:
        """The answer of a seat's bot to the start."""

    def answer(self, number: int) -> TimedAnswer | None:
        """The answer to the match's ask ``number``, from 1; None where the default was played."""


class RecordFollower(Referee):
    """Gives the bots the same start and the same views, news included, and decides every ask by the ``recorded``
    answer. What a bot answers does not influence later asks: so each bot comes into the state that it had in the match.

    ``following`` says whether the record is still followed; once it is False, the match is played normally. A bot that
    could not be started, or whose process has ended, gets no more asks.
    """

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
        """Tell a bot the start, unless it failed at it in the record."""
        recorded = self.recorded.start(seat)
        self.minutes.start(seat, recorded)
        if recorded.fault is None:
            self.bots[seat].start(start_of(self.spec, self.rules, seat))

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask to a bot, unless it is gone."""
        gone = self.bots[ask.seat].gone
        return super().post(state, index, ask) if gone is None or self.out[ask.seat] else gone

    def decision(self, state: State, index: int, answered: TimedAnswer | None) -> TimedAnswer | None:
        """The answer by which an ask is decided: the recorded one while the record is followed."""
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
        """Choose the answer by which an ask is decided. ``answered`` is the bot's answer now, None where the bot was
        not asked."""
        return recorded
