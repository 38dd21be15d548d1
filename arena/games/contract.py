"""The interface of a game: all that the rest of arena knows of one.

A game is a pure state machine. A state says which questions it asks which seats (``asks``), which moves answer an ask
(``legal``) and why a move is refused (``refusal``); only ``apply`` changes it. Chance comes from
:mod:`arena.games.chance`. The laws every game obeys are tested in ``tests/laws``.

A game defines each kind of question once, as a :class:`Hook`. :mod:`arena.games.phase_state` makes most of a state from
the hooks, and a view finds its hook by its class.

A game lives in a folder of its own, ``arena/games/NAME/``, whose ``__init__`` defines ``GAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from arena.errors import UserError
from arena.games.chance import Chance
from arena.games.chances import ChanceEvent
from arena.games.field_types import field_problem
from arena.games.giving import Giving
from arena.games.presenting import NOTHING_PRESENTED, Presenting
from arena.games.sentence_names import DealSentences, ViewSentence, plain_move, plain_view
from arena.games.summary import Summary

if TYPE_CHECKING:
    from random import Random

Table = TypeVar("Table")
Hand = TypeVar("Hand")
Natural = Annotated[int, msgspec.Meta(ge=0)]
"""The type of a seat, a space or a count in an event. A replay with -1 is refused: used as an index, -1 would select
the last item of a list."""


class Ask(NamedTuple):
    """A question to a seat: ``hook`` is its kind, ``topic`` the offer or play that it is about, or None."""

    seat: int
    hook: str
    topic: Any = None


class Refusal(NamedTuple):
    """Why the rules refuse a move: the rule's number, such as ``"B4.5"``, and a sentence."""

    rule: str
    reason: str


class Move(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="move"):
    """An answer to an ask: a plain value, immutable, comparable, hashable, and encoded as JSON field by field."""


class Yes(Move, frozen=True, tag="yes"):
    """The answer yes; a bot may reply True."""


class No(Move, frozen=True, tag="no"):
    """The answer no; a bot may reply False."""


YES, NO = Yes(), No()


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="event"):
    """Something that happened. :meth:`seen_by` returns the part that a seat may know."""

    def seen_by(self, seat: int) -> Event | None:
        """This event as ``seat`` sees it; None if it is hidden from that seat."""
        return self


class Chanced(Event, frozen=True, tag="chance"):
    """The outcome of a random event: its ``name``, its ``index`` numbers, and its ``value``. It is hidden from all
    seats; another event reports what it means for them (a card drawn, a roll)."""

    name: str
    index: tuple[int, ...]
    value: int | tuple[int | str, ...]

    def seen_by(self, seat: int) -> Event | None:
        return None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The result of a match: ``money`` and ``ranks`` by seat (best rank 1, equal money shares it), and the reason why
    it ended, one of the game's :attr:`Game.terminations`."""

    money: tuple[int, ...]
    ranks: tuple[int, ...]
    termination: StrEnum

    @classmethod
    def by_money(cls, money: Sequence[int], termination: StrEnum) -> Outcome:
        """The outcome with ranks by money: most money wins; equal money shares the rank."""
        ranks = tuple(1 + sum(other > own for other in money) for own in money)
        return cls(tuple(money), ranks, termination)


