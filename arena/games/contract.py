"""What a game is, to everything that is not a game.

A game is a pure state machine. A state says which seats it asks what (``asks``), which moves answer an ask (``legal``)
and why a move is refused (``refusal``); only ``apply`` changes it. Chance comes from :mod:`arena.games.chance`. The
laws every game obeys are tested in ``tests/laws``.

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
"""In an event: a seat, a space, or how many there are. A replay that says -1 is refused, which would be the last one to
whoever looks it up in a list."""


class Ask(NamedTuple):
    """A question to a seat: ``hook`` names it, ``topic`` is what it is about (an offer, a play) or None."""

    seat: int
    hook: str
    topic: Any = None


class Refusal(NamedTuple):
    """Why the rules refuse a move: the rule's number, such as ``"B4.5"``, and a sentence."""

    rule: str
    reason: str


class Move(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="move"):
    """An answer to an ask. A plain value: immutable, comparable, hashable, written as JSON as it is."""


class Yes(Move, frozen=True, tag="yes"):
    """The answer yes; a bot may reply True."""


class No(Move, frozen=True, tag="no"):
    """The answer no; a bot may reply False."""


YES, NO = Yes(), No()


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="event"):
    """Something that happened. :meth:`seen_by` is what a seat may know of it."""

    def seen_by(self, seat: int) -> Event | None:
        """This event as ``seat`` sees it; None where it sees nothing of it."""
        return self


class Chanced(Event, frozen=True, tag="chance"):
    """The outcome of a random event: its ``name``, its ``index`` numbers, and its ``value``. No seat is shown it; what
    it means for the seats (a card drawn, a roll) is an event of its own."""

    name: str
    index: tuple[int, ...]
    value: int | tuple[int | str, ...]

    def seen_by(self, seat: int) -> Event | None:
        return None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The end of a match: ``money`` and ``ranks`` by seat (best rank 1, equal money shares it), and why it ended: one
    of the game's :attr:`Game.terminations`."""

    money: tuple[int, ...]
    ranks: tuple[int, ...]
    termination: StrEnum

    @classmethod
    def by_money(cls, money: Sequence[int], termination: StrEnum) -> Outcome:
        """Most money wins; equal money shares the rank."""
        ranks = tuple(1 + sum(other > own for other in money) for own in money)
        return cls(tuple(money), ranks, termination)


ONLOOKER = -1
"""In place of a seat: a spectator, who sees what everybody sees, and no hand."""


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a seat may know, and no more. Holds no reference to anything hidden.

    ``seat`` is the viewer's own (or ``ONLOOKER``), ``players`` the number of seats, ``news`` what happened since this
    seat was last asked, oldest first, as far as the seat may know it.
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
        """The ask that this view came with; its place among the asks of an imagined match is
        ``state.asks.index(view.ask(rules))``."""
        hook = hook_of(type(self))
        return Ask(self.seat, hook.name, hook.question(self, rules).topic)

    def imagine(self, rules: Any, rng: Random) -> State:
        """A state in which the seat would get exactly this view: what the view shows is kept, everything hidden is
        drawn with ``rng``. Equal numbers from ``rng`` give equal states."""
        return _GAMES_CACHE[type(self)].imagine(self, rules, rng)


class State(Protocol):
    """One match in progress. Only :meth:`apply` changes it."""

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The asks of the current phase, answered on the same information; empty when the match is over."""

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
        """What is played for a seat that does not answer ``asks[index]``."""

    def refusal(self, index: int, move: Move) -> Refusal | None:
        """Why ``move`` may not answer ``asks[index]``, or None when it may."""

    def apply(self, index: int, move: Move, log: list[Event] | None = None) -> None:
        """Answer ``asks[index]``; with the phase's last answer all of them take effect.

        Events are appended to ``log`` where one is given. Raises IllegalMove, and then nothing has changed.
        """

    def copy(self) -> State:
        """An independent state; cheap."""

    def draw_anew(self, chance: Chance) -> None:
        """From now on chance falls as ``chance`` says: all rolls and shuffles to come, and the order of the cards that
        lie face down to be drawn. What anybody holds, and what has happened, stays as it is."""

    def view(self, index: int, news: tuple[Event, ...] = ()) -> View:
        """What the asked seat may know when it answers ``asks[index]``."""

    def look(self, seat: int = ONLOOKER) -> View:
        """What ``seat`` may know now, whether it is asked or not, and after the end: the fields that all views of the
        game share. Without a seat, what everybody may know: no hand, and nobody's own money."""


