"""The referee: one match of any bots in any players, from the seed to the result and the replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from arena.bot import Finish, Said, Start
from arena.errors import IllegalMove
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Ask, Event, Game, Move, Outcome, State
from arena.match.spec import MatchSpec, header
from arena.players.faults import ENDED, Fault, FaultKind
from arena.players.player import Answered, Player, Usage
from arena.replay import lines
from arena.replay.conduct import Conduct
from arena.replay.lines import Recorder, SeatResult


class SeatTime(msgspec.Struct):
    """Thinking of one seat, in seconds: asks put to its bot, their sum, the slowest, each of them; and its start."""

    asks: int = 0
    total: float = 0.0
    worst: float = 0.0
    each: list[float] = []
    start: float = 0.0

    def add(self, seconds: float) -> None:
        """One more ask."""
        self.asks += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)
        self.each.append(seconds)


class MatchResult(msgspec.Struct):
    """What came of a match. ``hooks`` counts the asks put to each seat's bot by hook; ``usage`` is by seat, and empty
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


FINISH = -1
"""Stands for the number of the ask when bots are told the end."""
POSTED = Answered(None, None, -1.0)
"""Stands for an answer that has not been taken yet."""


class Crumbs(Protocol):
    """Where the match stands, noted before every ask for whoever finds it broken off."""

    def note(self, ask: int, seat: int, limit: float) -> None:
        """The bot at ``seat`` is about to be asked number ``ask``, with ``limit`` in seconds; 0 is the start, -1 the
        finish."""


class NoCrumbs:
    """Notes nothing."""

    def note(self, ask: int, seat: int, limit: float) -> None:
        """Nothing."""


