"""The referee: one match of any bots in any players, from the seed to the result and the replay."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import msgspec

from arena.bot import Finish, Said, Start
from arena.games.contract import Ask, Event, State
from arena.match.minutes import Minutes
from arena.match.pulse import Pulse
from arena.match.spec import MatchSpec, header
from arena.players.faults import Fault, FaultKind
from arena.players.own_seeds import own_seed
from arena.players.player import Player, TimedAnswer, Usage
from arena.players.results import SeatResult
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
    where bots had no processes of their own."""

    seats: tuple[SeatResult, ...]
    termination: str
    asks: int
    void: bool
    sha256: str
    replay: bytes
    times: list[SeatTime]
    hooks: list[dict[str, int]]
    usage: list[Usage] = []


POSTED = TimedAnswer(None, None, -1.0)
"""Stands for an answer that has not been taken yet."""


class Referee:
    """Plays one match. Bots are handed views only; what they answer is judged by the rules, and what goes wrong with
    them is a fault of their seat. At each step ``pulse`` has a sign of life. Nobody else hears what the ``muted`` seats
    say."""

    def __init__(
        self, spec: MatchSpec, players: Sequence[Player], pulse: Pulse | None = None, muted: tuple[int, ...] = ()
    ) -> None:
        self.spec, self.players, self.pulse, self.muted = spec, players, pulse or Pulse(), muted
        self.recorder = Recorder()
        self.minutes = Minutes(header(spec), spec.rules, self.recorder)
        self.hooks = self.minutes.game.hooks
        self.out = self.minutes.conduct.out
        self.rules = msgspec.json.encode(spec.rules)
        self.bank = [spec.limits.bank] * len(players)
        total = spec.limits.match
        self.left = [inf if total is None else total] * len(players)
        """Seconds of thinking that each seat has left for the rest of the match."""
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
        spec = self.spec
        told = Start(
            game=spec.game,
            edition=spec.edition,
            rules=msgspec.json.decode(self.rules, type=type(spec.rules)),  # a copy: a bot may change its dicts
            players=len(self.players),
            seat=seat,
            seed=own_seed(spec.bot_seeds, spec.seed, seat),
            limits=spec.limits,
        )
        answered = self.players[seat].start(told)
        self.times[seat].start = answered.seconds
        self.note_late(seat, 0, "start", answered, spec.limits.start, 0.0, spec.limits.match)
        self.minutes.start(seat, answered)

    def phase(self, state: State) -> None:
        """Put all asks of the phase, gather the answers, then let the rules apply them in order."""
        asks, news_until = state.asks, len(self.minutes.events)
        answers = [self.post(state, index, ask) for index, ask in enumerate(asks)]
        posted = [index for index, answer in enumerate(answers) if answer is POSTED]
        for index in posted:
            seat = asks[index].seat
            answered = self.players[seat].take(self.allowed(seat))
            if answered.fault is not None:
                answered = self.failed(seat, self.minutes.asks + index + 1, asks[index].hook, answered)
            self.charge(seat, answered.seconds)
            answers[index] = answered
        for index in posted:
            self.seen[asks[index].seat] = news_until
        for index, answer in enumerate(answers):
            self.minutes.decide(index, answer)

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask on its way: POSTED; None where the default stands for the bot."""
        seat, hook = ask.seat, ask.hook
        player = self.players[seat]
        if self.out[seat] or hook not in player.hooks:
            return None
        counts = self.asked[seat]
        counts[hook] = counts.get(hook, 0) + 1
        player.post(self.hooks[hook], state.view(index, self.news(seat)), self.allowed(seat))
        return POSTED

    def allowed(self, seat: int) -> float:
        """Seconds that an ask may take now: its limit and the rest of the bank, but no more than is left of the total
        for the match."""
        return min(self.spec.limits.ask + self.bank[seat], self.left[seat])

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
        """All thinking comes out of the total for the match, and what is beyond the limit of one ask out of the
        bank."""
        self.times[seat].add(seconds)
        self.left[seat] = max(0.0, self.left[seat] - seconds)
        over = seconds - self.spec.limits.ask
        if over > 0:
            self.bank[seat] = max(0.0, self.bank[seat] - over)

    def failed(self, seat: int, ask: int, hook: str, answered: TimedAnswer) -> TimedAnswer:
        """The fault of an ask. A bot that is late because nothing is left of its total for the match has not failed at
        this one ask only: that fault is ``overtime``."""
        limit, bank, left = self.spec.limits.ask, self.bank[seat], self.left[seat]
        self.note_late(seat, ask, hook, answered, limit, bank, None if left == inf else left)
        assert answered.fault is not None
        if answered.fault.kind is FaultKind.LATE and left <= limit + bank:
            return answered._replace(fault=OUT_OF_TIME, gone=False)
        return answered

    def note_late(
        self, seat: int, ask: int, hook: str, answered: TimedAnswer, limit: float, bank: float, match: float | None
    ) -> None:
        """Keep the evidence where the fault is that the bot was late: clock readings, which no replay may hold."""
        if answered.fault is not None and answered.fault.kind is FaultKind.LATE:
            late = LateAsk(ask, hook, answered.seconds, answered.computed, limit, bank, match)
            self.times[seat].late.append(late)

    def result(self) -> MatchResult:
        """Close the replay and tell the bots."""
        minutes = self.minutes
        result = minutes.close()
        outcome = minutes.state.outcome
        assert outcome is not None
        finish = Finish(outcome.money, tuple(seat.rank for seat in result.seats), tuple(minutes.conduct.ended))
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
