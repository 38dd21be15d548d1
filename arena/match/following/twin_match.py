"""The twin of a match that was just played: the same deal at the same table, with another bot in one seat.

As long as the other bot answers like the one it replaces, the twin goes as the match went: so first only the asks of
that seat are put to it, one by one. If all answers are alike, the twin is the match under other names. At its first
different answer the twin departs from the match: the rules take the answers so far from the notes, the bots of the
other seats are created anew and get their asks again, so that their memory is right, and from there on the match is
played. Either way the replay has the same bytes as a match played from its beginning, if all bots at the table repeat
themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.finding.reference import BotRef
from arena.games.contract import Ask, State
from arena.match.feeding.fed_bot import FedBot, RepeatedAsk
from arena.match.following.noting_player import AbsentPlayer, NotingPlayer
from arena.match.following.record_follower import RecordFollower
from arena.match.following.twin import Twin, TwinAskCounts
from arena.match.match_spec import MatchSpec, header_of_spec, start_of
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee, finish_of
from arena.match.refereeing.seat_time import SeatTime
from arena.match.walk.seat_asks import SeatAsk
from arena.players.player import Player, TimedAnswer
from arena.players.reply_checks import EMPTY_ANSWER
from arena.replay.lines import Result, encode_line

Make = Callable[[Sequence[tuple[int, BotRef]]], list[Player]]
"""Creates players for bots in these seats."""


class AnswerNotRepeated(Exception):
    """A bot did not repeat its answer when its asks were put again."""

    def __init__(self, entrant: str) -> None:
        self.entrant = entrant
        super().__init__(entrant)


def play_twin(
    twin: Twin, first: MatchResult, seats: Sequence[NotingPlayer], make: Make, pulse: LifeSignDeadline | None = None
) -> tuple[MatchResult, TwinAskCounts]:
    """The result of the twin of a match with the result ``first``; ``seats`` are the players of that match, with their
    notes."""
    pulse = pulse or LifeSignDeadline()
    if any(seat.faults for seat in first.seats):
        asks = len(seats[twin.seat].notes)
        return _play_whole(twin, make, pulse), TwinAskCounts(asks, whole="a bot made a fault in the first match")
    if twin.again:
        return first, _all_again(twin, seats, make, pulse)
    (player,) = make([(twin.seat, twin.bots[twin.seat])])
    fed = _Fed(twin, twin.seat, player, seats[twin.seat].notes)
    try:
        failed = fed.start(pulse).fault is not None
        if failed or player.hooks != seats[twin.seat].hooks:
            player.close()
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
    """Put all asks again to all bots but one, up to the first different answer."""
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
    """The bot in a ``seat``, which gets the noted asks one by one, up to its first different answer.

    ``answers`` are its own, ``differs`` says that the last of them is different, ``noted`` that one has a different
    note, which only the replay shows.
    """

    def __init__(self, twin: Twin, seat: int, player: Player, notes: Sequence[SeatAsk]) -> None:
        self.twin, self.seat, self.notes = twin, seat, notes
        self.bot = FedBot(player, twin.spec.limits)
        self.answers: list[TimedAnswer] = []
        self.differs = self.noted = False

    def start(self, pulse: LifeSignDeadline) -> TimedAnswer:
        """Tell the bot the start."""
        pulse.sign_life()
        spec = self.twin.spec
        return self.bot.start(start_of(spec, msgspec.json.encode(spec.rules), self.seat))

    def ask(self, pulse: LifeSignDeadline) -> None:
        """Put the noted asks to the bot."""
        for asked in put_notes(self.bot, self.notes, self.twin.spec.rules, pulse):
            self.answers.append(asked.answered)
            self.noted = self.noted or asked.answered.note != asked.recorded.note
            if not asked.same:
                self.differs = True
                return


def put_notes(bot: FedBot, notes: Sequence[SeatAsk], rules: Any, pulse: LifeSignDeadline) -> Iterator[RepeatedAsk]:
    """Put the noted asks to a bot, one after another."""
    for note in notes:
        pulse.sign_life()
        yield from bot.put((note,), rules)


class NotedAnswers:
    """The answers of a match's bots, as :class:`arena.match.following.record_follower.RecordedAnswers`, from the
    ``notes`` of each seat."""

    def __init__(self, notes: Sequence[Sequence[SeatAsk]]) -> None:
        self._answers = {note.number: note.recorded for seat in notes for note in seat}

    def start(self, seat: int) -> TimedAnswer:
        """A successful start: in the noted match every bot took the start."""
        return EMPTY_ANSWER

    def answer(self, number: int) -> TimedAnswer | None:
        """The answer to the match's ask ``number``; None where no bot was asked."""
        return self._answers.get(number)


