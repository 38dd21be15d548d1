"""Keys that had other names before: a tournament file, or a ``--set``, in old names becomes one in new names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from arena.config.document import Document, SourceLocation, child, item
from arena.old_names import KEYS, OldKey, warning


def in_new_names(document: Document) -> Document:
    """The document with old keys replaced by their new ones, which keep the old ones' places. Raises ConfigError where
    an entry has both."""
    for key, index in _old_keys(document):
        at = item(key.within, index)
        old, new = child(at, key.old), child(at, key.new)
        entry: dict[str, Any] = document.data[key.within][index]
        if key.new in entry:
            raise document.error(old, f"{key.old!r} is the old name of {key.new!r}; give only one of them", of_key=True)
        entries = [*document.data[key.within]]
        entries[index] = {key.new if name == key.old else name: value for name, value in entry.items()}
        data = {**document.data, key.within: entries}
        document = Document(document.file, data, _moved(document.values, old, new), _moved(document.keys, old, new))
    return document


def setting_in_new_names(setting: str) -> str:
    """A ``--set`` of ``key=value`` with an old key replaced by its new one."""
    for key in KEYS:
        pattern = rf"^(\s*{key.within}(?:\[\d+\]|\.\d+)\.){key.old}(?=[.\[=\s])"
        setting = re.sub(pattern, rf"\g<1>{key.new}", setting)
    return setting


def warnings(document: Document, settings: Iterable[str]) -> list[str]:
    """A warning for each old key in a document as it was read, or in the settings, with the first place of it."""
    places: dict[OldKey, str] = {}
    for key, index in _old_keys(document):
        path = child(item(key.within, index), key.old)
        file, line, column = document.keys[path]
        places.setdefault(key, f"{file}:{line}:{column}: {path}")
    for setting in settings:
        for key in KEYS:
            if setting_in_new_names(setting) != setting:
                places.setdefault(key, f"--set {setting.partition('=')[0]}: {key.old}")
    return [warning(place, key.new) for key, place in places.items()]


def _old_keys(document: Document) -> Iterator[tuple[OldKey, int]]:
    """Each old key that the document has, with the number of the entry it stands in."""
    for key in KEYS:
        entries = document.data.get(key.within) if isinstance(document.data, dict) else None
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and key.old in entry:
                yield key, index


def _moved(places: dict[str, SourceLocation], old: str, new: str) -> dict[str, SourceLocation]:
    """The places, with those at or below ``old`` now at or below ``new``."""
    below = (f"{old}.", f"{old}[")
    return {
        new + path.removeprefix(old) if path == old or path.startswith(below) else path: place
        for path, place in places.items()
    }