ONLOOKER = -1
"""Stands in place of a seat for a spectator, who sees what everybody sees, and no hand."""


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a seat may know, and no more. Holds no reference to anything hidden.

    ``seat`` is the viewer's own seat (or ``ONLOOKER``), ``players`` the number of seats; ``news`` are the events since
    this seat was last asked, oldest first, as far as the seat may know them.
    """

    seat: int
    players: int
    news: tuple[Any, ...] = ()

    def legal_moves(self, rules: Any) -> tuple[Move, ...]:
        """Every move that answers this ask, as :meth:`State.legal` lists them."""
        hook = hook_of(type(self))
        return hook.legal(hook.question(self, rules))

    def refusal(self, rules: Any, move: Move) -> Refusal | None:
        """Why the rules would refuse ``move`` as the answer to this ask, or None."""
        hook = hook_of(type(self))
        return hook.refusal(hook.question(self, rules), move)

    def ask(self, rules: Any) -> Ask:
        """The ask that this view came with; its index among the asks of an imagined state is
        ``state.asks.index(view.ask(rules))``."""
        hook = hook_of(type(self))
        return Ask(self.seat, hook.name, hook.question(self, rules).topic)

    def imagine(self, rules: Any, rng: Random) -> State:
        """A state in which the seat would get exactly this view: it keeps what the view shows, and draws everything
        hidden with ``rng``. The same numbers from ``rng`` give the same state."""
        return _GAMES_CACHE[type(self)].imagine(self, rules, rng)

    def recall(self, rules: Any, rng: Random, seen: Sequence[Event], n: int) -> list[Imagined]:
        """As :meth:`imagine`, ``n`` states; but they also agree with the events ``seen`` by the seat since the match
        began (the news of its views), as far as the game looks at them, and have weights."""
        game = _GAMES_CACHE[type(self)]
        if game.recall is None:
            return [Imagined(game.imagine(self, rules, rng), 1.0) for _ in range(n)]
        return game.recall(self, rules, rng, seen, n)


class State(Protocol):
    """One match in progress. Only :meth:`apply` changes it."""

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The asks of the current phase, all answered with the same information; empty when the match is over."""

    @property
    def pending(self) -> tuple[int, ...]:
        """Indices into :attr:`asks` of those not answered yet, ascending."""

    @property
    def outcome(self) -> Outcome | None:
        """The result once the match is over, else None."""

    def legal(self, index: int) -> tuple[Move, ...]:
        """Every legal answer to ``asks[index]``, without repetition. Where there are too many to list, such as offers
        at any price, the game lists a selection; :meth:`refusal` judges any move."""

    def default(self, index: int) -> Move:
        """The move played for a seat that does not answer ``asks[index]``."""

    def refusal(self, index: int, move: Move) -> Refusal | None:
        """Why ``move`` may not answer ``asks[index]``, or None when it may."""

    def apply(self, index: int, move: Move, log: list[Event] | None = None) -> None:
        """Answer ``asks[index]`` with ``move``; the last answer of a phase makes all its answers take effect.

        Appends events to ``log`` if it is given. Raises IllegalMove, and then nothing has changed.
        """

    def copy(self) -> State:
        """An independent copy of the state; cheap."""

    def draw_anew(self, chance: Chance) -> None:
        """Let all future chance follow ``chance``: the rolls and shuffles to come, and the order of the face-down cards
        still to be drawn. Hands and past events stay as they are."""

    def view(self, index: int, news: tuple[Event, ...] = ()) -> View:
        """What the asked seat may know when it answers ``asks[index]``."""

    def look(self, seat: int = ONLOOKER) -> View:
        """What ``seat`` may know now, asked or not, even after the end: a view with the fields that all views of the
        game share. Without a seat, what everybody may know: no hand, and no seat's own money."""


class Imagined(NamedTuple):
    """An imagined ``state`` and its ``weight``: how likely others are to have acted in this state as the seat has seen
    them act, relative to other states imagined from the same view."""

    state: State
    weight: float


class Question(msgspec.Struct, Generic[Table, Hand], frozen=True, gc=False):
    """All that an answer is judged by, in the engine and from a view alike: the open ``table``, the asked ``seat``,
    what only that seat knows (its ``hand``), and the ask's ``topic``. Nothing hidden is among it, so legality never
    reveals anything hidden."""

    table: Table
    seat: int
    hand: Hand
    topic: Any = None


def no_more_fields(asked: Any) -> dict[str, Any]:
    """No fields: the ``shows`` of a :class:`Hook` whose view has only the fields common to all views."""
    return {}


class Fold(Protocol):
    """Rebuilds the table after every event from a replay's events alone, without a state, a seed or bots."""

    @property
    def table(self) -> msgspec.Struct:
        """The current table: an immutable record of the game that can be encoded as JSON."""

    def follow(self, event: Event) -> None:
        """Apply ``event`` to the table. Lines of a replay that are not events of the game change nothing.

        Raises ValueError for an event that cannot happen on this table.
        """


def no_fold(rules: Any, players: int, seat: int | None) -> Fold:
    """Raises UserError: stands in for the fold of a game that defines none."""
    raise UserError("this game does not define how to follow its table (fold)")


