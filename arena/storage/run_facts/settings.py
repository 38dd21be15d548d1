"""What a run's configuration determines, as plain data for comparing two moments of the run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from arena.config.tournament_yaml import in_those_days
from arena.old_names import EDITION_CHANGES

FREE_KEYS = ("jobs", "slots", "require", "executor", "scheduler", "time_limit", "max_fault_rate")
"""Keys that do not affect what is played."""
FREE_MODEL_KEYS = ("url", "key_env", "gap", "total", "attempts", "connections", "price", "stream", "token_limit")
"""Keys of a model that do not affect what it is asked."""
FREE_BUDGETS = ("entrant", "run")
"""Budgets that end a run early, and affect no match."""
MANIFEST_KEYS = ("name", "seed", "entrants")
"""Keys that have their own fields in the manifest."""
LENGTH_KEYS = ("blocks", "rounds")
"""Keys that change when a run is extended."""
LATER_KEYS: Mapping[str, Any] = {
    "suspend_after": None,
    "format": "round-robin",
    "challengers": [],
    "rounds": None,
    "fixtures": [],
    "balance": "pairs",
    "measures": {},
}
"""Keys that older runs lack, with the values that applied to them; see :func:`complete_settings` too."""
SHOWN_DIFFERENCES = 5
"""How many differences a message lists one by one."""


def settings_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a resolved configuration that have no field of their own in the manifest. A rules file is given
    without its folder: it may be moved, and its digest is recorded."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(config))
    for edition in plain["editions"]:
        edition["rules"] = os.path.basename(edition["rules"])
    for model in plain.get("models", {}).values():
        for key in FREE_MODEL_KEYS:
            model.pop(key, None)
        if model.get("temperature", True):
            model.pop("temperature", None)  # older runs lack the key
    for key in FREE_BUDGETS:
        plain.get("consulting", {}).pop(key, None)
    if not plain.get("consulting", True):
        del plain["consulting"]
    return {key: value for key, value in plain.items() if key not in (*FREE_KEYS, *MANIFEST_KEYS)}


def comparable_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a resolved configuration that must be unchanged when a run is resumed: all but ``jobs`` and the bots'
    paths, whose digests are compared instead."""
    entrants = [
        {key: each[key] for key in ("name", "options", "team", "models") if key in each} for each in config["entrants"]
    ]
    return {"name": config["name"], "seed": config["seed"], "entrants": entrants, **settings_of(config)}


def complete_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a manifest of any age, with the keys that were added since."""
    return {**LATER_KEYS, "tables": None, **in_those_days(settings), **current_settings(settings)}


def current_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a manifest of any age under their current names."""
    key = EDITION_CHANGES
    if key.within not in settings:
        return dict(settings)
    entries = [{key.new if name == key.old else name: each[name] for name in each} for each in settings[key.within]]
    return {**settings, key.within: entries}


def setting_differences(here: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """The differences by key path, each with both values as JSON: ``{"limits.ask": ("0.5", "1.0")}``."""
    one, other = dict(_leaves("", here)), dict(_leaves("", there))
    return {
        key: (one.get(key, "nothing"), other.get(key, "nothing"))
        for key in dict.fromkeys([*one, *other])
        if one.get(key) != other.get(key)
    }


def differences_line(found: Mapping[str, tuple[str, str]], here: str, there: str) -> str:
    """The first few differences in words, ``strikes: 3 HERE, 5 THERE``, and the number of further ones."""
    told = [f"{key}: {one} {here}, {other} {there}" for key, (one, other) in list(found.items())[:SHOWN_DIFFERENCES]]
    more = len(found) - len(told)
    return "; ".join([*told, *([f"and {more} more"] if more else [])])


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every leaf value with its key path, as JSON."""
    if isinstance(value, Mapping) and value:
        for key, below in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), below)
    elif isinstance(value, list | tuple) and value:
        for place, below in enumerate(value):
            yield from _leaves(f"{path}[{place}]", below)
    else:
        yield path, msgspec.json.encode(value).decode()
