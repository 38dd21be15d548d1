"""Keys that were renamed: converts a tournament file, or a ``--set``, from old names to new names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from arena.config.documents.document import Document, SourceLocation, child_path, item_path
from arena.old_names import OLD_KEYS, OldKey, old_name_warning


def replace_old_keys(document: Document) -> Document:
    """The document with old keys replaced by their new ones, which keep the old ones' places. Raises ConfigError where
    an entry has both the old and the new key."""
    for key, index in _old_keys(document):
        at = item_path(key.within, index)
        old, new = child_path(at, key.old), child_path(at, key.new)
        entry: dict[str, Any] = document.data[key.within][index]
        if key.new in entry:
            raise document.error(old, f"{key.old!r} is the old name of {key.new!r}; give only one of them", of_key=True)
        entries = [*document.data[key.within]]
        entries[index] = {key.new if name == key.old else name: value for name, value in entry.items()}
        data = {**document.data, key.within: entries}
        document = Document(
            document.file, data, _move_places(document.values, old, new), _move_places(document.keys, old, new)
        )
    return document


def setting_in_new_names(setting: str) -> str:
    """A ``--set`` of ``key=value`` with an old key replaced by its new one."""
    for key in OLD_KEYS:
        pattern = rf"^(\s*{key.within}(?:\[\d+\]|\.\d+)\.){key.old}(?=[.\[=\s])"
        setting = re.sub(pattern, rf"\g<1>{key.new}", setting)
    return setting


def old_key_warnings(document: Document, settings: Iterable[str]) -> list[str]:
    """A warning for each old key in a document as it was read, or in the settings, with its first place."""
    places: dict[OldKey, str] = {}
    for key, index in _old_keys(document):
        path = child_path(item_path(key.within, index), key.old)
        file, line, column = document.keys[path]
        places.setdefault(key, f"{file}:{line}:{column}: {path}")
    for setting in settings:
        for key in OLD_KEYS:
            if setting_in_new_names(setting) != setting:
                places.setdefault(key, f"--set {setting.partition('=')[0]}: {key.old}")
    return [old_name_warning(place, key.new) for key, place in places.items()]


def _old_keys(document: Document) -> Iterator[tuple[OldKey, int]]:
    """Each old key that the document has, with the index of the entry that contains it."""
    for key in OLD_KEYS:
        entries = document.data.get(key.within) if isinstance(document.data, dict) else None
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and key.old in entry:
                yield key, index


def _move_places(places: dict[str, SourceLocation], old: str, new: str) -> dict[str, SourceLocation]:
    """The places, with those at or below ``old`` now at or below ``new``."""
    below = (f"{old}.", f"{old}[")
    return {
        new + path.removeprefix(old) if path == old or path.startswith(below) else path: place
        for path, place in places.items()
    }
