"""Expands the short forms of a tournament file, so that overrides and types handle one form only."""

from __future__ import annotations

from typing import Any

from arena.config.botspec import parse_bot
from arena.config.document import Document, child, item
from arena.config.duration import EXPECTED, parse_duration
from arena.config.expected_types import found
from arena.config.old_keys import in_new_names
from arena.errors import BotError, UserError


def spelled_out(document: Document) -> Document:
    """The document in new names (:mod:`arena.config.old_keys`), with each plain string among ``entrants`` and
    ``editions`` as a mapping, ``seed`` as text, ``seats``, also an edition's, as a list, and ``time_limit`` in
    seconds. Raises ConfigError for what is neither a short form nor a long one."""
    if not isinstance(document.data, dict):
        return document
    document = in_new_names(document)
    data = dict(document.data)
    for key, entry in (("entrants", _entrant), ("editions", _edition)):
        if isinstance(data.get(key), list):
            data[key] = [entry(document, item(key, index), one) for index, one in enumerate(data[key])]
    if "seed" in data:
        data["seed"] = _seed(document, data["seed"])
    if "seats" in data:
        data["seats"] = _seats(document, "seats", data["seats"])
    if "time_limit" in data:
        data["time_limit"] = _duration(document, data["time_limit"])
    return document.replaced(data)


def with_bots(document: Document, key: str) -> Document:
    """The document with each plain string in the list ``key`` as a mapping, such as entrants have."""
    if not isinstance(document.data, dict) or not isinstance(document.data.get(key), list):
        return document
    bots = [_entrant(document, item(key, index), one) for index, one in enumerate(document.data[key])]
    return document.replaced({**document.data, key: bots})


def _entrant(document: Document, path: str, entry: Any) -> Any:
    if isinstance(entry, dict):
        return entry
    if not isinstance(entry, str):
        raise document.error(path, f"expected a bot, or a mapping with the key 'bot' or 'cmd', got {found(entry)}")
    try:
        spec = parse_bot(entry)
    except BotError as problem:
        raise document.error(path, str(problem)) from None
    return {"bot": spec.text, "options": spec.options} if spec.options else {"bot": spec.text}


def _edition(document: Document, path: str, entry: Any) -> Any:
    if isinstance(entry, dict):
        return {**entry, "seats": _seats(document, child(path, "seats"), entry["seats"])} if "seats" in entry else entry
    if not isinstance(entry, str):
        raise document.error(path, f"expected rules, or a mapping with the key 'rules', got {found(entry)}")
    return {"rules": entry}


def _seed(document: Document, seed: Any) -> str | None:
    if seed is None or isinstance(seed, str):
        return seed
    if isinstance(seed, int) and not isinstance(seed, bool):
        return str(seed)
    raise document.error("seed", f"expected text, a whole number or null, got {found(seed)}; put text in quotes")


def _seats(document: Document, path: str, seats: Any) -> list[Any] | None:
    if seats is None or isinstance(seats, list):
        return seats
    if isinstance(seats, int) and not isinstance(seats, bool):
        return [seats]
    raise document.error(path, f"expected a whole number, a list of them or null, got {found(seats)}")


def _duration(document: Document, duration: Any) -> float | None:
    if duration is None:
        return None
    if isinstance(duration, bool) or not isinstance(duration, int | float | str):
        raise document.error("time_limit", f"expected {EXPECTED}, got {found(duration)}")
    try:
        return parse_duration(str(duration))
    except UserError as problem:
        raise document.error("time_limit", str(problem)) from None
