"""Types in plain words, for "expected X, got Y"."""

from __future__ import annotations

from typing import Any

from msgspec import inspect as shape

from arena.errors import cut_text, nearest_hint


def describe_type(type_: shape.Type) -> str:
    """The type in words: "a whole number from 1 to 6", "text or null"."""
    match type_:
        case shape.Metadata():
            return describe_type(type_.type)
        case shape.IntType() | shape.FloatType():
            return ("a whole number" if isinstance(type_, shape.IntType) else "a number") + _bounds_phrase(type_)
        case shape.StrType():
            pattern = f" matching {type_.pattern}" if type_.pattern else ""
            return "text" + _length_phrase(type_, "character") + pattern
        case shape.BoolType():
            return "true or false"
        case shape.NoneType():
            return "null"
        case shape.LiteralType() | shape.EnumType():
            return _join_alternatives([str(value) for value in allowed_values(type_)])
        case shape.TupleType():
            return f"a list of {len(type_.item_types)}"
        case shape.ListType() | shape.VarTupleType() | shape.SetType() | shape.FrozenSetType():
            return "a list" + _length_phrase(type_, "item")
        case shape.StructType() | shape.DictType():
            return "a mapping"
        case shape.UnionType():
            return _join_alternatives(_alternative_words(type_.types))
    return "something else"


def describe_value(value: Any, type_: shape.Type | None = None) -> str:
    """The value that was found, in words; with the expected ``type_`` also a hint at what may have been meant."""
    match value:
        case None:
            return "nothing (null)"
        case bool():
            shown = str(value).lower()
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            return f"a mapping ({cut_text(', '.join(map(str, value)))})" if value else "an empty mapping"
        case _:
            shown = cut_text(repr(value))
    return shown + (_value_hint(value, type_) if type_ is not None else "")


def allowed_values(type_: shape.Type) -> list[Any]:
    """The closed list of values of a Literal or enum, also inside a union; empty for open types."""
    match type_:
        case shape.Metadata():
            return allowed_values(type_.type)
        case shape.LiteralType():
            return list(type_.values)
        case shape.EnumType():
            return [member.value for member in type_.cls]
        case shape.UnionType():
            return [value for one in type_.types for value in allowed_values(one)]
    return []


def record_fields(type_: shape.Type) -> dict[str, shape.Type]:
    """The keys of a record and their types; of a union, those of its record."""
    match type_:
        case shape.Metadata():
            return record_fields(type_.type)
        case shape.StructType():
            return {field.encode_name: field.type for field in type_.fields}
        case shape.UnionType():
            return {name: one for part in type_.types for name, one in record_fields(part).items()}
    return {}


def at_key(type_: shape.Type, key: str | int | None) -> shape.Type | None:
    """The type of the value at a key or index inside ``type_``; for None, the type of a mapping's keys."""
    match type_:
        case shape.Metadata():
            return at_key(type_.type, key)
        case shape.StructType() if isinstance(key, str):
            return record_fields(type_).get(key)
        case shape.DictType():
            return type_.key_type if key is None else type_.value_type
        case shape.TupleType() if isinstance(key, int) and key < len(type_.item_types):
            return type_.item_types[key]
        case shape.ListType() | shape.VarTupleType() | shape.SetType() | shape.FrozenSetType():
            return type_.item_type
        case shape.UnionType():
            return next((below for one in type_.types if (below := at_key(one, key)) is not None), None)
    return None


def _alternative_words(types: tuple[shape.Type, ...]) -> list[str]:
    """A union's types in words, null last; a whole number is left out where any number is allowed."""
    if any(isinstance(one, shape.FloatType) for one in types):
        types = tuple(one for one in types if not isinstance(one, shape.IntType))
    words: list[str] = []
    for one in types:
        closed = [str(value) for value in allowed_values(one)]
        words += ["true", "false"] if isinstance(one, shape.BoolType) else closed or [describe_type(one)]
    last = ["true", "false", "null"]
    return [word for word in words if word not in last] + [word for word in last if word in words]


def _value_hint(value: Any, type_: shape.Type) -> str:
    """A hint: the nearest allowed value, or that quotes are missing or should not be there."""
    if isinstance(value, str) and (known := [one for one in allowed_values(type_) if isinstance(one, str)]):
        return nearest_hint(value, known)
    kinds = type_.types if isinstance(type_, shape.UnionType) else (type_,)
    if not isinstance(value, str) and any(isinstance(one, shape.StrType) for one in kinds):
        return "; put text in quotes"
    numeric = any(isinstance(one, shape.IntType | shape.FloatType) for one in kinds)
    if isinstance(value, str) and numeric and value.strip("+-").replace(".", "", 1).isdecimal():
        return "; write the number without quotes"
    return ""


def _bounds_phrase(type_: shape.IntType | shape.FloatType) -> str:
    if type_.ge is not None and type_.le is not None:
        return f" from {_grouped_digits(type_.ge)} to {_grouped_digits(type_.le)}"
    low = [("of at least", type_.ge), ("above", type_.gt)]
    high = [("of at most", type_.le), ("below", type_.lt)]
    words = [f"{word} {_grouped_digits(bound)}" for word, bound in low + high if bound is not None]
    return " " + " and ".join(words) if words else ""


def _grouped_digits(bound: float) -> str:
    return f"{bound:,}".removesuffix(".0")


def _length_phrase(type_: Any, unit: str) -> str:
    low, high = type_.min_length, type_.max_length
    if low is None and high is None:
        return ""
    if low is None or high is None:
        word, bound = ("at least", low) if high is None else ("at most", high)
        return f" of {word} {bound} {unit}" + ("s" if bound != 1 else "")
    return f" of {low} to {high} {unit}s"


def _join_alternatives(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
