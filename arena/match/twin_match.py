"""The twin of a match that was just played: the same deal at the same table, with another bot in one seat.

As long as the other bot answers as the one whose seat it has, the twin goes as the match went: so it is first asked,
one by one, what that one was asked, and nothing else is done. If it never answers otherwise, the twin is the match
under other names. At its first other answer the twin parts from the match: the rules take the answers so far from the
notes, the bots of the other seats are made anew and asked again what they were asked, so that whatever they keep in
mind is right, and from there on the match is played. Either way the replay has the bytes of a match played from its
beginning, if all bots at the table repeat themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from arena.finding.reference import BotRef
from arena.games.contract import Ask, State
from arena.match.allowance import Allowance
from arena.match.match_spec import MatchSpec, header_of_spec, start_of
from arena.match.noting_player import AbsentPlayer, AskNote, NotingPlayer
from arena.match.pulse import LifeSignDeadline
from arena.match.referee import MatchResult, Referee, SeatTime, finish_of
from arena.match.work import Twin, TwinAskCounts
from arena.players.player import Player, TimedAnswer
from arena.replay.lines import Result, encode_line

Make = Callable[[Sequence[tuple[int, BotRef]]], list[Player]]
"""Makes players for bots in these seats."""


class AnswerNotRepeated(Exception):
    """A bot did not answer as before when it was asked the same again."""

    def __init__(self, entrant: str) -> None:
        self.entrant = entrant
        super().__init__(entrant)


def play_twin(
    twin: Twin, first: MatchResult, seats: Sequence[NotingPlayer], make: Make, pulse: LifeSignDeadline | None = None
) -> tuple[MatchResult, TwinAskCounts]:
    """The result of the twin of a match with the result ``first``, in which the players ``seats`` were noted."""
    pulse = pulse or LifeSignDeadline()
    if any(seat.faults for seat in first.seats):
        asks = len(seats[twin.seat].notes)
        return _play_whole(twin, make, pulse), TwinAskCounts(asks, whole="a bot made a fault in the first match")
    if twin.again:
        return first, _all_again(twin, seats, make, pulse)
    (player,) = make([(twin.seat, twin.bots[twin.seat])])
    fed = _Fed(twin, twin.seat, player, seats[twin.seat].notes)
    try:
        started = fed.start(pulse)
        if started.fault is not None or player.hooks != seats[twin.seat].hooks:
            player.close()
            failed = started.fault is not None
            why = "the new version failed at the start" if failed else "the two versions have not the same hooks"
            return _play_whole(twin, make, pulse), TwinAskCounts(len(fed.notes), whole=why)
        fed.ask(pulse)
    except BaseException:
        player.close()
        raise
    told = TwinAskCounts(len(fed.notes), len(fed.answers) - 1 if fed.differs else None)
    if not (fed.differs or fed.noted):
        result = _rename_result(twin, first, fed)
        player.finish(finish_of(result.seats))
        player.close()
        return result, told
    try:
        return _Follower(twin, fed, seats, make, pulse).play(), told
    except AnswerNotRepeated as problem:
        return _play_whole(twin, make, pulse), replace(told, unlike=problem.entrant)


def _all_again(twin: Twin, seats: Sequence[NotingPlayer], make: Make, pulse: LifeSignDeadline) -> TwinAskCounts:
    """Ask all bots but one the same again, up to the first who answers otherwise."""
    for seat, noting in enumerate(seats):
        if seat == twin.seat:
            continue
        (player,) = make([(seat, twin.bots[seat])])
        fed = _Fed(twin, seat, player, noting.notes)
        try:
            if fed.start(pulse).fault is None and player.hooks == noting.hooks:
                fed.ask(pulse)
        finally:
            player.close()
        if fed.differs or len(fed.answers) < len(fed.notes):
            return TwinAskCounts(len(fed.notes), max(0, len(fed.answers) - 1), unlike=twin.spec.seats[seat].entrant)
    return TwinAskCounts()


class _Fed:
    """A bot in a ``seat``, asked one by one what is in the notes, up to its first other answer.

    ``answers`` are its own, ``differs`` says that the last of them is another, ``noted`` that one has another note,
    which only the replay tells."""

    def __init__(self, twin: Twin, seat: int, player: Player, notes: Sequence[AskNote]) -> None:
        self.twin, self.seat, self.player, self.notes = twin, seat, player, notes
        self.answers: list[TimedAnswer] = []
        self.differs = self.noted = False
        self.started = 0.0

    def start(self, pulse: LifeSignDeadline) -> TimedAnswer:
        """Tell it the start."""
        pulse.beat()
        spec = self.twin.spec
        started = self.player.start(start_of(spec, msgspec.json.encode(spec.rules), self.seat))
        self.started = started.seconds
        return started

    def ask(self, pulse: LifeSignDeadline) -> None:
        """Ask what is in the notes."""
        allowance = Allowance(self.twin.spec.limits)
        for note in self.notes:
            pulse.beat()
            self.player.post(note.hook, note.view, allowance.allowed, note.number)
            answered = self.player.take(allowance.allowed)
            allowance.charge(answered.seconds)
            self.answers.append(answered)
            self.noted = self.noted or answered.note != note.answered.note
            if not _same_answer(note, answered):
                self.differs = True
                return


def _same_answer(note: AskNote, answered: TimedAnswer) -> bool:
    """Whether an answer is for the whole table the one that was noted, which was legal."""
    idle, before = note.hook.idle, note.answered
    if answered.fault is not None or before.fault is not None:
        return False
    then, now = before.move or idle, answered.move or idle
    return type(then) is type(now) and then == now and before.say == answered.say


class _Follower(Referee):
    """Lets a match go as it is noted until the other bot answers otherwise, and referees it from there on."""

    def __init__(
        self, twin: Twin, fed: _Fed, seats: Sequence[NotingPlayer], make: Make, pulse: LifeSignDeadline
    ) -> None:
        players: list[Player] = [AbsentPlayer() for _ in seats]
        players[twin.seat] = fed.player
        super().__init__(twin.spec, players, pulse)
        self.twin, self.fed, self.make = twin, fed, make
        self.notes, self.noted_hooks = [each.notes for each in seats], [each.hooks for each in seats]
        self.used = [0] * len(seats)
        self.following = True
        self.kept: deque[TimedAnswer] = deque()

    def start(self, seat: int) -> None:
        """The other bot has been told; all others only when they are needed."""
        if not self.following:
            super().start(seat)
        elif seat == self.twin.seat:
            self.times[seat].start = self.fed.started

    def phase(self, state: State) -> None:
        """The phase as it is noted, or from the one on in which the other bot answers otherwise, with all bots."""
        if self.following and self._parts_here(state.asks):
            self._join()
        if self.following:
            self._as_noted(state)
            return
        until, kept = len(self.minutes.events), bool(self.kept)
        super().phase(state)
        if kept:
            self.seen[self.twin.seat] = until

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask on its way, unless the other bot has answered it already."""
        if not (self.kept and ask.seat == self.twin.seat and ask.hook in self.noted_hooks[ask.seat]):
            return super().post(state, index, ask)
        return self._own(self.kept.popleft(), self.minutes.asks + index + 1, ask)

    def _parts_here(self, asks: Sequence[Ask]) -> bool:
        """Whether the answer that is another belongs to one of these asks."""
        seat = self.twin.seat
        mine = sum(ask.seat == seat and ask.hook in self.noted_hooks[seat] for ask in asks)
        return self.fed.differs and self.used[seat] + mine >= len(self.fed.answers)

    def _as_noted(self, state: State) -> None:
        """Decide the phase by the notes."""
        until, asks = len(self.minutes.events), state.asks
        answers: list[TimedAnswer | None] = []
        for index, ask in enumerate(asks):
            if ask.hook not in self.noted_hooks[ask.seat]:
                answers.append(None)
                continue
            place = self.used[ask.seat]
            self.used[ask.seat] += 1
            self.seen[ask.seat] = until
            if ask.seat == self.twin.seat:
                answers.append(self._own(self.fed.answers[place], self.minutes.asks + index + 1, ask))
            else:
                answers.append(self.notes[ask.seat][place].answered)
        for index, answer in enumerate(answers):
            self.minutes.decide(index, answer)

    def _own(self, answered: TimedAnswer, number: int, ask: Ask) -> TimedAnswer:
        """An answer that the other bot has given before, as the referee takes it."""
        counts = self.asked[ask.seat]
        counts[ask.hook] = counts.get(ask.hook, 0) + 1
        if answered.fault is not None:
            answered = self.failed(ask.seat, number, ask.hook, answered)
        self.charge(ask.seat, answered.seconds)
        return answered

    def _join(self) -> None:
        """Make the bots of the other seats, and ask them again what they were asked so far. Raises Unlike."""
        self.following = False
        self.kept.extend(self.fed.answers[self.used[self.twin.seat] :])
        others = [seat for seat in range(len(self.players)) if seat != self.twin.seat]
        players = list(self.players)
        for seat, player in zip(others, self.make([(seat, self.twin.bots[seat]) for seat in others]), strict=True):
            players[seat] = player
        self.players = players
        for seat in others:
            self.pulse.beat()
            super().start(seat)
            if self.out[seat] or players[seat].hooks != self.noted_hooks[seat]:
                raise AnswerNotRepeated(self.spec.seats[seat].entrant)
            for note in self.notes[seat][: self.used[seat]]:
                self._ask_again(seat, note)

    def _ask_again(self, seat: int, note: AskNote) -> None:
        self.pulse.beat()
        player, allowance, counts = self.players[seat], self.allowances[seat], self.asked[seat]
        counts[note.hook.name] = counts.get(note.hook.name, 0) + 1
        player.post(note.hook, note.view, allowance.allowed, note.number)
        answered = player.take(allowance.allowed)
        self.charge(seat, answered.seconds)
        if not _same_answer(note, answered) or answered.note != note.answered.note:
            raise AnswerNotRepeated(self.spec.seats[seat].entrant)


