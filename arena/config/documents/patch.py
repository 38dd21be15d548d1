"""Changes to plain data: differences from a parent (RFC 7396) and the command line's ``key=value``."""

from __future__ import annotations

import copy
import re
from typing import Any

from arena.config.documents.document import Document, SourceLocation, child_path, item_path, parent_paths
from arena.config.documents.expected_types import describe_value
from arena.config.documents.yamlfile import parse_yaml
from arena.errors import ConfigError

_SETTING_EXAMPLES = {"--set": "limits.ask=0.5", "--rule": "max_turns=50"}
_KEY_STEP = re.compile(r"(?:^|\.)([^.\[\]]+)|\[(\d+)\]")


def merge_patch(parent: Any, difference: Any) -> Any:
    """``parent`` with the ``difference`` applied: mappings merge key by key, null removes a key, everything else
    replaces (RFC 7396). Neither argument is changed; the result shares unchanged parts with them."""
    if not isinstance(difference, dict):
        return difference
    merged = dict(parent) if isinstance(parent, dict) else {}
    for key, value in difference.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def set_key(document: Document, setting: str, option: str = "--set") -> Document:
    """A copy of ``document`` with one value set, as in ``limits.ask=0.5`` or ``entrants[0].bot=greedy``.

    The value is YAML, so text that looks like a number needs quotes. Missing mappings on the path are created; list
    items must exist. ConfigErrors about that value, later ones too, name ``option`` and key in place of file and line.
    """
    name, equals, text = setting.partition("=")
    name = name.strip()
    steps = _path_steps(name)
    if not name.isprintable():
        raise ConfigError(f"expected a key of printable text in UTF-8, got {name!a}", file=option)
    if not equals or not steps:
        raise ConfigError(f"expected key=value, such as {_SETTING_EXAMPLES[option]}", file=f"{option} {setting}")
    place = SourceLocation(f"{option} {name}")
    value = _parse_value(text, place.file)
    data = copy.deepcopy(document.data)
    path = _put_value(data, steps, value.data, place.file)
    values, keys = _drop_places(path, document.values), _drop_places(path, document.keys)
    for above in parent_paths(path):
        values.setdefault(above, place)
        keys.setdefault(above, place)
    values |= {_join_path(path, below): place for below in value.values}
    keys |= {_join_path(path, below): place for below in ("", *value.keys)}
    return Document(document.file, data, values, keys)


def _path_steps(name: str) -> list[str | int]:
    """The keys in a path such as ``entrants[0].options.greed``; whole numbers stay numbers, as in YAML. A number is an
    index where the data has a list, otherwise a key. Empty if ``name`` is no path."""
    found_steps = list(_KEY_STEP.finditer(name))
    if "".join(step[0] for step in found_steps) != name:
        return []
    words = [step[1] or step[2] for step in found_steps]
    return [int(word) if re.fullmatch(r"0|[1-9]\d{0,17}", word) else word for word in words]


def _parse_value(text: str, where: str) -> Document:
    """The YAML after the equals sign."""
    if not text.strip() or text.lstrip().startswith("#"):
        raise ConfigError("expected a value after '=', got nothing; write null to unset", file=where)
    try:
        return parse_yaml(text, where, null=True)
    except ConfigError as problem:
        raise ConfigError(problem.message, file=where) from None


def _put_value(data: Any, steps: list[str | int], value: Any, where: str) -> str:
    """Set ``value`` in ``data`` and return its path."""
    at, path = data, ""
    for depth, step in enumerate(steps):
        last = depth == len(steps) - 1
        if isinstance(at, list):
            step = _item_index(at, step, path, where)
            path = item_path(path, step)
        elif isinstance(at, dict):
            path = child_path(path, step)
            if not last and at.get(step) is None:
                at[step] = {}
        else:
            raise ConfigError(f"{path or 'the file'} is {describe_value(at)}; it has no key {step}", file=where)
        if last:
            at[step] = value
        else:
            at = at[step]
    return path


def _item_index(items: list[Any], step: str | int, path: str, where: str) -> int:
    if isinstance(step, int) and step < len(items):
        return step
    if not items:
        raise ConfigError(f"{path} is an empty list", file=where)
    raise ConfigError(f"{path} has items [0] to [{len(items) - 1}], got {step}", file=where)


def _join_path(path: str, below: str) -> str:
    return path + below if not below or below.startswith("[") else f"{path}.{below}"


def _drop_places(path: str, places: dict[str, SourceLocation]) -> dict[str, SourceLocation]:
    """The places without those at or below ``path``."""
    below = (f"{path}.", f"{path}[")
    return {other: place for other, place in places.items() if other != path and not other.startswith(below)}
