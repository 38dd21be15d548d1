"""A configuration document: plain data with the source location of each value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.errors import ConfigError


class SourceLocation(NamedTuple):
    """Where something was written: a file with line and column (from 1), or an option with a key, such as
    ``--set limits.ask``, with neither."""

    file: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Document:
    """Plain data with the places of its values, by key path such as ``entrants[2].bot`` ("" is the root).

    ``values`` has the place of each value (for a block of several lines: of its key), ``keys`` that of each key.
    ``file`` is the name for errors. Treat ``data`` as read-only; ``replaced`` gives a changed copy.
    """

    file: str
    data: Any
    values: dict[str, SourceLocation] = field(default_factory=dict)
    keys: dict[str, SourceLocation] = field(default_factory=dict)

    def with_data(self, data: Any) -> Document:
        """The same document with other data; it keeps the places of key paths that still exist."""
        return Document(self.file, data, self.values, self.keys)

    def locate(self, path: str) -> SourceLocation:
        """The place of the value at ``path``, or of its nearest written parent if it is not written itself."""
        for known in (path, *parent_paths(path)):
            if known in self.values:
                return self.values[known]
        return SourceLocation(self.file)

    def error(self, path: str, message: str, *, of_key: bool = False) -> ConfigError:
        """A ConfigError to raise about the value at ``path`` (or about the key itself: ``of_key``)."""
        place = self.keys[path] if of_key and path in self.keys else self.locate(path)
        named = not place.line and place.file in (f"--set {path}", f"--rule {path}")  # the place already names the key
        error = ConfigError(message, file=place.file, line=place.line, column=place.column, key="" if named else path)
        error.key = path
        return error


def child_path(path: str, key: str | int) -> str:
    """The path of a mapping's ``key`` below ``path``; keys that would look like a path are quoted."""
    name = key if isinstance(key, str) and re.fullmatch(r"\w[\w -]*", key) else repr(key)
    return f"{path}.{name}" if path else name


def item_path(path: str, index: int) -> str:
    """The path of a list's item below ``path``."""
    return f"{path}[{index}]"


def parent_paths(path: str) -> Iterator[str]:
    """The paths above ``path``, nearest first, ending with the root."""
    for cut in range(len(path) - 1, -1, -1):
        if cut == 0 or path[cut] in ".[":
            yield path[:cut]
