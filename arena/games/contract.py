"""What a game is, to everything that is not a game.

A game is a pure state machine. A state says whom it asks for what (``asks``), which moves answer an
ask (``legal``), why a move is refused (``refusal``), and changes in one function (``apply``). Chance
comes from :mod:`arena.games.chance`. The laws every game obeys are tested in ``tests/laws``.

A game lives in a folder of its own, ``arena/games/NAME/``, whose ``__init__`` defines ``GAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import msgspec

from arena.games.chance import Chance


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
    """Chance spoke: the event's ``name``, its ``index`` numbers, and its ``value``. Nobody is shown it;
    what it means for the seats (a card drawn, a roll) is an event of its own."""

    name: str
    index: tuple[int, ...]
    value: int | tuple[int | str, ...]

    def seen_by(self, seat: int) -> Event | None:
        return None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The end of a match: ``money`` and ``ranks`` by seat (best rank 1, equal money shares it), and why it ended."""

    money: tuple[int, ...]
    ranks: tuple[int, ...]
    termination: str

    @classmethod
    def by_money(cls, money: Sequence[int], termination: str) -> Outcome:
        """Most money wins; equal money shares the rank."""
        ranks = tuple(1 + sum(other > own for other in money) for own in money)
        return cls(tuple(money), ranks, termination)


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a seat may know, and no more. Holds no reference to anything hidden.

    ``seat`` is the viewer's own, ``players`` the number of seats, ``news`` what happened since this
    seat was last asked, oldest first, as far as the seat may know it.
    """

    seat: int
    players: int
    news: tuple[Any, ...] = ()

    def legal_moves(self, rules: Any) -> tuple[Move, ...]:
        """Every move that answers this ask, as :meth:`State.legal` lists them."""
        raise NotImplementedError

    def refusal(self, rules: Any, move: Move) -> Refusal | None:
        """Why the rules would refuse ``move`` as the answer to this ask, or None."""
        raise NotImplementedError


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
        """Every legal answer to ``asks[index]``, without repetition. Where there are endlessly many, such as offers
        at any price, the game says which stand for them; :meth:`refusal` judges them all."""

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

    def view(self, index: int, news: tuple[Event, ...] = ()) -> View:
        """What the asked seat may know when it answers ``asks[index]``."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One question a game asks bots.

    ``moves`` are the classes that may answer it, ``view`` what the bot is handed, ``idle`` the answer
    that does nothing (None where something must be done): it is not written to the replay.
    """

    name: str
    moves: tuple[type[Move], ...]
    view: type[View]
    idle: Move | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game as everything else sees it.

    ``start(rules, players, chance, log)`` sets up a match; ``rules_type`` is what a resolved rules file becomes, with
    ``game`` and ``name`` among its fields; ``check_rules(rules)`` lists what is inconsistent in it; ``events`` are the
    classes that may stand in a replay, told apart by their tags from its own lines; ``tell(event, rules, names)`` says
    one in a sentence with the edition's names (None: not worth a line); ``unit`` is what money is counted in, its
    first letter written before the amount: ``$M`` makes $12M.
    """

    name: str
    hooks: Mapping[str, Hook]
    rules_type: type[Any]
    events: tuple[type[Event], ...]
    start: Callable[[Any, int, Chance, list[Event] | None], State]
    check_rules: Callable[[Any], list[str]]
    seats: Callable[[Any], range]
    tell: Callable[[Event, Any, Sequence[str]], str | None]
    unit: str = "$"