class Ledger(Protocol):
    """Builds tables of what was dealt, offered and paid in a match, from what its replay records alone."""

    @property
    def hears(self) -> frozenset[str]:
        """The hooks whose answers must be passed to :meth:`answer`."""

    def answer(self, ask: int, seat: int, hook: str, move: Move) -> None:
        """Record that ``move`` answered the match's ask number ``ask``. Idle answers may be left out, as in replays."""

    def fail(self, ask: int, seat: int, hook: str, out: bool) -> None:
        """Record a bot's fault at an ask, for which the default was played; ``out``: the bot is out from now on."""

    def follow(self, event: Event) -> None:
        """Apply ``event``; call it after :meth:`answer` for the answers that led to the event.

        Raises ValueError for an event that cannot happen now.
        """

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of each of the game's :attr:`Game.tables`, in the order of the match."""


def no_ledger(rules: Any, players: int) -> Ledger:
    """Raises UserError: stands in for the ledger of a game that defines none."""
    raise UserError("this game does not define tables of its matches (ledger)")


class Chances(Protocol):
    """Follows one match by its events, and reports what chance did in it and could have done. ``features`` are the
    names of the features (:mod:`arena.games.chances`), in the order of their numbers."""

    features: ClassVar[tuple[str, ...]]

    def __init__(self, rules: Any, players: int) -> None: ...

    def follow(self, event: Event) -> Iterable[ChanceEvent]:
        """Apply ``event``; return the random events that it decides, in order.

        Raises ValueError for an event that cannot happen now.
        """


@dataclass(frozen=True, slots=True)
class Hook:
    """The complete definition of one kind of question that a game asks bots.

    ``rule`` is the number of the rule that a move of a wrong class breaks; ``moves`` are the classes that may answer.
    ``legal`` lists the legal answers, each once; ``refuse`` gives the reason why a well-formed move of one of these
    classes is illegal. For a seat that does not answer, arena plays ``idle``, the move that does nothing (always legal,
    and not written to the replay); if the seat must do something, ``idle`` is None and ``default`` makes the move.

    ``view`` is the class of this hook's views; ``shows`` returns the fields that they have besides those common to all
    views of the game. ``question`` makes a :class:`Question` from a view and the rules.
    """

    name: str
    rule: str
    moves: tuple[type[Move], ...]
    view: type[View]
    legal: Callable[[Any], tuple[Move, ...]]
    refuse: Callable[[Any, Any], Refusal | None]
    question: Callable[[Any, Any], Question[Any, Any]]
    shows: Callable[[Any], dict[str, Any]] = no_more_fields
    idle: Move | None = None
    default: Callable[[Any], Move] | None = None

    def refusal(self, asked: Question[Any, Any], move: Move) -> Refusal | None:
        """Why ``move``, which may be any object, is not a legal answer, or None."""
        if move is self.idle and move is not None:
            return None
        if type(move) not in self.moves:
            expected = ", ".join(kind.__name__ for kind in self.moves)
            return Refusal(self.rule, f"{self.name} is answered by {expected}, not by {type(move).__name__}")
        if wrong := field_problem(move):
            return Refusal(self.rule, wrong)
        return self.refuse(asked, move)

    def silence(self, asked: Question[Any, Any]) -> Move:
        """The move played for a seat that does not answer."""
        if self.idle is not None:
            return self.idle
        assert self.default is not None
        return self.default(asked)


_HOOKS_CACHE: dict[type[View], Hook] = {}
_GAMES_CACHE: dict[type[View], Game] = {}


def by_name(*hooks: Hook) -> dict[str, Hook]:
    """The hooks of a game by name. Also registers each one's view class for :func:`hook_of`."""
    for hook in hooks:
        if (hook.idle is None) == (hook.default is None):
            raise ValueError(f"hook {hook.name}: expected idle or default")
        if hook.view in _HOOKS_CACHE:
            raise ValueError(f"hook {hook.name}: its view is that of {_HOOKS_CACHE[hook.view].name}")
        _HOOKS_CACHE[hook.view] = hook
    return {hook.name: hook for hook in hooks}


def hook_of(view: type[View]) -> Hook:
    """The hook whose views are of this class."""
    return _HOOKS_CACHE[view]


class RulesVersion(NamedTuple):
    """A change of a game's rules that may alter how recorded matches are played: the first ``version`` with it, the
    number of the ``rule``, and ``changed``, which describes it in a sentence."""

    version: int
    rule: str
    changed: str


class HeldMove(NamedTuple):
    """An answer of ``seat`` to ``hook`` that has not taken effect yet, because other seats are asked first, such as
    whether they stop it; ``events`` are the classes of events that it may lead to."""

    seat: int
    hook: str
    events: tuple[type[Event], ...]


