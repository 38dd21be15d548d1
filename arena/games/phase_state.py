"""Implements most of a game's state from its hooks: asks, answers, legal moves, refusals, defaults and views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, ClassVar, Self

from msgspec.structs import force_setattr

from arena.errors import IllegalMove, UserError
from arena.games.chance import Chance
from arena.games.contract import ONLOOKER, Ask, Event, Hook, Move, Question, Refusal, View, no_more_fields

NOTHING_BESIDES: Mapping[str, Any] = {}


@lru_cache(maxsize=256)
def ask_every_seat(hook: str, players: int) -> tuple[Ask, ...]:
    """An ask of the same hook to each seat, in seat order."""
    return tuple(Ask(seat, hook) for seat in range(players))


@lru_cache(maxsize=256)
def ask_one_seat(hook: str, seat: int) -> tuple[Ask]:
    """An ask of this hook to one seat, as a tuple."""
    return (Ask(seat, hook),)


class Phased:
    """Implements most of a state (:class:`arena.games.contract.State`). The game adds ``outcome``, :meth:`resolve`,
    :meth:`public_view`, :meth:`own_fields` and :meth:`draw_anew`, and slots for the attributes if it wants any.

    ``hooks`` are the game's hooks; ``rule`` is the number of the rule that an ask is answered only once; ``open_view``
    is the class with the fields common to all views. ``hands`` is what each seat alone knows. ``waiting`` counts the
    asks still to be answered. The ``table`` of a question is this whole state: code that judges answers must not look
    at its hidden parts, and the laws test that. ``shown`` is what everybody may know in this phase, as a view: all
    views of the phase are copies of it, so it is built once. No bot ever gets it. ``listed`` are the legal moves that
    were found last, for the ask with the index ``listed_for``: those that :meth:`legal` listed, or the one that
    :meth:`refusal` allowed. :meth:`apply` does not judge one of them again.
    """

    __slots__ = tuple[str, ...]()  # none here: the game's own classes have them

    hooks: ClassVar[Mapping[str, Hook]]
    rule: ClassVar[str]
    open_view: ClassVar[type[View]]
    phase: Any
    asks: tuple[Ask, ...]
    answers: list[Move | None]
    waiting: int
    shown: View | None
    listed: tuple[Move, ...]
    listed_for: int
    hands: Sequence[Any]

    def resolve(self, log: list[Event] | None) -> None:
        """Let the answers take effect and ask for what comes next; called when all asks of the phase are answered."""
        raise NotImplementedError

    def public_view(self, kind: type[Any], besides: Mapping[str, Any]) -> View:
        """What everybody may know now, as a view of class ``kind`` for ``ONLOOKER``, without news and without any hand;
        ``besides`` are the fields that this class has of its own. All values are immutable: the views of all seats
        share them."""
        raise NotImplementedError

    def own_fields(self, seat: int) -> dict[str, Any]:
        """The fields of a view that ``seat`` sees otherwise than everybody, such as its hand."""
        raise NotImplementedError

    def draw_anew(self, chance: Chance) -> None:
        """Let all future chance follow ``chance``. Raises UserError in a game that does not support this."""
        raise UserError(
            "this game does not define how to draw chance anew (draw_anew); use the match's own dice and "
            "cards with --repeat 0"
        )

    @property
    def pending(self) -> tuple[int, ...]:
        """Indices of the asks still to be answered."""
        return tuple(index for index, move in enumerate(self.answers) if move is None)

    def ask(self, phase: Any, asks: tuple[Ask, ...]) -> None:
        """Begin ``phase`` with these ``asks``, which are all answered with the same information."""
        self.phase = phase
        self.asks = asks
        self.waiting = waiting = len(asks)
        self.answers = [None] if waiting == 1 else [None] * waiting  # most phases have one ask: the first is quicker
        self.shown = None
        self.listed = ()

    def legal(self, index: int) -> tuple[Move, ...]:
        """Every legal answer to ``asks[index]``."""
        seat, hook, topic = self.asks[index]
        self.listed = moves = self.hooks[hook].legal(Question(self, seat, self.hands[seat], topic))
        self.listed_for = index
        return moves

    def default(self, index: int) -> Move:
        """The move played for a seat that does not answer ``asks[index]``."""
        seat, hook, topic = self.asks[index]
        return self.hooks[hook].silence(Question(self, seat, self.hands[seat], topic))

    def refusal(self, index: int, move: Move) -> Refusal | None:
        """Why ``move`` may not answer ``asks[index]``, or None."""
        asks = self.asks
        if not 0 <= index < len(asks):
            return Refusal(self.rule, f"there is no ask {index}")
        if self.answers[index] is not None:
            return Refusal(self.rule, "this ask has been answered")
        seat, name, topic = asks[index]
        hook = self.hooks[name]
        if move is hook.idle and move is not None:  # most answers do nothing: no question is made for them
            return None
        refused = hook.refusal(Question(self, seat, self.hands[seat], topic), move)
        if refused is None:
            self.listed, self.listed_for = (move,), index
        return refused

    def apply(self, index: int, move: Move, log: list[Event] | None = None) -> None:
        """Answer ``asks[index]`` with ``move``; the phase's last answer makes all of them take effect."""
        for listed in self.listed if self.listed and index == self.listed_for else ():
            if listed is move:
                break
        else:
            refused = self.refusal(index, move)
            if refused is not None:
                raise IllegalMove(refused.rule, refused.reason)
        self.answers[index] = move
        self.waiting = waiting = self.waiting - 1
        if waiting:
            self.listed = ()
        else:
            self.resolve(log)

    def view(self, index: int, news: tuple[Event, ...] = ()) -> View:
        """What the asked seat may know; ``news`` must already be restricted to what that seat may know."""
        seat, name, topic = self.asks[index]
        hook = self.hooks[name]
        if hook.shows is no_more_fields:
            return self.seen_by(seat, hook.view, news, NOTHING_BESIDES)
        return self.seen_by(seat, hook.view, news, hook.shows(Question(self, seat, self.hands[seat], topic)))

    def look(self, seat: int = ONLOOKER) -> View:
        """What ``seat`` may know now, asked or not; without a seat, what everybody may know."""
        return self.seen_by(seat, self.open_view, (), NOTHING_BESIDES)

    def seen_by(self, seat: int, kind: type[View], news: tuple[Event, ...], besides: Mapping[str, Any]) -> View:
        """What ``seat`` (``ONLOOKER``: everybody) may know now, as a view of class ``kind``; ``besides`` are the fields
        that this class has of its own. What everybody may know is built once a phase."""
        shown = self.shown
        if type(shown) is not kind:
            self.shown = shown = self.public_view(kind, besides)
        view: View = shown.__copy__()  # type: ignore[attr-defined]  # as copy.copy does, without looking for the way
        if besides:
            for name, value in besides.items():
                force_setattr(view, name, value)
        if news:
            force_setattr(view, "news", news)
        if seat != ONLOOKER:
            force_setattr(view, "seat", seat)
            for name, value in self.own_fields(seat).items():
                force_setattr(view, name, value)
        return view

    def copy(self) -> Self:
        """An independent copy; enough for a game that holds nothing else that changes in place."""
        new = copy(self)
        new.answers = self.answers.copy()
        new.shown = None
        return new