class _Follower(RecordFollower):
    """Follows the notes of a match until the other bot answers differently, and referees the match from there on. Until
    then it asks no bot: the other bot has been asked already, and those of the other seats are created when they are
    needed."""

    def __init__(
        self, twin: Twin, fed: _Fed, seats: Sequence[NotingPlayer], make: Make, pulse: LifeSignDeadline
    ) -> None:
        self.notes, self.noted_hooks = [each.notes for each in seats], [each.hooks for each in seats]
        own = [note._replace(recorded=answer) for note, answer in zip(fed.notes, fed.answers, strict=False)]
        recorded = NotedAnswers([own if seat == twin.seat else notes for seat, notes in enumerate(self.notes)])
        super().__init__(twin.spec, [AbsentPlayer() for _ in seats], recorded, pulse)
        self.bots = [fed.bot if seat == twin.seat else bot for seat, bot in enumerate(self.bots)]
        self.twin, self.fed, self.make = twin, fed, make
        self.used = [0] * len(seats)
        self.kept: deque[TimedAnswer] = deque()

    def start(self, seat: int) -> None:
        """Tell nobody: the other bot has been told already, and the bots of other seats are told when they are
        needed."""

    def phase(self, state: State) -> None:
        """Play the phase from the notes, or, from the one on in which the other bot answers differently, with all
        bots."""
        if self.following and self._parts_here(state.asks):
            self._join()
        until, kept = len(self.minutes.events), bool(self.kept)
        super().phase(state)
        if kept:
            self.seen[self.twin.seat] = until

    def post(self, state: State, index: int, ask: Ask) -> TimedAnswer | None:
        """Send an ask to its bot, unless it has been answered already."""
        seat = ask.seat
        noted = ask.hook in self.noted_hooks[seat]
        if self.following:
            if noted:
                self.used[seat] += 1
                self.seen[seat] = len(self.minutes.events)
            return None
        if noted and self.kept and seat == self.twin.seat:
            return self.judged(seat, self.kept.popleft())
        return super().post(state, index, ask)

    def _parts_here(self, asks: Sequence[Ask]) -> bool:
        """Whether the different answer belongs to one of these asks."""
        seat = self.twin.seat
        mine = sum(ask.seat == seat and ask.hook in self.noted_hooks[seat] for ask in asks)
        return self.fed.differs and self.used[seat] + mine >= len(self.fed.answers)

    def _join(self) -> None:
        """Create the bots of the other seats, and put their asks so far to them again. Raises AnswerNotRepeated."""
        self.following = False
        own, spec = self.twin.seat, self.spec
        self.kept.extend(self.fed.answers[self.used[own] :])
        others = [seat for seat in range(len(self.bots)) if seat != own]
        made = dict(zip(others, self.make([(seat, self.twin.bots[seat]) for seat in others]), strict=True))
        self.bots = [bot if seat == own else FedBot(made[seat], spec.limits) for seat, bot in enumerate(self.bots)]
        for seat in others:
            self.pulse.sign_life()
            super().start(seat)
            bot, notes = self.bots[seat], self.notes[seat][: self.used[seat]]
            if bot.gone is not None or bot.player.hooks != self.noted_hooks[seat]:
                raise AnswerNotRepeated(spec.seats[seat].entrant)
            for asked in put_notes(bot, notes, spec.rules, self.pulse):
                if not asked.same or asked.answered.note != asked.recorded.note:
                    raise AnswerNotRepeated(spec.seats[seat].entrant)


def _play_whole(twin: Twin, make: Make, pulse: LifeSignDeadline) -> MatchResult:
    """Play the twin from its beginning."""
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
    times[twin.seat], hooks[twin.seat] = fed.bot.time, fed.bot.asked
    return replace(
        first, seats=seats, sha256=digest, replay=start + encode_line(last), times=times, hooks=hooks, usage=[]
    )
