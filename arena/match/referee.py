"""The referee: one match of any bots in any players, from the seed to the result and the replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from arena import __version__
from arena.bot import Finish, Limits, Said, Start
from arena.games import load_game
from arena.games.chance import SCHEME, Chance
from arena.games.contract import Ask, Event, Game, Move, Outcome, State
from arena.players.faults import Fault, FaultKind
from arena.players.player import Answered, Player
from arena.replay import lines
from arena.replay.lines import Recorder, SeatResult


class FaultPolicy(StrEnum):
    """What a fault costs: ``substitute`` plays the default and counts a strike; ``forfeit`` puts the bot out at the
    first fault and ranks it last; ``void`` makes the match count for nothing."""

    SUBSTITUTE = "substitute"
    FORFEIT = "forfeit"
    VOID = "void"


class MatchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a match but the bots themselves.

    ``rules`` are the game's typed rules, ``rules_data`` and ``rules_sha256`` the same as they stand in the header.
    ``dead`` maps a seat to the ask at which its bot took a worker process down: it is put out there unasked.
    """

    id: str
    tournament: str
    block: int
    game: str
    edition: str
    rules: Any
    rules_data: dict[str, Any]
    rules_sha256: str
    seats: tuple[lines.Seat, ...]
    seed: str
    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3
    dead: Mapping[int, tuple[int, FaultKind]] = {}


class SeatTime(msgspec.Struct):
    """Thinking of one seat, in seconds: asks put to its bot, their sum, the slowest."""

    asks: int = 0
    total: float = 0.0
    worst: float = 0.0

    def add(self, seconds: float) -> None:
        """One more ask."""
        self.asks += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)


class MatchResult(msgspec.Struct):
    """What came of a match. ``hooks`` counts the asks put to each seat's bot by hook."""

    seats: tuple[SeatResult, ...]
    termination: str
    asks: int
    void: bool
    sha256: str
    replay: bytes
    times: list[SeatTime]
    hooks: list[dict[str, int]]


class Crumbs:
    """Where the match stands, for whoever finds it broken off: noted before every ask. This one notes nothing."""

    def note(self, ask: int, seat: int) -> None:
        """The bot at ``seat`` is about to be asked number ``ask``; 0 is the start."""