def _play_whole(twin: Twin, make: Make, pulse: LifeSignDeadline) -> MatchResult:
    """The twin, played from its beginning."""
    return Referee(twin.spec, make(list(enumerate(twin.bots))), pulse).play()


def _rename_result(twin: Twin, first: MatchResult, fed: _Fed) -> MatchResult:
    """The first match with the twin's header and names."""
    spec: MatchSpec = twin.spec
    body = first.replay[first.replay.index(b"\n") + 1 :]
    middle = body[: body[:-1].rindex(b"\n") + 1]
    start = encode_line(header_of_spec(spec)) + middle
    seats = tuple(replace(seat, entrant=to.entrant) for seat, to in zip(first.seats, spec.seats, strict=True))
    digest = sha256(start).hexdigest()
    last = Result(seats, first.termination, first.asks, digest, first.void)
    times, hooks = [SeatTime() for _ in seats], [dict[str, int]() for _ in seats]
    times[twin.seat].start = fed.started
    for note, answered in zip(fed.notes, fed.answers, strict=True):
        times[twin.seat].add(answered.seconds)
        hooks[twin.seat][note.hook.name] = hooks[twin.seat].get(note.hook.name, 0) + 1
    return replace(
        first, seats=seats, sha256=digest, replay=start + encode_line(last), times=times, hooks=hooks, usage=[]
    )
