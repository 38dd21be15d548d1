"""Moves as numbers and views as vectors: what the codings of both games share.

A coding lists groups of actions and fields of the observation, each with its meaning; an action's number and the place
of a field in the vector follow from the order of these lists. Seats are counted from the own one: seat +1 is the next
clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from arena.errors import UserError
from arena.games import load_game
from arena.games.contract import Move, State, View, hook_of
from arena.games.identity import SameObject
from arena.games.presenting import checked_part

MOST_SEATS = 6
OTHER_SEATS = tuple(f"seat +{place}" for place in range(1, MOST_SEATS))
EVERY_SEAT = ("seat +0", *OTHER_SEATS)
NO_FLAGS = (0,) * MOST_SEATS
SEAT_FLAGS = tuple(tuple(int(place == seat) for place in range(MOST_SEATS)) for seat in range(MOST_SEATS))

KNOWN_PARTS = 1024
"""How many encoded parts of an observation are remembered for each field."""

Observation = NDArray[numpy.float32]
Mask = NDArray[numpy.int8]


class ActionGroup(NamedTuple):
    """Actions that belong together: the ``hook`` that they answer, a label for each, and what they mean."""

    hook: str
    labels: tuple[str, ...]
    meaning: str


class ObservedField(NamedTuple):
    """A part of the observation: how many numbers, what each is divided by, what they mean, and how they are read from
    a view.

    Reading is slow, and of one observation and the next most parts are alike. So ``key`` gives what the numbers depend
    on: views with equal keys have the same numbers.
    """

    name: str
    size: int
    scale: float
    meaning: str
    read: Callable[[Any], Sequence[float]]
    key: Callable[[Any], Hashable]


class Coding:
    """The coding of one game for one edition.

    ``groups`` are its actions and ``fields`` its observation, as the page ``arena docs environments`` lists them.
    ``actions`` has the label of each action, ``first`` the number of the first action of each group.
    """

    def __init__(self, groups: Sequence[ActionGroup], fields: Sequence[ObservedField]) -> None:
        self.groups, self.fields = tuple(groups), tuple(fields)
        self.actions = tuple(f"{group.hook}: {label}" for group in groups for label in group.labels)
        ends = numpy.cumsum([len(group.labels) for group in groups]).tolist()
        self.first: tuple[int, ...] = (0, *ends[:-1])
        self.size = sum(field.size for field in fields)
        self._parts: list[tuple[Callable[[Any], Hashable], dict[Hashable, bytes], ObservedField]]
        self._parts = [(field.key, {}, field) for field in fields]

    def choices(self, state: Any, index: int) -> Mapping[int, Move]:
        """The legal actions at ``state.asks[index]`` with their moves. They depend on nothing that the asked seat does
        not see."""
        raise NotImplementedError

    def finished(self, state: State, index: int, move: Move) -> Move:
        """The move that is played for a chosen one of :meth:`choices`."""
        return move

    def action_of(self, state: Any, index: int, move: Move, choices: Mapping[int, Move]) -> int | None:
        """The action that ``move``, an answer to ``state.asks[index]``, comes nearest to among ``choices``: the one
        that plays exactly this move if there is one. None where none is like it."""
        for action, choice in choices.items():
            if choice == move:
                return action
        nearest = self.nearest_action(state, index, move, choices)
        return nearest if nearest in choices else None

    def nearest_action(self, state: Any, index: int, move: Move, choices: Mapping[int, Move]) -> int | None:
        """The same for a legal move that is none of the ``choices``."""
        return None

    def digest(self) -> str:
        """The SHA-256 of the actions and of the names and sizes of the fields: equal if numbers mean the same."""
        fields = (f"{field.name} {field.size}" for field in self.fields)
        return sha256("\n".join((*self.actions, *fields)).encode()).hexdigest()

    def observe(self, view: View) -> Observation:
        """The view as a vector of numbers from -1 to 1; larger ones are cut."""
        parts = []
        for key_of, known, field in self._parts:
            key = key_of(view)
            part = known.get(key)
            if part is None:
                if len(known) >= KNOWN_PARTS:
                    known.clear()
                known[key] = part = _encode_field(field, view)
            parts.append(part)
        return numpy.frombuffer(bytearray(b"".join(parts)), numpy.float32)

    def mask(self, choices: Mapping[int, Move]) -> Mask:
        """1 for each legal action, 0 for the others."""
        mask = bytearray(len(self.actions))
        for action in choices:
            mask[action] = 1
        return numpy.frombuffer(mask, numpy.int8)


def _encode_field(field: ObservedField, view: View) -> bytes:
    """The numbers of one field, divided and cut, as they lie in the vector."""
    numbers = numpy.array(field.read(view), numpy.float32) * numpy.float32(1 / field.scale)
    numpy.minimum(numbers, 1, out=numbers)
    numpy.maximum(numbers, -1, out=numbers)
    encoded: bytes = numbers.tobytes()
    return encoded


def coding_of(game: str, rules: Any) -> Coding:
    """The coding of the game with this name for these rules. Raises UserError for a game without one."""
    make = load_game(game).presenting.coding
    if make is None:
        raise UserError(f"the game {game} has no environments (Presenting.coding)")
    return checked_part(game, make(rules), Coding)


def hook_field(hooks: Mapping[type[View], int]) -> ObservedField:
    """The field that says which question is asked."""
    flags = {view: tuple(int(place == number) for place in range(len(hooks))) for view, number in hooks.items()}
    none = (0,) * len(hooks)
    meaning = f"{', '.join(hook_of(view).name for view in hooks)}; zeros: not asked"
    return ObservedField("hook", len(hooks), 1, meaning, lambda view: flags.get(type(view), none), type)


def by_seat(values: Sequence[Any], view: View, absent: Any = 0) -> tuple[Any, ...]:
    """Values by seat, the own one first; ``absent`` for each seat that nobody holds."""
    return (*values[view.seat :], *values[: view.seat], *(absent,) * (MOST_SEATS - view.players))


def seat_flag(seat: int | None, view: View) -> tuple[int, ...]:
    """Six flags, of which the seat's is set; zeros without a seat."""
    return NO_FLAGS if seat is None else SEAT_FLAGS[(seat - view.seat) % view.players]


