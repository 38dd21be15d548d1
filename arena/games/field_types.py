"""Checks that the fields of a move have the types that its class declares.

Moves that bots send as JSON are checked when they are read. A move made in Python is not, and one with, say, a text in
place of a seat must be refused like any other illegal move. A field may be an int, bool, str, None, an enum, a tuple, a
struct, or a union of these. Classes are taken exactly: True is no int, and a text that equals a member of an enum is
not that member.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec.structs import astuple

Look = Callable[[Any], str]
"""Checks a value of the right class: returns what is wrong with its contents as a sentence, or an empty string."""

Fit = dict[type, Look | None]
"""The classes that a value may have, each with the check of its contents (None: nothing to check)."""


MOST_FOUND, MOST_READ = 1 << 12, 1 << 6
_found: dict[int, msgspec.Struct] = {}
"""Moves that passed the check, by id: most moves are the engine's own objects and recur again and again. The dictionary
keeps the moves alive, so that no id is reused."""
_read: dict[int, msgspec.Struct] = {}
"""The same for moves decoded from JSON, kept for a short time only: each of them is checked once, and soon."""


def field_problem(move: msgspec.Struct) -> str:
    """What is wrong with a field of ``move``, as a sentence; empty for a well-formed move."""
    key = id(move)
    if _found.get(key) is move or _read.get(key) is move:
        return ""
    look = _struct_check(type(move))
    if look is not None and (wrong := look(move)):
        return wrong
    if len(_found) >= MOST_FOUND:
        _found.clear()
    _found[key] = move
    return ""


def trust_move(move: msgspec.Struct) -> None:
    """Mark ``move`` as checked, because it was just decoded from JSON by the types of its class."""
    if len(_read) >= MOST_READ:
        _read.clear()
    _read[id(move)] = move


@cache
def _struct_check(kind: type[msgspec.Struct]) -> Look | None:
    """The check of a struct's fields; None if the struct has no fields."""
    fields = msgspec.structs.fields(kind)
    names = tuple(f"{kind.__name__}.{field.name}" for field in fields)
    fits = tuple(_type_fit(field.type, name) for field, name in zip(fields, names, strict=True))
    deep = [(place, look) for place, fit in enumerate(fits) if len(fit) == 1 for look in fit.values() if look]
    unions = [(place, fit) for place, fit in enumerate(fits) if len(fit) > 1 and any(fit.values())]
    right: set[tuple[type, ...]] = set()  # classes seen before: faster than checking each field

    def look(value: msgspec.Struct) -> str:
        values = astuple(value)
        kinds = tuple(map(type, values))
        if kinds not in right:
            for name, found, fit in zip(names, kinds, fits, strict=True):
                if found not in fit:
                    return _type_fault(name, found, fit)
            right.add(kinds)
        for place, into in deep:
            if wrong := into(values[place]):
                return wrong
        for place, fit in unions:
            if (inside := fit[kinds[place]]) is not None and (wrong := inside(values[place])):
                return wrong
        return ""

    return look if fields else None


def _type_fit(kind: Any, name: str) -> Fit:
    """The classes that a value of the declared type ``kind`` may have; ``name`` is the field's name."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:  # limits are for the game's own refusals
        return _type_fit(inner[0], name)
    if origin in (Union, UnionType):
        fits = [_type_fit(each, name) for each in inner]
        if sum(map(len, fits)) == len(set().union(*fits)):
            return {each: look for fit in fits for each, look in fit.items()}
    elif origin is tuple:
        return {tuple: _items_check(inner[0], name) if inner[1:] == (...,) else _tuple_check(inner, name)}
    elif kind in (int, bool, str, NoneType, None):
        return {NoneType if kind is None else kind: None}
    elif isinstance(kind, type) and issubclass(kind, Enum):
        return {kind: None}
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {kind: _struct_check(kind)}
    raise TypeError(f"{name}: {kind} is no type for a field of a move")


def _items_check(kind: Any, name: str) -> Look:
    """The check of a tuple of any length with items of one type."""
    name = f"an item of {name}"
    fit = _type_fit(kind, name)
    plain = not any(fit.values())

    def look(values: tuple[Any, ...]) -> str:
        for value in values:
            if type(value) not in fit:
                return _type_fault(name, type(value), fit)
            if not plain and (into := fit[type(value)]) is not None and (wrong := into(value)):
                return wrong
        return ""

    return look


def _tuple_check(kinds: tuple[Any, ...], name: str) -> Look:
    """The check of a tuple with a declared type for each position."""
    fits = tuple(_type_fit(kind, f"item {place} of {name}") for place, kind in enumerate(kinds))

    def look(values: tuple[Any, ...]) -> str:
        if len(values) != len(fits):
            return f"{name} has {len(values)} items, not {len(fits)}"
        for place, (value, fit) in enumerate(zip(values, fits, strict=True)):
            found = type(value)
            if found not in fit:
                return _type_fault(f"item {place} of {name}", found, fit)
            if (into := fit[found]) is not None and (wrong := into(value)):
                return wrong
        return ""

    return look


def _type_fault(name: str, found: type, fit: Fit) -> str:
    expected = " or ".join(kind.__name__ for kind in fit)
    return f"{name} is of type {found.__name__}, expected {expected}".replace("NoneType", "None")
