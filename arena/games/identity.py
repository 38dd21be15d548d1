"""Wraps an object, such as rules, for use as the key of a cache."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class SameObject(Generic[T]):
    """Wraps an object as a cache key: equal only to a wrapper of the same object, and hashed by identity."""

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObject) and self.it is other.it