def seat_flags(seats: Sequence[int], view: View) -> tuple[int, ...]:
    """Six flags, of which those of the ``seats`` are set."""
    return by_seat([int(seat in seats) for seat in range(view.players)], view)


def players_field() -> ObservedField:
    """The field with the number of seats."""
    return number_field("players", MOST_SEATS, "the number of seats")


def number_field(name: str, scale: float, meaning: str) -> ObservedField:
    """A field with the one number that views have under this name."""
    read = attrgetter(name)
    return ObservedField(name, 1, scale, meaning, lambda view: (read(view),), read)


def seat_field(name: str, meaning: str) -> ObservedField:
    """A field with a flag for the seat that views have under this name."""
    read, key = attrgetter(name), attrgetter(name, "seat", "players")
    return ObservedField(name, MOST_SEATS, 1, meaning, lambda view: seat_flag(read(view), view), key)


def earned_money(view: Any) -> tuple[int, ...]:
    """What each seat got in all closed deals, the own one first."""
    return by_seat(_earned_by_seat(SameObject(view.ledger), view.players), view)


def ledger_key(view: Any) -> Hashable:
    """What :func:`earned_money` depends on."""
    return SameObject(view.ledger), view.seat, view.players


@lru_cache(maxsize=64)
def _earned_by_seat(ledger: SameObject[Any], players: int) -> list[int]:
    """The same by seat. A state has one ledger until the next deal is closed."""
    return [sum(deal.amounts[seat] for deal in ledger.it) for seat in range(players)]
