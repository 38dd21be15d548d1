"""Converts a document to a typed value, or raises one message with place, key, what was expected and what was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import inspect as shape

from arena.config.documents.document import Document, child_path, item_path
from arena.config.documents.expected_types import allowed_values, at_key, describe_type, describe_value, record_fields
from arena.errors import ConfigError, nearest_hint

T = TypeVar("T")

_PATH_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|(\[\.\.\.\])")


def convert_document(document: Document, type_: type[T]) -> T:
    """The document's data as ``type_``. Conversion is strict: no text for numbers, no unknown keys.

    Raises ConfigError at the line of the first value that does not fit.
    """
    try:
        converted = msgspec.convert(document.data, type_, strict=True, str_keys=False)
    except msgspec.ValidationError as problem:
        raise _Finder(document, type_).explain(str(problem)) from None
    for path in _too_large(document.data, ""):
        raise document.error(path, "expected a whole number of at most 64 bits; put text in quotes")
    return converted


def fits_in_64_bits(number: int) -> bool:
    """Whether a whole number has at most 64 bits, so that replays and bots in any language can hold it."""
    return -(1 << 63) <= number < 1 << 63


def _too_large(data: Any, path: str) -> Iterator[str]:
    """The paths of whole numbers that do not fit."""
    match data:
        case dict():
            for key, value in data.items():
                if isinstance(key, int) and not fits_in_64_bits(key):
                    yield child_path(path, key)
                yield from _too_large(value, child_path(path, key))
        case list():
            for index, value in enumerate(data):
                yield from _too_large(value, item_path(path, index))
        case int() if not fits_in_64_bits(data):
            yield path


class _Finder:
    """Follows the path of a msgspec error through data and types, because msgspec names only part of it."""

    def __init__(self, document: Document, type_: Any) -> None:
        self.document, self.type_ = document, type_
        self.type: shape.Type | None = shape.type_info(type_)
        self.value: Any = document.data
        self.path = ""
        self.keys: list[str | int] = []

    def explain(self, problem: str) -> ConfigError:
        message, _, where = problem.rpartition(" - at ") if " - at `" in problem else (problem, "", "`$`")
        in_key = where.startswith("`key` in ")
        for name, index, _ in _PATH_STEP.findall(where.removeprefix("`key` in ").strip("`")):
            self.step(name or (int(index) if index else self.faulty_key(problem)))
        if in_key:
            return self.wrong_key(self.faulty_key(problem))
        if named := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
            return self.unknown_key_error(named[1])
        if named := re.fullmatch(r"Object missing required field `(.*)`", message, re.DOTALL):
            return self.missing_key_error(named[1])
        if message.startswith(("Expected ", "Invalid ", "Number ", "Integer ")) and self.type is not None:
            message = f"expected {describe_type(self.type)}, got {describe_value(self.value, self.type)}"
        return self.document.error(self.path, message)

    def step(self, key: str | int) -> None:
        """Go down one level, in data, types and path."""
        self.path = item_path(self.path, int(key)) if isinstance(self.value, list) else child_path(self.path, key)
        self.type = at_key(self.type, key) if self.type is not None else None
        self.value = self.value[key]
        self.keys.append(key)

    def faulty_key(self, problem: str) -> str | int:
        """The key of the current mapping that msgspec means: the one that causes the same error on its own."""
        for key in self.value:
            try:
                msgspec.convert(self.data_with_key(key), self.type_, strict=True, str_keys=False)
            except msgspec.ValidationError as again:
                if str(again) == problem:
                    return key  # type: ignore[no-any-return]
        return next(iter(self.value), "")

    def data_with_key(self, key: str | int) -> Any:
        """The whole data with only ``key`` in the current mapping."""
        kept: Any = {key: self.value[key]}
        for depth in range(len(self.keys) - 1, -1, -1):
            around = self.document.data
            for above in self.keys[:depth]:
                around = around[above]
            copy = around.copy()
            copy[self.keys[depth]] = kept
            kept = copy
        return kept

    def unknown_key_error(self, key: str | int) -> ConfigError:
        known = list(record_fields(self.type)) if self.type is not None else []
        message = f"unknown key{nearest_hint(str(key), known)}; expected one of {', '.join(known)}"
        return self.document.error(child_path(self.path, key), message, of_key=True)

    def missing_key_error(self, key: str) -> ConfigError:
        wanted = record_fields(self.type).get(key) if self.type is not None else None
        expected = f"; expected {describe_type(wanted)}" if wanted is not None else ""
        return self.document.error(child_path(self.path, key), f"the key is missing{expected}")

    def wrong_key(self, key: str | int) -> ConfigError:
        keys = at_key(self.type, None) if self.type is not None else None
        if keys is None:
            return self.unknown_key_error(key)
        close = nearest_hint(key, [str(value) for value in allowed_values(keys)]) if isinstance(key, str) else ""
        message = f"expected a key that is {describe_type(keys)}, got {describe_value(key)}{close}"
        return self.document.error(child_path(self.path, key), message, of_key=True)
