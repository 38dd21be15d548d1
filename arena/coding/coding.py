"""Moves as numbers and views as vectors: what the codings of both games share.

A coding lists groups of actions and fields of the observation, each with its meaning; an action's number and the place
of a field in the vector follow from the order of these lists. Seats are counted from the own one: seat +1 is the next
clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import compress, groupby
from operator import attrgetter, itemgetter, ne
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

KNOWN_PARTS = 2048
"""How many encoded parts of an observation are remembered for each field."""
KNOWN_MOVES = 4096
"""How many moves' actions are remembered, for each of the places from which they are seen."""
FLOAT, FLAG = numpy.dtype(numpy.float32), numpy.dtype(numpy.int8)

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

    Reading is slow, and of one observation and the next most parts are alike. So ``depends`` names the attributes of a
    view that the numbers depend on: where these are equal, so are the numbers. Not every view must have all of them.
    """

    name: str
    size: int
    scale: float
    meaning: str
    read: Callable[[Any], Sequence[float]]
    depends: tuple[str, ...]


class EncodedNumbers(dict[float, bytes]):
    """The bytes of each number, divided by ``scale`` and cut, as it lies in the vector; each made on first use."""

    def __init__(self, scale: float) -> None:
        self._factor = numpy.float32(1 / scale)

    def __missing__(self, number: float) -> bytes:
        divided = numpy.float32(number) * self._factor
        self[number] = encoded = numpy.clip(divided, numpy.float32(-1), numpy.float32(1)).tobytes()
        return encoded


class ObservedPart(NamedTuple):
    """Neighbouring fields that depend on the same values: their place in the vector, how their ``key`` is taken from
    all values that a view has, what is ``known`` of their bytes by key, and how each field is read and encoded."""

    place: slice
    key: Callable[[tuple[Any, ...]], Hashable]
    known: dict[Hashable, bytes]
    fields: list[tuple[Callable[[Any], Sequence[float]], EncodedNumbers]]

    def encode(self, view: View) -> bytes:
        """The bytes of this part for a view."""
        return b"".join([b"".join(map(numbers.__getitem__, read(view))) for read, numbers in self.fields])


class LastObservation:
    """What a seat observed last: the ``values`` of all attributes, and the vector, whose bytes are ``encoded``."""

    __slots__ = ("encoded", "values", "vector")

    def __init__(self, size: int, names: int) -> None:
        self.values: tuple[Any, ...] = tuple([object() for _ in range(names)])  # like nothing that a view has
        self.encoded = bytearray(FLOAT.itemsize * size)
        self.vector: Observation = numpy.frombuffer(self.encoded, FLOAT)


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
        self._names = tuple(dict.fromkeys(("seat", "players", *(name for field in fields for name in field.depends))))
        self._parts, self._changed_by = _split_vector(self.fields, self._names)
        self._readers: dict[type[View], Callable[[View], tuple[Any, ...]]] = {}
        self._last: dict[int, LastObservation] = {}
        self._numbers: dict[tuple[int, ...], dict[int, tuple[int | None, Move]]] = {}

    def choices(self, state: Any, index: int) -> Mapping[int, Move]:
        """The legal actions at ``state.asks[index]`` with their moves. They depend on nothing that the asked seat does
        not see."""
        raise NotImplementedError

    def number_of(self, move: Move, *about: int) -> int | None:
        """The action that plays ``move``, or None, where ``about`` is what this depends on beside the move."""
        raise NotImplementedError

    def number_moves(self, moves: Sequence[Move], *about: int) -> dict[int, Move]:
        """The moves by their actions, of several with one action the first; those without one are left out.

        Most moves are shared objects of the engine, which recur. So actions are remembered by the id of their moves,
        and each with its move, so that the id is not reused.
        """
        found: dict[int, Move] = {}
        numbers = self._numbers.setdefault(about, {})
        for known, move in zip(map(numbers.get, map(id, moves)), moves, strict=True):
            if known is None:
                if len(numbers) >= KNOWN_MOVES:
                    numbers.clear()
                numbers[id(move)] = known = self.number_of(move, *about), move
            action = known[0]
            if action is not None and action not in found:
                found[action] = move
        return found

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
        """The view as a vector of numbers from -1 to 1; larger ones are cut. Encodes only what has changed since this
        seat observed last."""
        read, last = self._readers.get(type(view)), self._last.get(view.seat)
        if read is None:
            self._readers[type(view)] = read = _values_reader(type(view), self._names)
        if last is None:
            self._last[view.seat] = last = LastObservation(self.size, len(self._names))
        values, encoded = read(view), last.encoded
        for part in set[int]().union(*compress(self._changed_by, map(ne, values, last.values))):
            place, key_of, known, _ = self._parts[part]
            key = key_of(values)
            found = known.get(key)
            if found is None:
                if len(known) >= KNOWN_PARTS:
                    known.clear()
                known[key] = found = self._parts[part].encode(view)
            encoded[place] = found
        last.values = values
        return last.vector.copy()

    def mask(self, choices: Mapping[int, Move]) -> Mask:
        """1 for each legal action, 0 for the others."""
        mask = bytearray(len(self.actions))
        for action in choices:
            mask[action] = 1
        return numpy.frombuffer(mask, FLAG)


def _values_reader(kind: type[View], names: Sequence[str]) -> Callable[[View], tuple[Any, ...]]:
    """Reads the attributes of these names from a view of this class. For each that it lacks stands its module."""
    has = {*kind.__struct_fields__, "__class__"}
    return attrgetter(*(name if name in has else "__module__" for name in names))


def _split_vector(
    fields: Sequence[ObservedField], names: Sequence[str]
) -> tuple[list[ObservedPart], list[tuple[int, ...]]]:
    """The parts of the vector in order, and for each of the ``names`` the parts that depend on it."""
    parts: list[ObservedPart] = []
    changed_by: dict[str, list[int]] = {name: [] for name in names}
    stop = 0
    for depends, group in groupby(fields, lambda field: field.depends):
        alike = list(group)
        start, stop = stop, stop + FLOAT.itemsize * sum(field.size for field in alike)
        encoders = [(field.read, EncodedNumbers(field.scale)) for field in alike]
        for name in depends:
            changed_by[name].append(len(parts))
        parts.append(ObservedPart(slice(start, stop), itemgetter(*map(names.index, depends)), {}, encoders))
    return parts, list(map(tuple, changed_by.values()))


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
    return ObservedField("hook", len(hooks), 1, meaning, lambda view: flags.get(type(view), none), ("__class__",))


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
    return ObservedField(name, 1, scale, meaning, lambda view: (read(view),), (name,))


def seat_field(name: str, meaning: str) -> ObservedField:
    """A field with a flag for the seat that views have under this name."""
    read = attrgetter(name)
    depends = (name, "seat", "players")
    return ObservedField(name, MOST_SEATS, 1, meaning, lambda view: seat_flag(read(view), view), depends)


def earned_field(scale: float, meaning: str) -> ObservedField:
    """The field with what each seat got in all closed deals, the own one first."""

    def read_earned(view: Any) -> tuple[int, ...]:
        return by_seat(_earned_by_seat(SameObject(view.ledger), view.players), view)

    return ObservedField("earned", MOST_SEATS, scale, meaning, read_earned, ("ledger", "seat", "players"))


@lru_cache(maxsize=64)
def _earned_by_seat(ledger: SameObject[Any], players: int) -> list[int]:
    """The same by seat. A state has one ledger until the next deal is closed."""
    return [sum(deal.amounts[seat] for deal in ledger.it) for seat in range(players)]