class Referee:
    """Plays one match. Bots are handed views only; what they answer is judged by the rules, and what goes wrong with
    them is a fault of their seat."""

    def __init__(self, spec: MatchSpec, players: Sequence[Player], crumbs: Crumbs | None = None) -> None:
        self.spec, self.players = spec, players
        self.crumbs: Crumbs = crumbs or NoCrumbs()
        self.game: Game = load_game(spec.game)
        self.rules = msgspec.json.encode(spec.rules)
        self.recorder = Recorder()
        seats = len(players)
        self.conduct = Conduct(spec.fault_policy, spec.strikes, seats)
        self.bank = [spec.limits.bank] * seats
        self.times = [SeatTime() for _ in players]
        self.hooks: list[dict[str, int]] = [{} for _ in players]
        self.asks = 0
        self.events: list[Event] = []
        self.seen = [0] * seats

    def play(self) -> MatchResult:
        """The match from start to end; every player is closed afterwards."""
        spec, chance = self.spec, Chance(self.spec.seed)
        self.recorder.write(header(spec))
        state = self.game.start(spec.rules, len(self.players), chance, self.events)
        self.written = 0
        self.write_events()
        try:
            for seat in range(len(self.players)):
                self.start(seat, chance)
            while state.asks:
                self.phase(state)
                self.write_events()
            outcome = state.outcome
            assert outcome is not None
            return self.result(outcome)
        finally:
            for seat, player in enumerate(self.players):
                self.crumbs.note(FINISH, seat, self.spec.limits.ask)  # what a bot does when it is dropped is its own
                player.close()

    def write_events(self) -> None:
        """Write what happened since the last time; words are in the replay with their moves already."""
        for event in self.events[self.written :]:
            if type(event) is not Said:
                self.recorder.write(event)
        self.written = len(self.events)

    def start(self, seat: int, chance: Chance) -> None:
        """Tell a bot the start."""
        spec = self.spec
        told = Start(
            game=spec.game,
            edition=spec.edition,
            rules=msgspec.json.decode(self.rules, type=type(spec.rules)),  # a copy: it holds dicts to scribble in
            players=len(self.players),
            seat=seat,
            seed=chance.derive("bot", seat),
            limits=spec.limits,
        )
        fault = self.death(seat, 0)
        if fault is None:
            self.crumbs.note(0, seat, spec.limits.start)
            answered = self.players[seat].start(told)
            fault, self.times[seat].start = answered.fault, answered.seconds
        if fault is not None:
            self.fault(0, seat, "start", fault, True, None)

    def phase(self, state: State) -> None:
        """Put all asks of the phase, gather the answers, then let the rules apply them in order."""
        asks, first = state.asks, self.asks + 1
        self.asks += len(asks)
        news_until = len(self.events)
        answers = [self.post(state, index, ask, first + index) for index, ask in enumerate(asks)]
        told = [answer is POSTED for answer in answers]
        for index, ask in enumerate(asks):
            if told[index]:
                limit = self.spec.limits.ask + self.bank[ask.seat]
                self.crumbs.note(first + index, ask.seat, limit)
                answered = self.players[ask.seat].take(limit)
                self.charge(ask.seat, answered.seconds)
                answers[index] = answered
        for index, ask in enumerate(asks):
            if told[index]:
                self.seen[ask.seat] = news_until
        for index, ask in enumerate(asks):
            self.apply(state, index, ask, first + index, answers[index])

    def post(self, state: State, index: int, ask: Ask, number: int) -> Answered | None:
        """Send an ask on its way: POSTED; None where the default stands for the bot; or the fault it is known for."""
        seat, hook = ask.seat, ask.hook
        player = self.players[seat]
        if self.conduct.out[seat] or hook not in player.hooks:
            return None
        if (fault := self.death(seat, number)) is not None:
            return Answered(None, fault, 0.0, gone=True)
        counts = self.hooks[seat]
        counts[hook] = counts.get(hook, 0) + 1
        limit = self.spec.limits.ask + self.bank[seat]
        player.post(self.game.hooks[hook], state.view(index, self.news(seat)), limit)
        return POSTED

    def news(self, seat: int) -> tuple[Event, ...]:
        """What happened since the seat was last asked, as far as it may know it."""
        events = self.events[self.seen[seat] :]
        return tuple(seen for event in events if (seen := event.seen_by(seat)) is not None) if events else ()

    def death(self, seat: int, number: int) -> Fault | None:
        """The fault of a bot that is known to have taken its process down at ask ``number``."""
        ask, kind = self.spec.dead.get(seat, (None, FaultKind.DEAD))
        if ask != number:
            return None
        return Fault(kind, ENDED[kind])

    def apply(self, state: State, index: int, ask: Ask, number: int, answered: Answered | None) -> None:
        """One answer becomes a move: judged, recorded, applied."""
        seat, hook = ask.seat, self.game.hooks[ask.hook]
        if answered is None or self.conduct.out[seat]:  # out since an earlier ask of this very phase
            self.play_move(state, index, ask, number, state.default(index))
            return
        fault, move = answered.fault, answered.move or hook.idle
        if fault is None:
            assert move is not None
            refused = self.play_move(state, index, ask, number, move, answered.say, answered.note)
            if refused is None:
                return
            fault = Fault(FaultKind.ILLEGAL, refused.reason, refused.rule, _raw(move))
        default = state.default(index)
        self.fault(number, seat, ask.hook, fault, answered.gone, default)
        state.apply(index, default, self.events)

    def charge(self, seat: int, seconds: float) -> None:
        """Thinking beyond the limit of one ask comes out of the bank."""
        self.times[seat].add(seconds)
        over = seconds - self.spec.limits.ask
        if over > 0:
            self.bank[seat] = max(0.0, self.bank[seat] - over)

    def play_move(
        self, state: State, index: int, ask: Ask, number: int, move: Move, say: str = "", note: str = ""
    ) -> IllegalMove | None:
        """Apply a move and write it down, unless it is plain silence; why the rules refuse it, if they do."""
        before = len(self.events)
        if say:
            self.events.append(Said(ask.seat, say))
        try:
            state.apply(index, move, self.events)
        except IllegalMove as refused:
            del self.events[before:]
            return refused
        if say or note or move != self.game.hooks[ask.hook].idle:
            self.recorder.write(lines.Answered(number, ask.seat, ask.hook, _raw(move), say, note))
        return None

    def fault(self, number: int, seat: int, hook: str, fault: Fault, final: bool, played: Move | None) -> None:
        """Write a fault down, with what is played instead; ``final``: there is no bot to ask any more."""
        self.recorder.write(self.conduct.fault(number, seat, hook, fault, final, played))

    def result(self, outcome: Outcome) -> MatchResult:
        """Close the replay and tell the bots."""
        seats = self.conduct.results([seat.entrant for seat in self.spec.seats], outcome)
        sha256 = self.recorder.sha256
        self.recorder.write(lines.Result(seats, outcome.termination, self.asks, sha256, self.conduct.void))
        ranks = tuple(seat.rank for seat in seats)
        finish = Finish(outcome.money, ranks, tuple(self.conduct.ended))
        for seat, player in enumerate(self.players):
            if not self.conduct.out[seat] and self.death(seat, FINISH) is None:
                self.crumbs.note(FINISH, seat, self.spec.limits.ask)
                player.finish(finish)
        return MatchResult(
            seats=seats,
            termination=outcome.termination,
            asks=self.asks,
            void=self.conduct.void,
            sha256=sha256,
            replay=self.recorder.content(),
            times=self.times,
            hooks=self.hooks,
        )


def _raw(move: Move) -> msgspec.Raw:
    """The move as JSON."""
    return msgspec.Raw(msgspec.json.encode(move))