def nothing_held(state: State) -> tuple[HeldMove, ...]:
    """No held moves: for games in which all answers take effect at the end of their phase."""
    return ()


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the rest of arena sees it.

    ``start(rules, players, chance, log)`` sets up a match. ``rules_type`` is the class of a resolved rules file, with
    ``game`` and ``name`` among its fields; ``check_rules(rules)`` lists what is inconsistent in one. ``events`` are the
    classes that may occur in a replay, where their tags distinguish them from the replay's own lines; ``terminations``
    are all reasons for which a match ends. ``imagine(view, rules, random)`` makes a state from a view, with all asks of
    its phase pending; it draws what the view does not show, each possibility as likely as the rules make it.
    ``recall(view, rules, random, seen, n)`` makes ``n`` states in agreement with the events that the seat has seen, and
    weighs each by what others did (None: the game looks at the view alone).
    ``held(state)`` lists the answers of earlier phases that have not taken effect, in the order in which they will.

    ``tell(rules, names)`` returns a function that puts the events of one match, in order, into sentences with the
    edition's names (None: the event is not worth a line); an event may be passed again at once. ``tell_move(move, view,
    rules, names)`` describes an answer, as in "opens the deal"; ``tell_view(view, rules, names)`` describes what a seat
    saw, part by part; ``tell_deals(tables, rules, names)`` describes how each deal ended (None: a game without deals).
    ``unit`` is the unit of money, its first letter written before the amount: ``$M`` makes $12M. ``swing`` is a
    difference of money that two matches of one seat in the same deal hardly ever exceed in the mean of a few seats.

    ``fold(rules, players, seat)`` follows a match from before its first event: with ``seat`` None it knows every hand,
    else only what that seat may see (whether it is passed the whole log, or the log as the seat sees it); ``folded`` is
    the class of its tables (None: it is in no schema). ``ledger(rules, players)`` builds the tables of a match, and
    ``tables`` has the class of their rows by the table's name (empty: the game has no ledger); ``activities(rules,
    players)`` is a ledger that also makes the rows of the event log (:mod:`arena.games.ledger_columns`). ``summary``
    sums matches up in the game's own words, ``giving`` finds in a match's tables what seats gave each other, and
    ``chances(rules, players)`` reports what chance did in a match and could have done (None: the game does not offer
    this).

    ``presenting`` has the parts with which the game's matches are shown to people, all of them optional
    (:mod:`arena.games.presenting`). ``rules_versions`` lists, latest last, the changes after which an older replay may
    no longer follow from the rules; without any the rules are in version 1.
    """

    name: str
    hooks: Mapping[str, Hook]
    rules_type: type[Any]
    events: tuple[type[Event], ...]
    terminations: type[StrEnum]
    start: Callable[[Any, int, Chance, list[Event] | None], State]
    check_rules: Callable[[Any], list[str]]
    seats: Callable[[Any], range]
    tell: Callable[[Any, Sequence[str]], Callable[[Event], str | None]]
    imagine: Callable[[Any, Any, Random], State]
    recall: Callable[[Any, Any, Random, Sequence[Event], int], list[Imagined]] | None = None
    unit: str = "$"
    swing: int = 50
    tell_move: Callable[[Any, Any, Any, Sequence[str]], str] = plain_move
    tell_view: Callable[[Any, Any, Sequence[str]], list[ViewSentence]] = plain_view
    tell_deals: Callable[[Mapping[str, Sequence[Any]], Any, Sequence[str]], DealSentences] | None = None
    fold: Callable[[Any, int, int | None], Fold] = no_fold
    folded: type[msgspec.Struct] | None = None
    tables: Mapping[str, type[msgspec.Struct]] = field(default_factory=dict)
    ledger: Callable[[Any, int], Ledger] = no_ledger
    activities: Callable[[Any, int], Ledger] | None = None
    summary: Summary | None = None
    chances: type[Chances] | None = None
    giving: Giving | None = None
    held: Callable[[Any], tuple[HeldMove, ...]] = nothing_held
    presenting: Presenting = NOTHING_PRESENTED
    rules_versions: tuple[RulesVersion, ...] = ()

    @property
    def rules_version(self) -> int:
        """The current version of the rules; the first is 1."""
        return self.rules_versions[-1].version if self.rules_versions else 1

    def __post_init__(self) -> None:
        for hook in self.hooks.values():
            _GAMES_CACHE[hook.view] = self
