"""Sequences whose items are computed when they are needed, so that millions of them take no memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload


class ComputedSequence(Sequence[tuple[int, ...]]):
    """A sequence of tuples that are computed from their index, by :meth:`tuple_at`."""

    @abstractmethod
    def tuple_at(self, index: int) -> tuple[int, ...]:
        """The tuple at ``index``, from 0 to one less than the length."""

    @abstractmethod
    def index_of(self, item: tuple[int, ...]) -> int | None:
        """The index of this tuple, or None where it is not in the sequence."""

    @overload
    def __getitem__(self, index: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        if isinstance(index, slice):
            return [self.tuple_at(at) for at in range(len(self))[index]]
        return self.tuple_at(range(len(self))[index])