class Question(msgspec.Struct, Generic[Table, Hand], frozen=True, gc=False):
    """What an answer is judged by, both in the engine and from a view: the open ``table``, the asked ``seat``, what
    only it knows (its ``hand``), and the ask's ``topic``. Nothing else, so that legality never reveals what is
    hidden."""

    table: Table
    seat: int
    hand: Hand
    topic: Any = None


def no_more_fields(asked: Any) -> dict[str, Any]:
    """For a :class:`Hook` whose view has the common fields alone."""
    return {}


class Fold(Protocol):
    """The table after every event, computed only from a replay's events: without a state, a seed or bots."""

    @property
    def table(self) -> msgspec.Struct:
        """What lies on the table now: an immutable record of the game, writable as JSON."""

    def follow(self, event: Event) -> None:
        """Let ``event`` happen. Lines of a replay that are no events of the game change nothing.

        Raises ValueError for an event that cannot happen on this table.
        """


def no_fold(rules: Any, players: int, seat: int | None) -> Fold:
    """Raises UserError: the fold of a game that defines none."""
    raise UserError("this game does not say how its table is folded from events")


class Ledger(Protocol):
    """A match as tables of what was dealt, offered and paid: computed only from what its replay records."""

    @property
    def hears(self) -> frozenset[str]:
        """The hooks whose answers :meth:`answer` must be told."""

    def answer(self, ask: int, seat: int, hook: str, move: Move) -> None:
        """The match's ask number ``ask`` was answered so. An idle answer may be left out, as in a replay."""

    def fail(self, ask: int, seat: int, hook: str, out: bool) -> None:
        """A bot was at fault at an ask, and the default was played; ``out``: its bot is out from here on."""

    def follow(self, event: Event) -> None:
        """Let ``event`` happen, after the answers that it follows from.

        Raises ValueError for an event that cannot happen now.
        """

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of each of the game's :attr:`Game.tables`, in the order it happened."""


def no_ledger(rules: Any, players: int) -> Ledger:
    """Raises UserError: the ledger of a game that defines none."""
    raise UserError("this game does not say how its tables are made from events")


class Chances(Protocol):
    """Follows one match by its events, and tells what chance did in it, and what it could have done. ``features`` are
    the names of what it counts (:mod:`arena.games.chances`), in the order of their numbers."""

    features: ClassVar[tuple[str, ...]]

    def __init__(self, rules: Any, players: int) -> None: ...

    def follow(self, event: Event) -> Iterable[ChanceEvent]:
        """Let ``event`` happen; the random events that it decides, in order.

        Raises ValueError for an event that cannot happen now.
        """


