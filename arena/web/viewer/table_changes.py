"""The changes of a table by an event, and what a seat sees differently there: small enough for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple

Fields = dict[str, Any]
"""Fields of a table by name, with their values."""
Splices = dict[str, tuple[int, int, tuple[Any, ...]]]
"""Changes of a table's lists by name: the index (from 0), how many elements are removed there, and the new elements."""


def changed_fields(before: msgspec.Struct, after: msgspec.Struct) -> tuple[Fields, Splices]:
    """Return the fields that differ, by name: those that are replaced, with their new values, and the lists that keep
    a part at their beginning or end, as splices."""
    fields: Fields = {}
    splices: Splices = {}
    for name in after.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is new or old == new:
            continue
        splice = _splice(old, new) if isinstance(old, tuple) and isinstance(new, tuple) else None
        if splice is None:
            fields[name] = new
        else:
            splices[name] = splice
    return fields, splices


def _splice(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[int, int, tuple[Any, ...]] | None:
    """Return the splice that turns ``old`` into ``new``; None if they share neither their beginning nor their end."""
    most = min(len(old), len(new))
    start = next((place for place in range(most) if old[place] != new[place]), most)
    end = next((back for back in range(most - start) if old[-1 - back] != new[-1 - back]), most - start)
    if not start and not end:
        return None
    return start, len(old) - start - end, new[start : len(new) - end]


def differing_fields(whole: Sequence[msgspec.Struct], seen: Sequence[msgspec.Struct]) -> list[str]:
    """Return the names of the fields that differ, at one moment or more, between the complete tables (``whole``) and
    the tables that a seat sees at the same moments (``seen``)."""
    if not whole:
        return []
    columns, seen_columns = zip(*map(astuple, whole), strict=True), zip(*map(astuple, seen), strict=True)
    names = whole[0].__struct_fields__
    return [name for name, a, b in zip(names, columns, seen_columns, strict=True) if a != b]


def own_fields(
    whole: Sequence[msgspec.Struct], seen: Sequence[Sequence[msgspec.Struct]], names: Sequence[Sequence[str]]
) -> list[str]:
    """Return the names of the fields that have one element for each seat, of which a seat sees, at every moment, only
    its own, and null in place of the others. ``whole`` are the complete tables, ``seen[seat]`` the tables that a seat
    sees at the same moments, and ``names[seat]`` the fields in which they differ (:func:`differing_fields`)."""
    return [
        name
        for name in dict.fromkeys(name for each in names for name in each)
        if all(
            _is_own(getattr(a, name), getattr(b, name), seat, len(seen))
            for seat, tables in enumerate(seen)
            for a, b in zip(whole, tables, strict=True)
        )
    ]


def _is_own(whole: Any, seen: Any, seat: int, players: int) -> bool:
    if not isinstance(whole, tuple) or len(whole) != players:
        return False
    return bool(seen == (None,) * seat + (whole[seat],) + (None,) * (players - seat - 1))


def seat_differences(seen: Sequence[msgspec.Struct], names: Sequence[str]) -> Iterator[tuple[int, Fields]]:
    """Yield how a seat sees the fields ``names``: each moment (its index, from 0) at which some change, with the new
    values of these."""
    before: Fields = {}
    for moment, table in enumerate(seen):
        now = {name: getattr(table, name) for name in names}
        changed = {name: value for name, value in now.items() if name not in before or before[name] != value}
        if changed:
            yield moment, changed
        before = now
