"""The referee: one match of any bots in any players, from the seed to the result and the replay."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from arena.bot import Finish, Said
from arena.games.contract import Ask, Event, State
from arena.match.match_counts import MatchCounts, count_match
from arena.match.match_spec import MatchSpec, header_of_spec, start_of
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.cpu_player import SeatCpuTime
from arena.match.refereeing.minutes import Minutes
from arena.match.refereeing.seat_bot import SeatBot, SeatTime
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import Player, TimedAnswer, Usage
from arena.players.seat_result import SeatResult
from arena.replay.lines import Recorder

OUT_OF_TIME = Fault(FaultKind.OVERTIME, "the bot's time for the whole match was used up")


class MatchResult(msgspec.Struct):
    """The result of a match. ``counts`` are the game's; ``hooks`` counts the asks put to each seat's bot by hook;
    ``usage`` is by seat, and empty where bots had no processes of their own; so is ``computed`` where nobody wanted to
    know."""

    seats: tuple[SeatResult, ...]
    termination: str
    asks: int
    void: bool
    sha256: str
    replay: bytes
    times: list[SeatTime]
    hooks: list[dict[str, int]]
    counts: MatchCounts = UNSET
    usage: list[Usage] = []
    computed: list[SeatCpuTime | None] = []


POSTED_ANSWER = TimedAnswer(None, None, -1.0)
"""Stands for an answer that has not been taken yet."""


class Referee:
    """Plays one match. Bots are handed views only; what they answer is judged by the rules, and what goes wrong with
    them is a fault of their seat. At each step ``pulse`` has a sign of life. Nobody else hears what the ``muted`` seats
    say."""

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
        """The match from start to end; every player is closed afterwards."""
        minutes = self.minutes
        state = minutes.state
        minutes.open()
        try:
            beat = self.pulse.beat
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
        """Put all asks of the phase, gather the answers, then let the rules apply them in order."""
        asks, news_until, first = state.asks, len(self.minutes.events), self.minutes.asks + 1
        answers = [self.post(state, index, ask) for index, ask in enumerate(asks)]
        posted = [index for index, answer in enumerate(answers) if answer is POSTED_ANSWER]
        for index in posted:
            seat, hook, _ = asks[index]
            answered = self.bots[seat].take(hook, first + index)
            answers[index] = answered if answered.fault is None else self.judged(seat, answered)
        for index in posted:
            self.seen[asks[index].seat] = news_until
        for index, answer in enumerate(answers):
            self.minutes.decide(index, self.decision(state, index, answer))

    def decision(self, state: State, index: int, answered: TimedAnswer | None) -> TimedAnswer | None:
        """By which answer the next ask of the phase is decided: by what was answered, None where nobody was asked."""
        return answered

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask on its way: POSTED; None where the default stands for the bot."""
        seat, hook = ask.seat, ask.hook
        bot = self.bots[seat]
        if self.out[seat] or hook not in bot.player.hooks:
            return None
        bot.post(self.hooks[hook], state.view(index, self.news(seat)), self.minutes.asks + index + 1)
        return POSTED_ANSWER

    def judged(self, seat: int, answered: TimedAnswer) -> TimedAnswer:
        """The answer that a seat's bot gave last. One that is late because nothing is left of its total for the match
        has not failed at this ask only: that fault is ``overtime``."""
        fault = answered.fault
        if fault is not None and fault.kind is FaultKind.LATE and self.bots[seat].time.late[-1].of_match:
            return answered._replace(fault=OUT_OF_TIME, gone=False)
        return answered

    def news(self, seat: int) -> tuple[Event, ...]:
        """What happened since the seat was last asked, as far as it may know it."""
        events = self.minutes.events[self.seen[seat] :]
        if self.muted:
            events = [event for event in events if not self.hushed(event, seat)]
        return tuple(seen for event in events if (seen := event.seen_by(seat)) is not None) if events else ()

    def hushed(self, event: Event, hearer: int) -> bool:
        """Whether this is said by a muted seat, to another."""
        return type(event) is Said and event.seat in self.muted and event.seat != hearer

    def result(self) -> MatchResult:
        """Close the replay and tell the bots."""
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
    """Whether the fault is that the bot was late. Then clock readings are the evidence, which no replay may hold."""
    return answered.fault is not None and answered.fault.kind is FaultKind.LATE


def finish_of(seats: Sequence[SeatResult]) -> Finish:
    """What bots are told at the end."""
    return Finish(
        tuple(seat.money for seat in seats), tuple(seat.rank for seat in seats), tuple(seat.ended for seat in seats)
    )