@dataclass(frozen=True, slots=True)
class Hook:
    """The complete definition of one kind of question that a game asks bots.

    ``rule`` is the number of the rule that a move of a wrong class breaks, ``moves`` are the classes that may answer.
    ``legal`` lists the answers, each once; ``refuse`` says why a well-formed move of one of the classes is illegal. For
    a seat that does not answer, ``idle`` is played, the answer that does nothing (always legal, and not written to the
    replay), or, if something must be done, the move that ``default`` makes.

    ``view`` is the class of this hook's views; ``shows`` returns their fields besides those that all views of the game
    have. ``question`` makes the question from a view and the rules.
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
        if self.idle is not None and move is self.idle:
            return None
        if type(move) not in self.moves:
            expected = ", ".join(kind.__name__ for kind in self.moves)
            return Refusal(self.rule, f"{self.name} is answered by {expected}, not by {type(move).__name__}")
        if wrong := field_problem(move):
            return Refusal(self.rule, wrong)
        return self.refuse(asked, move)

    def silence(self, asked: Question[Any, Any]) -> Move:
        """What is played for a seat that does not answer."""
        if self.idle is not None:
            return self.idle
        assert self.default is not None
        return self.default(asked)


_HOOKS_CACHE: dict[type[View], Hook] = {}
_GAMES_CACHE: dict[type[View], Game] = {}


def by_name(*hooks: Hook) -> dict[str, Hook]:
    """The hooks of a game by name. Also registers them by view for :func:`hook_of`."""
    for hook in hooks:
        if (hook.idle is None) == (hook.default is None):
            raise ValueError(f"hook {hook.name}: expected idle or default")
        if hook.view in _HOOKS_CACHE:
            raise ValueError(f"hook {hook.name}: its view is that of {_HOOKS_CACHE[hook.view].name}")
        _HOOKS_CACHE[hook.view] = hook
    return {hook.name: hook for hook in hooks}


def hook_of(view: type[View]) -> Hook:
    """The hook that this view belongs to."""
    return _HOOKS_CACHE[view]


class RulesVersion(NamedTuple):
    """A change of a game's rules by which recorded matches may be played differently: the ``version`` since which it
    applies, the number of the ``rule``, and what ``changed``, in a sentence."""

    version: int
    rule: str
    changed: str


class HeldMove(NamedTuple):
    """What ``seat`` has answered when it was asked ``hook``, and what has not happened yet, because others are asked
    first, such as whether they stop it; ``events`` are what it may become."""

    seat: int
    hook: str
    events: tuple[type[Event], ...]


def nothing_held(state: State) -> tuple[HeldMove, ...]:
    """In games in which all answers take effect at the end of their phase."""
    return ()


@dataclass(frozen=True, slots=True)
class Game:
    """A game as everything else sees it.

    ``start(rules, players, chance, log)`` sets up a match; ``rules_type`` is what a resolved rules file becomes, with
    ``game`` and ``name`` among its fields; ``check_rules(rules)`` lists what is inconsistent in it; ``events`` are the
    classes that may stand in a replay, told apart by their tags from its own lines; ``terminations`` are all the
    reasons for which a match ends; ``tell(rules, names)`` begins to say the events of a match in their order (one may
    come again at once), each in a sentence with the edition's names (None: not worth a line);
    ``tell_move(move, view, rules, names)`` says what the seat of a view answers, as in "opens the deal", and
    ``tell_view(view, rules, names)`` what a seat saw, part by part; ``tell_deals(tables, rules, names)`` says what came
    of each deal (None: a game without deals); ``imagine(view, rules, random)`` makes a state of a view, with all asks
    of its phase pending: what the view does not tell is drawn, each possibility as likely as the rules make it;
    ``unit`` is what money is counted in, its first letter written before the amount: ``$M`` makes $12M; ``swing`` is a
    difference of money that two matches of one seat in the same deal hardly ever exceed in the mean of a few seats;
    ``fold(rules, players, seat)`` begins to follow a match before its first event: with ``seat`` None every
    hand is known, else only what that seat may see (of the whole log it is handed, or of the log as the seat sees it),
    and ``folded`` is the class of the tables that this gives (None: it is in no schema);
    ``ledger(rules, players)`` begins to make tables of one, and ``tables`` has the class of their rows by the tables'
    names (a game without any has no ledger); ``summary`` sums matches up in the game's own words (None: not at all);
    ``giving`` finds in a match's tables what seats gave each other (None: not at all);
    ``chances(rules, players)`` begins to tell what chance did in a match and could have done (None: luck cannot be
    taken out of its results); ``held(state)`` lists the answers of earlier phases that have not taken effect, in the
    order in which they will.
    ``presenting`` is what the game hands over to the rooms that show its matches to people: as much or as little as it
    likes (:mod:`arena.games.presenting`).
    ``rules_versions`` lists, latest last, the changes by which an older replay may not follow from the rules any more;
    without any the rules are in version 1.
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
    unit: str = "$"
    swing: int = 50
    tell_move: Callable[[Any, Any, Any, Sequence[str]], str] = plain_move
    tell_view: Callable[[Any, Any, Sequence[str]], list[ViewSentence]] = plain_view
    tell_deals: Callable[[Mapping[str, Sequence[Any]], Any, Sequence[str]], DealSentences] | None = None
    fold: Callable[[Any, int, int | None], Fold] = no_fold
    folded: type[msgspec.Struct] | None = None
    tables: Mapping[str, type[msgspec.Struct]] = field(default_factory=dict)
    ledger: Callable[[Any, int], Ledger] = no_ledger
    summary: Summary | None = None
    chances: type[Chances] | None = None
    giving: Giving | None = None
    held: Callable[[Any], tuple[HeldMove, ...]] = nothing_held
    presenting: Presenting = NOTHING_PRESENTED
    rules_versions: tuple[RulesVersion, ...] = ()

    @property
    def rules_version(self) -> int:
        """The version of the rules as they are played now; the first is 1."""
        return self.rules_versions[-1].version if self.rules_versions else 1

    def __post_init__(self) -> None:
        for hook in self.hooks.values():
            _GAMES_CACHE[hook.view] = self
