"""The base class of every bot, and what a bot of any game receives and answers. Bot authors import it from
:mod:`arena.bot`; each game derives a base class of its own from it (``arena/games/NAME/bot.py``)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar, Union, overload

import msgspec
from msgspec import Meta

from arena.consulting.consultation import Consult, Consulted, ConsultProblem
from arena.games.contract import Event, Imagined, Move, Refusal, State, View
from arena.games.playout import PlayedOut, SeatPolicy, Until, play_out
from arena.penalties import SeatEnd

SAY_LENGTH, NOTE_LENGTH, MOVE_LENGTH = 200, 1000, 32_768
"""The greatest length of what a bot says and of what it notes, in characters, and of its move as JSON, in bytes."""

NOTICE_METHODS = ("start", "finish")
"""The methods of every bot that only receive information, in any game; all its other methods answer questions."""

M = TypeVar("M", covariant=True)


MOST_SECONDS = 1_000_000
"""The longest time limit, eleven days: timeouts are counted in milliseconds of 32 bits."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time limits in seconds: for loading and ``start``; for each ask; a bank for the whole match, from which slow asks
    draw; and for all asks of the match together (None: no limit)."""

    start: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] = 10.0
    ask: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] = 1.0
    bank: Annotated[float, Meta(ge=0, le=MOST_SECONDS)] = 10.0
    match: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] | None = 60.0


class Start(msgspec.Struct, frozen=True):
    """What a bot receives once, before its first ask.

    ``rules`` are the resolved rules of the ``edition``; ``players`` is the number of seats and ``seat`` the bot's own;
    ``seed`` is for all randomness that the bot wants; ``limits`` are in seconds.
    """

    game: str
    edition: str
    rules: Any
    players: int
    seat: int
    seed: str
    limits: Limits


class Finish(msgspec.Struct, frozen=True):
    """What a bot receives at the end, by seat: money, ranks (1 is best), and how each seat ended
    (:class:`arena.penalties.SeatEnd`: ``played``, ``struck-out`` or ``forfeit``)."""

    money: tuple[int, ...]
    ranks: tuple[int, ...]
    ended: tuple[SeatEnd, ...]


class Reply(msgspec.Struct, Generic[M], frozen=True):
    """A move with words: every seat sees ``say`` (at most 200 characters); ``note`` (at most 1,000) is only stored in
    the replay. ``move`` None plays the idle move, if the ask has one."""

    move: M | None = None
    say: str = ""
    note: str = ""


Weigh = Callable[[State], float]
"""Says how well an imagined state fits what a bot knows besides: a number of at least 0."""

Answer = Union[M, Reply[M]]
"""One of the moves ``M``, alone or with words: ``Answer[Roll | Draw]``."""


class AnsweredView(Protocol[M]):
    """The type of a view whose ask can be answered by the moves ``M``."""

    def legal_moves(self, rules: Any) -> tuple[M, ...]:
        """As :meth:`arena.games.contract.View.legal_moves`."""


class Said(Event, frozen=True, tag="said"):
    """``seat`` said ``text`` with a move; talk is free and binds nobody. Bots find this event in ``view.news``."""

    seat: int
    text: str


class Bot:
    """Base class of every bot. A bot of one game derives from that game's base class, such as
    :class:`arena.games.board.BoardBot`, which declares the game's hooks with their types; a bot of two games derives
    from both base classes, or from this class. The constructor's keywords are the bot's options.

    A hook is a method with the name of a kind of question of the game. It takes the view and returns a move, a
    :class:`Reply` with words, True or False to a yes-or-no question, or None to do nothing if that is possible. A hook
    that the bot does not override is never called: its default is played.

    ``games`` names the games of a bot that derives from no game's base class: ``games = ("board", "cards")``. At tables
    of other games the defaults are played for the bot.

    Before ``start`` is called, these are set: ``self.seat``, ``self.players``, ``self.rules``, ``self.random`` (seeded
    from the match; the only randomness that repeats in every way of running a bot), ``self.limits`` and the empty list
    ``self.seen_events``, to which the news of each view is added before its hook is called.
    """

    games: tuple[str, ...] = ()
    base_of: ClassVar[str] = ""
    """The game whose base class this class is; empty for the classes of bots."""

    seat: int
    players: int
    rules: Any
    random: random.Random
    limits: Limits
    seen_events: list[Event]
    """Every event that this seat has been told of in this match, oldest first: the news of all its views so far."""

    consult_host: Callable[[Consult], Consulted] | None = None
    """What takes this bot's requests to models: arena sets it before :meth:`start`; None outside a match."""

    def __init_subclass__(cls, game: str = "", **more: Any) -> None:
        """``class BoardBot(Bot, game="board")`` makes the class a game's base: its hooks are declared, not defined."""
        super().__init_subclass__(**more)
        cls.base_of = game

    def start(self, start: Start) -> None:
        """Called once, before the first ask."""

    def finish(self, finish: Finish) -> None:
        """Called once, after the last ask."""

    def consult(self, consult: Consult) -> Consulted:
        """Ask a language model, outside this bot's process, and wait for its answer; within a hook, as often as the
        budget and the time allow (``arena docs models``).

        What is wrong with an answer stands in ``problem``: the hook may ask again, or answer without. Raises
        :class:`ConsultFailed` where too many answers in this ask were of no use: whatever the hook then returns, the
        ask is a fault. Raises TypeError or ValueError for a request that is none.
        """
        if self.consult_host is None:
            return Consulted(problem=ConsultProblem.NO_MODEL, evidence="a bot consults models only in a match")
        return self.consult_host(consult)

    def legal_moves(self, view: AnsweredView[M]) -> tuple[M, ...]:
        """Every legal answer to the ask that ``view`` came with, as the game lists them."""
        return view.legal_moves(self.rules)

    def refusal(self, view: View, move: Move) -> Refusal | None:
        """Why the rules would refuse ``move`` (rule number and reason), or None where it is legal."""
        return view.refusal(self.rules, move)

    @overload
    def imagine(self, view: View) -> State: ...

    @overload
    def imagine(self, view: View, n: int, weigh: Weigh | None = None) -> list[Imagined]: ...

    def imagine(self, view: View, n: int | None = None, weigh: Weigh | None = None) -> State | list[Imagined]:
        """A state in which this seat would get exactly ``view``: everything hidden is drawn with ``self.random``.

        With a number ``n``: so many states with their weights. They also agree with what this seat has seen before
        (``self.seen_events``), and a state weighs the more, the better it explains what others did
        (:meth:`arena.games.contract.View.recall`). ``weigh`` multiplies the weight of each state by a number of its
        own, at least 0. The weights add up to 1; if all are 0, they are equal.
        """
        if n is None:
            return view.imagine(self.rules, self.random)
        drawn = view.recall(self.rules, self.random, self.seen_events, n)
        weights = [each.weight * (1.0 if weigh is None else weigh(each.state)) for each in drawn]
        total = fsum(weights)
        return [
            Imagined(each.state, weight / total if total else 1 / n)
            for each, weight in zip(drawn, weights, strict=True)
        ]

    def play_out(
        self,
        state: State,
        policies: SeatPolicy | Sequence[SeatPolicy],
        until: Until = None,
        first: Mapping[int, Move] | None = None,
    ) -> PlayedOut:
        """Play a copy of ``state`` on, as :func:`arena.games.playout.play_out` does, and return the ``money`` of all
        seats, the number of ``asks`` and the ``state`` at the end."""
        return play_out(state, policies, until, first)
