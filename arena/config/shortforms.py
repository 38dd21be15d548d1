"""Expands the short forms of a tournament file, so that overrides and types handle one form only."""

from __future__ import annotations

from typing import Any

from arena.config.botspec import parse_bot
from arena.config.documents.document import Document, child_path, item_path
from arena.config.documents.duration import EXPECTED_DURATION, parse_duration
from arena.config.documents.expected_types import describe_value
from arena.config.documents.old_keys import replace_old_keys
from arena.errors import BotError, UserError


def spelled_out(document: Document) -> Document:
    """The document with new key names (:mod:`arena.config.documents.old_keys`), with each plain string among
    ``entrants`` and ``editions`` as a mapping, ``seed`` as text, ``seats``, also an edition's, as a list, and
    ``time_limit`` in seconds. Raises ConfigError for a value that is neither a short form nor a long one."""
    if not isinstance(document.data, dict):
        return document
    document = replace_old_keys(document)
    data = dict(document.data)
    for key, entry in (("entrants", _expand_entrant), ("editions", _expand_edition)):
        if isinstance(data.get(key), list):
            data[key] = [entry(document, item_path(key, index), one) for index, one in enumerate(data[key])]
    if "seed" in data:
        data["seed"] = _expand_seed(document, data["seed"])
    if "seats" in data:
        data["seats"] = _expand_seats(document, "seats", data["seats"])
    if "time_limit" in data:
        data["time_limit"] = _expand_duration(document, data["time_limit"])
    return document.with_data(data)


def expand_bots(document: Document, key: str) -> Document:
    """The document with each plain string in the list ``key`` replaced by a mapping, such as entrants have."""
    if not isinstance(document.data, dict) or not isinstance(document.data.get(key), list):
        return document
    bots = [_expand_entrant(document, item_path(key, index), one) for index, one in enumerate(document.data[key])]
    return document.with_data({**document.data, key: bots})


def _expand_entrant(document: Document, path: str, entry: Any) -> Any:
    if isinstance(entry, dict):
        return {**entry, "models": [entry["models"]]} if isinstance(entry.get("models"), str) else entry
    if not isinstance(entry, str):
        raise document.error(
            path, f"expected a bot, or a mapping with the key 'bot' or 'cmd', got {describe_value(entry)}"
        )
    try:
        spec = parse_bot(entry)
    except BotError as problem:
        raise document.error(path, str(problem)) from None
    return {"bot": spec.text, "options": spec.options} if spec.options else {"bot": spec.text}


def _expand_edition(document: Document, path: str, entry: Any) -> Any:
    if isinstance(entry, dict):
        return (
            {**entry, "seats": _expand_seats(document, child_path(path, "seats"), entry["seats"])}
            if "seats" in entry
            else entry
        )
    if not isinstance(entry, str):
        raise document.error(path, f"expected rules, or a mapping with the key 'rules', got {describe_value(entry)}")
    return {"rules": entry}


def _expand_seed(document: Document, seed: Any) -> str | None:
    if seed is None or isinstance(seed, str):
        return seed
    if isinstance(seed, int) and not isinstance(seed, bool):
        return str(seed)
    raise document.error(
        "seed", f"expected text, a whole number or null, got {describe_value(seed)}; put text in quotes"
    )


def _expand_seats(document: Document, path: str, seats: Any) -> list[Any] | None:
    if seats is None or isinstance(seats, list):
        return seats
    if isinstance(seats, int) and not isinstance(seats, bool):
        return [seats]
    raise document.error(path, f"expected a whole number, a list of them or null, got {describe_value(seats)}")


def _expand_duration(document: Document, duration: Any) -> float | None:
    if duration is None:
        return None
    if isinstance(duration, bool) or not isinstance(duration, int | float | str):
        raise document.error("time_limit", f"expected {EXPECTED_DURATION}, got {describe_value(duration)}")
    try:
        return parse_duration(str(duration))
    except UserError as problem:
        raise document.error("time_limit", str(problem)) from None
