"""The asks of one seat of a recorded match, put again to a bot: where does it answer otherwise?

At each ask of the seat the bot is handed the view that the seat's bot was handed in the match, news and all; before the
first it was told the same start, with the same seed of its own. Whatever it answers, the match goes on as it was
recorded: so the bot is always asked what was asked then, and what it answers to one ask moves no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from arena.games.contract import View
from arena.match.allowance import Allowance
from arena.match.recorded_asks import AskCache, CachedSeatAsks
from arena.match.seat_asks import SeatAsk, SeatAsks
from arena.players.faults import Fault
from arena.players.player import Player, TimedAnswer

_encode = msgspec.json.Encoder().encode


class RepeatedAsk(NamedTuple):
    """The ask ``number`` of the match (from 1), put again: its ``hook``, what was ``recorded`` (where the rules refused
    the recorded reply, that reply), what was ``answered`` now, and whether that is the ``same``: the same move and the
    same words to the others, legal now if it was legal then. A fault, or an answer that comes too late, is never the
    same; notes, which no other seat is shown, do not count. ``more``: another ask of its phase follows. ``view`` is
    what the bot was handed; None where it has not got the hook, and nothing was done in the match either. ``put``:
    the bot has the hook; else its answer is the default."""

    number: int
    hook: str
    recorded: TimedAnswer
    answered: TimedAnswer
    same: bool
    more: bool
    view: View | None
    put: bool = True


class SeatRefeed(NamedTuple):
    """What came of it: how many of the seat's ``asks`` were put again, and the ``differences`` among them, in the order
    of the match. ``start`` is the fault for which the bot could not be asked at all."""

    asks: int
    differences: tuple[RepeatedAsk, ...]
    start: Fault | None = None

    @property
    def same(self) -> bool:
        """Whether the bot answered everything that it was asked as it is recorded."""
        return self.start is None and not self.differences


def refeed_seat(replay: bytes, seat: int, player: Player, first_only: bool = False) -> SeatRefeed:
    """Put the asks of ``seat`` in ``replay`` to ``player``, which is closed afterwards: all of them, or with
    ``first_only`` those up to the first that is answered otherwise. The answers of a phase belong together: its other
    asks are still counted.

    Raises Mismatch at a line that does not follow from the rules, ReplayError for what is no replay, and UserError
    where the match has no such seat."""
    asks, differences = 0, []
    try:
        refeeding = RefeedLoop(replay, seat, player)
        for asked in refeeding.asks():
            asks += 1
            if not asked.same:
                differences.append(asked)
            if first_only and differences and not asked.more:
                break
        return SeatRefeed(asks, tuple(differences), refeeding.fault)
    finally:
        player.close()


class RefeedLoop:
    """A bot that is asked what one ``seat`` of a recorded match was asked. ``fault`` is the bot's at the start, for
    which it is not asked. The caller closes the player.

    As in the match, the asks of a phase are under way at once, and no others, though none depends on the answer to
    another: what is sent to a bot before it has answered tells it that it is checked, and what comes next."""

    def __init__(self, replay: bytes, seat: int, player: Player, shelf: AskCache | None = None) -> None:
        """Raises as :func:`refeed_seat`; with a ``shelf`` no Mismatch where the asks are kept there, as they are
        afterwards (:mod:`arena.match.recorded_asks`)."""
        self.of = SeatAsks(replay, seat) if shelf is None else CachedSeatAsks(replay, seat, shelf)
        self.player = player
        self.fault: Fault | None = None
        self._allowance = Allowance(self.of.header.limits)
        self._gone: TimedAnswer | None = None

    def give_seed(self, seed: str) -> None:
        """Have the bot draw lots by another seed of its own than that of the match."""
        self.of.start = msgspec.structs.replace(self.of.start, seed=seed)

    def asks(self) -> Iterator[RepeatedAsk]:
        """Each ask of the seat as it is put again, up to where its bot was put out of the match, or to the end."""
        if self.of.was_missing:
            return
        self.fault = self.player.start(self.of.start).fault
        if self.fault is not None:
            return
        phase: list[SeatAsk] = []
        for ask in self.of.asks(self.player.hooks):
            if ask.put and self._gone is None:
                assert ask.view is not None
                self.player.post(ask.hook, ask.view, self._allowance.allowed, ask.number)
            phase.append(ask)
            if not ask.more:
                yield from map(self._taken, phase)
                phase.clear()

    def _taken(self, ask: SeatAsk) -> RepeatedAsk:
        """What the bot answers to the oldest ask that is under way, or plays where it has not got the hook."""
        answered = self._gone or (
            self._answer() if ask.put else TimedAnswer(_default_move(ask, self.of.rules), None, 0.0)
        )
        same = is_same(ask, answered, self.of.rules)
        return RepeatedAsk(ask.number, ask.hook.name, ask.recorded, answered, same, ask.more, ask.view, ask.put)

    def _answer(self) -> TimedAnswer:
        answered = self.player.take(self._allowance.allowed)
        self._allowance.charge(answered.seconds)
        if answered.gone or (answered.fault is not None and answered.fault.kind.final):
            self._gone = answered
        return answered


def is_same(ask: SeatAsk, answered: TimedAnswer, rules: Any) -> bool:
    """Whether an answer is to everybody at the table the recorded one."""
    recorded = ask.recorded
    if recorded.fault is not None or answered.fault is not None:
        return False
    then, now = recorded.move or ask.hook.idle, answered.move or ask.hook.idle
    if then is not now:
        if type(then) is not type(now) or _encode(then) != _encode(now):
            return False
        if then != now and _is_legal(ask, then, rules) != _is_legal(ask, now, rules):
            return False  # alike when written down, but not to the rules: a list in place of a tuple
    return recorded.say == answered.say or not _is_legal(ask, then, rules)


def _default_move(ask: SeatAsk, rules: Any) -> Any:
    """What is played for a bot that has not got the hook."""
    if ask.hook.idle is not None:
        return ask.hook.idle
    return ask.hook.silence(ask.hook.question(ask.view, rules))


def _is_legal(ask: SeatAsk, move: Any, rules: Any) -> bool:
    assert ask.view is not None
    return ask.view.refusal(rules, move) is None
