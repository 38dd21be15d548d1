"""The referee: one match of any bots in any players, from the seed to the result and the replay."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import msgspec

from arena.bot import Finish, Said
from arena.games.contract import Ask, Event, State
from arena.match.allowance import Allowance
from arena.match.cpu_player import SeatCpuTime
from arena.match.match_spec import MatchSpec, header_of_spec, start_of
from arena.match.minutes import Minutes
from arena.match.pulse import LifeSignDeadline
from arena.players.faults import Fault, FaultKind
from arena.players.player import Player, TimedAnswer, Usage
from arena.players.seat_result import SeatResult
from arena.replay.lines import Recorder

OUT_OF_TIME = Fault(FaultKind.OVERTIME, "the bot's time for the whole match was used up")


class LateAsk(msgspec.Struct, frozen=True):
    """The evidence of a fault ``late`` or ``overtime``: the number of the ask (0: the start), its hook, the ``seconds``
    that the bot was charged with, how many of these it ``computed`` (CPU time; None where the system does not tell),
    and what it was allowed: the ``limit`` of the ask, what was left in its ``bank``, and of its time for the whole
    ``match`` (None where there is no limit)."""

    ask: int
    hook: str
    seconds: float
    computed: float | None
    limit: float
    bank: float
    match: float | None


class SeatTime(msgspec.Struct):
    """Thinking of one seat, in seconds: asks put to its bot, their sum, the slowest, each of them; its start; and those
    that were late."""

    asks: int = 0
    total: float = 0.0
    worst: float = 0.0
    each: list[float] = []
    start: float = 0.0
    late: list[LateAsk] = []

    def add(self, seconds: float) -> None:
        """One more ask."""
        self.asks += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)
        self.each.append(seconds)


class MatchResult(msgspec.Struct):
    """The result of a match. ``hooks`` counts the asks put to each seat's bot by hook; ``usage`` is by seat, and empty
    where bots had no processes of their own; so is ``computed`` where nobody wanted to know."""

    seats: tuple[SeatResult, ...]
    termination: str
    asks: int
    void: bool
    sha256: str
    replay: bytes
    times: list[SeatTime]
    hooks: list[dict[str, int]]
    usage: list[Usage] = []
    computed: list[SeatCpuTime | None] = []


POSTED_ANSWER = TimedAnswer(None, None, -1.0)
"""Stands for an answer that has not been taken yet."""


class Referee:
    """Plays one match. Bots are handed views only; what they answer is judged by the rules, and what goes wrong with
    them is a fault of their seat. At each step ``pulse`` has a sign of life. Nobody else hears what the ``muted`` seats
    say. The ``minutes`` are new ones, unless they are given."""

    def __init__(
        self,
        spec: MatchSpec,
        players: Sequence[Player],
        pulse: LifeSignDeadline | None = None,
        muted: tuple[int, ...] = (),
        minutes: Minutes | None = None,
    ) -> None:
        self.spec, self.players, self.pulse, self.muted = spec, players, pulse or LifeSignDeadline(), muted
        self.recorder = Recorder()
        self.minutes = minutes or Minutes(header_of_spec(spec), spec.rules, self.recorder)
        self.hooks = self.minutes.game.hooks
        self.out = self.minutes.conduct.out
        self.rules = msgspec.json.encode(spec.rules)
        self.allowances = [Allowance(spec.limits) for _ in players]
        self.times = [SeatTime() for _ in players]
        self.asked: list[dict[str, int]] = [{} for _ in players]
        self.seen = [0] * len(players)

    def play(self) -> MatchResult:
        """The match from start to end; every player is closed afterwards."""
        minutes = self.minutes
        state = minutes.state
        minutes.open()
        try:
            beat = self.pulse.beat
            for seat in range(len(self.players)):
                beat()
                self.start(seat)
            while state.asks:
                beat()
                self.phase(state)
                minutes.end_phase()
            beat()
            return self.result()
        finally:
            for player in self.players:
                player.close()

    def start(self, seat: int) -> None:
        """Tell a bot the start."""
        answered = self.players[seat].start(start_of(self.spec, self.rules, seat))
        self.times[seat].start = answered.seconds
        limits = self.spec.limits
        if is_late(answered):
            late = LateAsk(0, "start", answered.seconds, answered.computed, limits.start, 0.0, limits.match)
            self.times[seat].late.append(late)
        self.minutes.start(seat, answered)

    def phase(self, state: State) -> None:
        """Put all asks of the phase, gather the answers, then let the rules apply them in order."""
        asks, news_until = state.asks, len(self.minutes.events)
        answers = [self.post(state, index, ask) for index, ask in enumerate(asks)]
        posted = [index for index, answer in enumerate(answers) if answer is POSTED_ANSWER]
        for index in posted:
            seat = asks[index].seat
            answered = self.players[seat].take(self.allowances[seat].allowed)
            if answered.fault is not None:
                answered = self.failed(seat, self.minutes.asks + index + 1, asks[index].hook, answered)
            self.charge(seat, answered.seconds)
            answers[index] = answered
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
        player = self.players[seat]
        if self.out[seat] or hook not in player.hooks:
            return None
        counts = self.asked[seat]
        counts[hook] = counts.get(hook, 0) + 1
        view = state.view(index, self.news(seat))
        player.post(self.hooks[hook], view, self.allowances[seat].allowed, self.minutes.asks + index + 1)
        return POSTED_ANSWER

    def news(self, seat: int) -> tuple[Event, ...]:
        """What happened since the seat was last asked, as far as it may know it."""
        events = self.minutes.events[self.seen[seat] :]
        if self.muted:
            events = [event for event in events if not self.hushed(event, seat)]
        return tuple(seen for event in events if (seen := event.seen_by(seat)) is not None) if events else ()

    def hushed(self, event: Event, hearer: int) -> bool:
        """Whether this is said by a muted seat, to another."""
        return type(event) is Said and event.seat in self.muted and event.seat != hearer

    def charge(self, seat: int, seconds: float) -> None:
        """Note what an answer took, and take it out of what the seat is allowed."""
        self.times[seat].add(seconds)
        self.allowances[seat].charge(seconds)

    def failed(self, seat: int, ask: int, hook: str, answered: TimedAnswer) -> TimedAnswer:
        """The fault of an ask. A bot that is late because nothing is left of its total for the match has not failed at
        this one ask only: that fault is ``overtime``."""
        limit, bank, left = self.spec.limits.ask, self.allowances[seat].bank, self.allowances[seat].left
        if not is_late(answered):
            return answered
        match = None if left == inf else left
        self.times[seat].late.append(LateAsk(ask, hook, answered.seconds, answered.computed, limit, bank, match))
        if left <= limit + bank:
            return answered._replace(fault=OUT_OF_TIME, gone=False)
        return answered

    def result(self) -> MatchResult:
        """Close the replay and tell the bots."""
        minutes = self.minutes
        result = minutes.close()
        finish = finish_of(result.seats)
        for seat, player in enumerate(self.players):
            if not self.out[seat]:
                player.finish(finish)
        return MatchResult(
            seats=result.seats,
            termination=result.termination,
            asks=result.asks,
            void=result.void,
            sha256=result.sha256,
            replay=self.recorder.content(),
            times=self.times,
            hooks=self.asked,
        )


def is_late(answered: TimedAnswer) -> bool:
    """Whether the fault is that the bot was late. Then clock readings are the evidence, which no replay may hold."""
    return answered.fault is not None and answered.fault.kind is FaultKind.LATE


def finish_of(seats: Sequence[SeatResult]) -> Finish:
    """What bots are told at the end."""
    return Finish(
        tuple(seat.money for seat in seats), tuple(seat.rank for seat in seats), tuple(seat.ended for seat in seats)
    )