class Referee:
    """Plays one match. Bots are handed views only; what they answer is judged by the rules, and what goes wrong with
    them is a fault of their seat."""

    def __init__(self, spec: MatchSpec, players: Sequence[Player], crumbs: Crumbs | None = None) -> None:
        self.spec, self.players, self.crumbs = spec, players, crumbs or Crumbs()
        self.game: Game = load_game(spec.game)
        self.recorder = Recorder()
        seats = len(players)
        self.out = [False] * seats
        self.ended = ["played"] * seats
        self.strikes = [0] * seats
        self.faults: list[dict[str, int]] = [{} for _ in players]
        self.bank = [spec.limits.bank] * seats
        self.times = [SeatTime() for _ in players]
        self.hooks: list[dict[str, int]] = [{} for _ in players]
        self.void = False
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
            for player in self.players:
                player.close()

    def write_events(self) -> None:
        """Write what happened since the last time; words are in the replay with their moves already."""
        for event in self.events[self.written :]:
            if type(event) is not Said:
                self.recorder.write(event)
        self.written = len(self.events)

    def start(self, seat: int, chance: Chance) -> None:
        """Tell a bot the start."""
        spec, fault = self.spec, None
        if spec.dead.get(seat, (-1, FaultKind.DEAD))[0] == 0:
            fault = self.dead_fault(seat)
        else:
            self.crumbs.note(0, seat)
            fault = (
                self.players[seat]
                .start(
                    Start(
                        game=spec.game,
                        edition=spec.edition,
                        rules=spec.rules,
                        players=len(self.players),
                        seat=seat,
                        seed=chance.derive("bot", seat),
                        limits=spec.limits,
                    )
                )
                .fault
            )
        if fault is not None:
            self.fault(0, seat, "start", fault, None)

    def phase(self, state: State) -> None:
        """Put all asks of the phase, gather the answers, then let the rules apply them in order."""
        asks, first = state.asks, self.asks + 1
        self.asks += len(asks)
        news_until = len(self.events)
        posted = [self.post(state, index, ask, first + index) for index, ask in enumerate(asks)]
        answers: list[Answered | None] = []
        for index, ask in enumerate(asks):
            if posted[index]:
                self.crumbs.note(first + index, ask.seat)
                answers.append(self.players[ask.seat].take())
            else:
                answers.append(None)
        for ask in asks:
            self.seen[ask.seat] = news_until
        for index, ask in enumerate(asks):
            self.apply(state, index, ask, first + index, answers[index])

    def post(self, state: State, index: int, ask: Ask, number: int) -> bool:
        """Send an ask on its way, unless the default stands for the bot; whether it went."""
        seat, hook = ask.seat, ask.hook
        player = self.players[seat]
        if self.out[seat] or hook not in player.hooks:
            return False
        if self.spec.dead.get(seat, (-1,))[0] == number:
            self.fault(number, seat, hook, self.dead_fault(seat), state.default(index))
            return False
        counts = self.hooks[seat]
        counts[hook] = counts.get(hook, 0) + 1
        limits = self.spec.limits
        player.post(self.game.hooks[hook], state.view(index, self.news(seat)), limits.ask + self.bank[seat])
        return True

    def news(self, seat: int) -> tuple[Event, ...]:
        """What happened since the seat was last asked, as far as it may know it."""
        events = self.events[self.seen[seat] :]
        return tuple(seen for event in events if (seen := event.seen_by(seat)) is not None) if events else ()

    def dead_fault(self, seat: int) -> Fault:
        kind = self.spec.dead[seat][1]
        ended = "the process ended" if kind is FaultKind.DEAD else "the process had to be ended"
        return Fault(kind, f"{ended} while the bot was thinking")

    def apply(self, state: State, index: int, ask: Ask, number: int, answered: Answered | None) -> None:
        """One answer becomes a move: judged, recorded, applied."""
        seat, hook = ask.seat, self.game.hooks[ask.hook]
        if answered is None:
            self.play_move(state, index, ask, number, state.default(index))
            return
        self.charge(seat, answered.seconds)
        fault, move = answered.fault, answered.move or hook.idle
        if fault is None:
            assert move is not None
            refused = state.refusal(index, move)
            if refused is None:
                self.play_move(state, index, ask, number, move, answered.say, answered.note)
                return
            reply = msgspec.Raw(msgspec.json.encode(move))
            fault = Fault(FaultKind.ILLEGAL, refused.reason, refused.rule, reply)
        default = state.default(index)
        self.fault(number, seat, ask.hook, fault, default)
        state.apply(index, default, self.events)

    def charge(self, seat: int, seconds: float) -> None:
        """Thinking beyond the limit of one ask comes out of the bank."""
        self.times[seat].add(seconds)
        over = seconds - self.spec.limits.ask
        if over > 0:
            self.bank[seat] = max(0.0, self.bank[seat] - over)

    def play_move(
        self, state: State, index: int, ask: Ask, number: int, move: Move, say: str = "", note: str = ""
    ) -> None:
        """Apply a legal move; whatever is not plain silence is written down first."""
        if say or note or move != self.game.hooks[ask.hook].idle:
            written = msgspec.Raw(msgspec.json.encode(move))
            self.recorder.write(lines.Answered(number, ask.seat, ask.hook, written, say, note))
        if say:
            self.events.append(Said(ask.seat, say))
        state.apply(index, move, self.events)

    def fault(self, number: int, seat: int, hook: str, fault: Fault, played: Move | None) -> None:
        """Count a fault, decide whether the bot goes on, and write it down with what is played instead."""
        self.faults[seat][fault.kind.value] = self.faults[seat].get(fault.kind.value, 0) + 1
        self.strikes[seat] += 1
        policy = self.spec.fault_policy
        gone = fault.kind in (FaultKind.DEAD, FaultKind.MISSING) or number == 0 or seat in self.spec.dead
        if policy is FaultPolicy.VOID:
            self.void = True
        if gone or policy is not FaultPolicy.SUBSTITUTE or self.strikes[seat] >= self.spec.strikes:
            self.out[seat] = True
            self.ended[seat] = "forfeit" if policy is FaultPolicy.FORFEIT else "struck-out"
        self.recorder.write(
            lines.Faulted(
                ask=number,
                seat=seat,
                hook=hook,
                kind=fault.kind.value,
                evidence=fault.evidence,
                strike=self.strikes[seat],
                out=self.out[seat],
                rule=fault.rule,
                reply=None if fault.kind is not FaultKind.ILLEGAL else fault.reply,
                move=None if played is None else msgspec.Raw(msgspec.json.encode(played)),
            )
        )

    def result(self, outcome: Outcome) -> MatchResult:
        """Close the replay and tell the bots."""
        seats = seat_results(self.spec, outcome, self.ended, self.faults)
        sha256 = self.recorder.sha256
        self.recorder.write(lines.Result(seats, outcome.termination, self.asks, sha256, self.void))
        ranks = tuple(seat.rank for seat in seats)
        finish = Finish(outcome.money, ranks, tuple(self.ended))
        for player, out in zip(self.players, self.out, strict=True):
            if not out:
                player.finish(finish)
        content = self.recorder.content()
        return MatchResult(seats, outcome.termination, self.asks, self.void, sha256, content, self.times, self.hooks)


def header(spec: MatchSpec) -> lines.Header:
    """The first line of the replay."""
    return lines.Header(
        format=lines.FORMAT,
        arena=__version__,
        tournament=spec.tournament,
        id=spec.id,
        block=spec.block,
        game=spec.game,
        edition=spec.edition,
        seats=spec.seats,
        seed=spec.seed,
        chance=SCHEME,
        fault_policy=spec.fault_policy.value,
        strikes=spec.strikes,
        limits=spec.limits,
        rules_sha256=spec.rules_sha256,
        rules=spec.rules_data,
    )


def seat_results(
    spec: MatchSpec, outcome: Outcome, ended: Sequence[str], faults: Sequence[dict[str, int]]
) -> tuple[SeatResult, ...]:
    """Results by seat: by the game's ranks, but forfeits behind all others, sharing the last rank."""
    places = [
        (how == "forfeit", 0 if how == "forfeit" else rank) for how, rank in zip(ended, outcome.ranks, strict=True)
    ]
    return tuple(
        SeatResult(
            entrant=spec.seats[seat].entrant,
            money=outcome.money[seat],
            rank=1 + sum(other < places[seat] for other in places),
            ended=ended[seat],
            faults=dict(sorted(faults[seat].items())),
        )
        for seat in range(len(ended))
    )
