"""The referee: one match of any bots in any players, from the seed to the result and the replay."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.bot import Finish, Said
from arena.games.contract import Ask, Event, State
from arena.match.match_counts import count_match
from arena.match.match_spec import MatchSpec, header_of_spec, start_of
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.minutes import Minutes
from arena.match.refereeing.seat_bot import SeatBot
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import Player, TimedAnswer
from arena.players.seat_result import SeatResult
from arena.replay.lines import Recorder

OUT_OF_TIME = Fault(FaultKind.OVERTIME, "the bot's time for the whole match was used up")


POSTED_ANSWER = TimedAnswer(None, None, -1.0)
"""The placeholder for an answer that has not been taken yet."""


class Referee:
    """Plays one match. Bots get views only; the rules judge their answers, and whatever goes wrong with a bot is a
    fault of its seat. At each step ``pulse`` gets a sign of life. No other seat hears what the ``muted`` seats say."""

    seat_bot: type[SeatBot] = SeatBot

    def __init__(
        self,
        spec: MatchSpec,
        players: Sequence[Player],
        pulse: LifeSignDeadline | None = None,
        muted: tuple[int, ...] = (),
    ) -> None:
        self.spec, self.pulse, self.muted = spec, pulse or LifeSignDeadline(), muted
        self.bots: Sequence[SeatBot] = [self.seat_bot(player, spec.limits) for player in players]
        self.recorder = Recorder()
        self.minutes = Minutes(header_of_spec(spec), spec.rules, self.recorder)
        self.hooks = self.minutes.game.hooks
        self.out = self.minutes.conduct.out
        self.rules = msgspec.json.encode(spec.rules)
        self.seen = [0] * len(players)

    def play(self) -> MatchResult:
        """Play the match from start to end, and close every player afterwards."""
        minutes = self.minutes
        state = minutes.state
        minutes.open()
        try:
            beat = self.pulse.sign_life
            for seat in range(len(self.bots)):
                beat()
                self.start(seat)
            while state.asks:
                beat()
                self.phase(state)
                minutes.end_phase()
            beat()
            return self.result()
        finally:
            for bot in self.bots:
                bot.player.close()

    def start(self, seat: int) -> None:
        """Tell a bot the start."""
        self.minutes.start(seat, self.bots[seat].start(start_of(self.spec, self.rules, seat)))

    def phase(self, state: State) -> None:
        """Put all asks of the phase, collect the answers, then let the rules apply them in order."""
        for index, answer in enumerate(self.collect_answers(state)):
            self.minutes.decide(index, self.decision(state, index, answer))

    def collect_answers(self, state: State) -> list[TimedAnswer | None]:
        """Put all asks of the phase and collect the answers; None where no bot was asked."""
        asks, news_until, first = state.asks, len(self.minutes.events), self.minutes.asks + 1
        answers = [self.post(state, index, ask) for index, ask in enumerate(asks)]
        posted = [index for index, answer in enumerate(answers) if answer is POSTED_ANSWER]
        if len(posted) > 1:
            posted.sort(key=lambda index: self.bots[asks[index].seat].thinks_last)
        for index in posted:
            seat, hook, _ = asks[index]
            answered = self.bots[seat].take(hook, first + index)
            answers[index] = answered if answered.fault is None else self.judged(seat, answered)
        for index in posted:
            self.seen[asks[index].seat] = news_until
        return answers

    def decision(self, state: State, index: int, answered: TimedAnswer | None) -> TimedAnswer | None:
        """The answer by which the next ask of the phase is decided: the bot's own, None where no bot was asked."""
        return answered

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask to its bot. Returns POSTED_ANSWER; None where the default is played for the bot."""
        seat, hook = ask.seat, ask.hook
        bot = self.bots[seat]
        if self.out[seat] or hook not in bot.player.hooks:
            return None
        bot.post(self.hooks[hook], state.view(index, self.unseen_events(seat)), self.minutes.asks + index + 1)
        return POSTED_ANSWER

    def judged(self, seat: int, answered: TimedAnswer) -> TimedAnswer:
        """The last answer of a seat's bot. An answer that is late because the bot's total time for the match is used up
        gets the fault ``overtime`` instead, because the bot did not fail at this ask alone."""
        fault = answered.fault
        if fault is not None and fault.kind is FaultKind.LATE and self.bots[seat].time.late[-1].of_match:
            return answered._replace(fault=OUT_OF_TIME, gone=False)
        return answered

    def unseen_events(self, seat: int) -> tuple[Event, ...]:
        """The events since the seat was last asked, as far as it may know them."""
        events = self.minutes.events[self.seen[seat] :]
        if self.muted:
            events = [event for event in events if not self.is_muted(event, seat)]
        return tuple(seen for event in events if (seen := event.seen_by(seat)) is not None) if events else ()

    def is_muted(self, event: Event, hearer: int) -> bool:
        """Whether the event is something a muted seat says, and the hearer is another seat."""
        return type(event) is Said and event.seat in self.muted and event.seat != hearer

    def result(self) -> MatchResult:
        """Close the replay, tell the bots the end, and return the result."""
        minutes = self.minutes
        result = minutes.close()
        finish = finish_of(result.seats)
        for seat, bot in enumerate(self.bots):
            if not self.out[seat]:
                bot.player.finish(finish)
        return MatchResult(
            seats=result.seats,
            termination=result.termination,
            asks=result.asks,
            void=result.void,
            sha256=result.sha256,
            replay=self.recorder.content(),
            times=[bot.time for bot in self.bots],
            hooks=[bot.asked for bot in self.bots],
            counts=count_match(minutes.game, minutes.events, len(self.bots)),
        )


def is_late(answered: TimedAnswer) -> bool:
    """Whether the fault is lateness. Its evidence is clock readings, which no replay may contain."""
    return answered.fault is not None and answered.fault.kind is FaultKind.LATE


def finish_of(seats: Sequence[SeatResult]) -> Finish:
    """The message to bots at the end of the match."""
    return Finish(
        tuple(seat.money for seat in seats), tuple(seat.rank for seat in seats), tuple(seat.ended for seat in seats)
    )
