"""A bot to which recorded asks are put. Everything that repeats the asks of a match to a bot uses this class.

The bot gets the views of the match, news included. Its answer to one ask does not influence the others: so putting all
asks of a seat to it brings it into the state of that seat's bot in the match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from arena.bot import Limits, Start
from arena.games.contract import Hook, View
from arena.match.refereeing.seat_bot import SeatBot
from arena.match.walk.seat_asks import SeatAsk
from arena.players.player import Player, TimedAnswer

_encode = msgspec.json.Encoder().encode


class RepeatedAsk(NamedTuple):
    """The ask ``number`` of the match (from 1), put again: its ``hook``; the ``recorded`` answer (a reply that the
    rules refused is given as it was); the bot's answer now (``answered``); and whether it is the ``same``: the same
    move and the same words to the others, legal now if it was legal then. A fault, or an answer that comes too late, is
    never the same; notes, which no other seat sees, do not count. ``more``: another ask of its phase follows. ``view``
    is the view that the bot got; None where it lacks the hook, and nothing was done in the match either. ``put``: the
    bot has the hook; else its answer is the default."""

    number: int
    hook: str
    recorded: TimedAnswer
    answered: TimedAnswer
    same: bool
    more: bool
    view: View | None
    put: bool = True


class FedBot(SeatBot):
    """A bot with ``gone``, the fault after which no ask can be put to it any more."""

    def __init__(self, player: Player, limits: Limits) -> None:
        super().__init__(player, limits)
        self.gone: TimedAnswer | None = None

    def start(self, start: Start) -> TimedAnswer:
        """Tell the bot the start; a bot that fails at it is gone."""
        answered = super().start(start)
        if answered.fault is not None:
            self.gone = answered
        return answered

    def post(self, hook: Hook, view: View, number: int) -> None:
        """Send an ask to the bot, unless it is gone."""
        if self.gone is None:
            super().post(hook, view, number)

    def take(self, hook: str, number: int) -> TimedAnswer:
        """The answer to the oldest pending ask."""
        if self.gone is not None:
            return self.gone
        answered = super().take(hook, number)
        self.note(answered)
        return answered

    def note(self, answered: TimedAnswer) -> None:
        """Note whether the answer is a fault after which the bot is gone."""
        if answered.gone or (answered.fault is not None and answered.fault.kind.ends_match):
            self.gone = answered

    def put(self, asks: Sequence[SeatAsk], rules: Any) -> Iterator[RepeatedAsk]:
        """Put the asks of a phase to the bot, and compare its answers with the recorded ones; for a hook that it lacks,
        its answer is the default.

        As in the match, the asks of a phase are pending at once, and no others, though none depends on the answer to
        another: an ask sent before the bot has answered earlier ones would show it that it is being checked, and what
        comes next.
        """
        for ask in asks:
            if ask.put:
                assert ask.view is not None
                self.post(ask.hook, ask.view, ask.number)
        for ask in asks:
            number, hook, view, recorded, put, more = ask
            answered = (
                self.take(hook.name, number) if put else self.gone or TimedAnswer(_default_move(ask, rules), None, 0.0)
            )
            same = is_same(hook, recorded, answered, partial(_is_legal, view, rules))
            yield RepeatedAsk(number, hook.name, recorded, answered, same, more, view, put)


def is_same(hook: Hook, recorded: TimedAnswer, answered: TimedAnswer, is_legal: Callable[[Any], bool]) -> bool:
    """Whether an answer to the ``hook`` equals the recorded one for everybody at the table."""
    if recorded.fault is not None or answered.fault is not None:
        return False
    then, now = recorded.move or hook.idle, answered.move or hook.idle
    if then is not now:
        if type(then) is not type(now) or _encode(then) != _encode(now):
            return False
        if then != now and is_legal(then) != is_legal(now):
            return False  # alike when written down, but not to the rules: a list in place of a tuple
    return recorded.say == answered.say or not is_legal(then)


def _is_legal(view: View | None, rules: Any, move: Any) -> bool:
    assert view is not None
    return view.refusal(rules, move) is None


def _default_move(ask: SeatAsk, rules: Any) -> Any:
    """The default move, which is played for a bot that lacks the hook."""
    if ask.hook.idle is not None:
        return ask.hook.idle
    return ask.hook.silence(ask.hook.question(ask.view, rules))
