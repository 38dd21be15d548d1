"""The asks of one seat of a recorded match, put again to a bot: where does it answer otherwise?

The match is played again from its replay, line by line as :mod:`arena.match.verify` does it. At each ask of the seat
the bot is handed the view that the seat's bot was handed in the match, news and all; before the first it was told the
same start, with the same seed of its own. Whatever it answers, the match goes on as it was recorded: so the bot is
always asked what was asked then, and what it answers to one ask moves no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from arena.errors import UserError
from arena.games.contract import Event, State
from arena.match.allowance import Allowance
from arena.match.spec import spec_from, start_of
from arena.match.verify import Verifier
from arena.players.faults import Fault
from arena.players.player import Player, TimedAnswer
from arena.replay.read import rules_of

_encode = msgspec.json.Encoder().encode


class AskedAgain(NamedTuple):
    """The ask ``number`` of the match (from 1), put again: its ``hook``, what was ``recorded`` (where the rules refused
    the recorded reply, that reply), what was ``answered`` now, and whether that is the ``same``: the same move and the
    same words to the others, legal now if it was legal then. A fault, or an answer that comes too late, is never the
    same; notes, which no other seat is shown, do not count."""

    number: int
    hook: str
    recorded: TimedAnswer
    answered: TimedAnswer
    same: bool


class Refed(NamedTuple):
    """What came of it: how many of the seat's ``asks`` were put again, and the ``differences`` among them, in the order
    of the match. ``start`` is the fault for which the bot could not be asked at all."""

    asks: int
    differences: tuple[AskedAgain, ...]
    start: Fault | None = None

    @property
    def same(self) -> bool:
        """Whether the bot answered everything that it was asked as it is recorded."""
        return self.start is None and not self.differences


def refeed(replay: bytes, seat: int, player: Player, first_only: bool = False) -> Refed:
    """Put the asks of ``seat`` in ``replay`` to ``player``, which is closed afterwards: all of them, or with
    ``first_only`` those up to the first that is answered otherwise. The answers of a phase belong together: its other
    asks are still counted.

    Raises Mismatch at a line that does not follow from the rules, ReplayError for what is no replay, and UserError
    where the match has no such seat."""
    refeeding = Refeeding(replay, seat, player)
    asks, differences = 0, []
    try:
        for asked in refeeding.asks():
            asks += 1
            if not asked.same:
                differences.append(asked)
            if first_only and differences and not refeeding.in_phase:
                break
        return Refed(asks, tuple(differences), refeeding.fault)
    finally:
        player.close()


class Refeeding:
    """A match played again from its replay, with a bot that is asked what one ``seat`` was asked.

    ``fault`` is the bot's at the start, for which it is not asked; ``in_phase`` whether more asks of the last one's
    phase follow. The caller closes the player."""

    def __init__(self, replay: bytes, seat: int, player: Player) -> None:
        """Raises as :func:`refeed`."""
        self._verifier = Verifier(replay)
        self._verifier.take_header()
        self._minutes = self._verifier.set_up()
        header = self._verifier.header
        if not 0 <= seat < len(header.seats):
            raise UserError(f"expected a seat from 0 to {len(header.seats) - 1}, got {seat}")
        self.seat, self.player = seat, player
        self.fault: Fault | None = None
        self.in_phase = False
        self._allowance = Allowance(header.limits)
        self._gone: TimedAnswer | None = None
        self._news: list[Event] = []

    def asks(self) -> Iterator[AskedAgain]:
        """Each ask of the seat as it is put again, up to where its bot was put out of the match, or to the end."""
        minutes, out = self._minutes, self._minutes.conduct.out
        spec = spec_from(minutes.header, rules_of(minutes.header))
        self._verifier.begin(minutes)
        if out[self.seat]:
            return
        self.fault = self.player.start(start_of(spec, _encode(spec.rules), self.seat)).fault
        if self.fault is not None:
            return
        while minutes.state.asks and not out[self.seat]:
            asked = self._play_phase()
            for place, each in enumerate(asked, 1):
                self.in_phase = place < len(asked)
                yield each

    def _play_phase(self) -> list[AskedAgain]:
        """Put the seat's asks of the phase that is due, then let the match go on as recorded."""
        minutes, verifier = self._minutes, self._verifier
        state = minutes.state
        self._news += [seen for each in minutes.events if (seen := each.seen_by(self.seat)) is not None]
        minutes.forget()
        answers = self._answers(state)
        asked = []
        for index, ask in enumerate(state.asks):
            recorded = None if minutes.conduct.out[ask.seat] else verifier.answer(ask, minutes.asks + 1)
            if recorded is not None and index in answers:
                same = is_same(state, index, recorded, answers[index])
                asked.append(AskedAgain(minutes.asks + 1, ask.hook, recorded, answers[index], same))
            minutes.decide(index, recorded)
        minutes.end_phase()
        return asked

    def _answers(self, state: State) -> dict[int, TimedAnswer]:
        """What the bot answers in this phase, by the places of its asks. Where it has not got the hook, nothing is
        asked, and the default is what it answers."""
        hooks, allowance, news = self._minutes.game.hooks, self._allowance, tuple(self._news)
        mine = [index for index, ask in enumerate(state.asks) if ask.seat == self.seat]
        posted = [index for index in mine if self._gone is None and state.asks[index].hook in self.player.hooks]
        for index in posted:
            number = self._minutes.asks + index + 1
            self.player.post(hooks[state.asks[index].hook], state.view(index, news), allowance.allowed, number)
        answers = {}
        for index in mine:
            if index not in posted:
                answers[index] = self._gone or TimedAnswer(state.default(index), None, 0.0)
                continue
            answers[index] = answered = self.player.take(allowance.allowed)
            allowance.charge(answered.seconds)
            if answered.gone or (answered.fault is not None and answered.fault.kind.final):
                self._gone = answered
        if posted:
            self._news.clear()
        return answers


def is_same(state: State, index: int, recorded: TimedAnswer, answered: TimedAnswer) -> bool:
    """Whether two answers to the ask ``index`` of ``state`` are the same to everybody at the table."""
    if recorded.fault is not None or answered.fault is not None:
        return False
    then, now = recorded.move or state.default(index), answered.move or state.default(index)
    if type(then) is not type(now) or _encode(then) != _encode(now):
        return False
    legal = state.refusal(index, now) is None
    if legal != (state.refusal(index, then) is None):
        return False
    return not legal or recorded.say == answered.say
