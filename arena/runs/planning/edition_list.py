"""List, resolve and compare editions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.config.editions import Edition, bundled_rules, load_edition, load_source, resolve_edition


class ListedEdition(msgspec.Struct):
    """One edition in the list."""

    name: str
    game: str
    players: str
    title: str
    parent: str
    variants: list[str]


def list_editions() -> list[ListedEdition]:
    """The playable editions bundled with arena."""
    found = []
    for name in bundled_rules():
        source = load_source(name)
        if source.abstract:
            continue
        edition = load_edition(name)
        parent = Path(source.chain[1]).stem if len(source.chain) > 1 else ""
        seats = edition.seats
        title = str(edition.data.get("title", name))
        found.append(ListedEdition(name, edition.game, f"{seats[0]}–{seats[-1]}", title, parent, list(source.variants)))
    return found


def named_edition(name: str, variants: Sequence[str], settings: Sequence[str]) -> Edition:
    """One edition, resolved and checked."""
    return resolve_edition(load_source(name), variants, None, settings)


def check_edition(name: str, variants: Sequence[str], settings: Sequence[str]) -> Edition:
    """One edition, resolved, after checking that every variant it offers can be resolved as well. Raises ConfigError
    for a mistake."""
    for variant in load_source(name).variants:
        named_edition(name, (variant,), ())
    return named_edition(name, variants, settings)


def edition_difference(one: Edition, other: Edition) -> list[tuple[str, Any, Any]]:
    """Where two editions differ: key path, value in the first, value in the second (None where it is absent)."""
    return list(_differences("", one.every_key, other.every_key))


def _differences(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            yield from _differences(f"{path}.{key}" if path else str(key), one.get(key), other.get(key))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _differences(f"{path}[{index}]", left, right)
    elif one != other:
        yield path, one, other
