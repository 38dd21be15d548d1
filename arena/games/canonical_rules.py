"""The form of an edition's rules that digests are made of and that stands in replays.

A key that came later is marked with :data:`LATER` and has a default with which the game is played as before. It is left
out where it has this default: so digests, and all that hangs on them, stay as they were before there was the key.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, get_type_hints

import msgspec

LATER = msgspec.Meta(extra={"later": True})
"""Marks a key of a game's rules that came later: ``bank_fee: Annotated[Count, LATER] = 0``."""


def canonical_rules(rules: msgspec.Struct) -> dict[str, Any]:
    """Typed rules as plain data, mappings sorted, without the keys that came later and have their defaults."""
    plain: dict[str, Any] = msgspec.to_builtins(rules, order="deterministic", str_keys=True)
    _leave_out(rules, plain)
    return plain


def rules_digest(plain: dict[str, Any]) -> str:
    """The SHA-256 (hex) of plain rules: of their JSON, keys sorted."""
    return sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


_HOLDING = (msgspec.Struct, list, tuple, dict)
"""What may hold a key at some depth."""


def _leave_out(value: Any, plain: Any) -> None:
    """Take the keys out of ``plain``, which holds the same as the typed ``value``."""
    if isinstance(value, msgspec.Struct):
        defaults = _later_defaults(type(value))
        for name, written in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            own = getattr(value, name)
            if name in defaults and own == defaults[name]:
                del plain[written]
            elif isinstance(own, _HOLDING) and written in plain:
                _leave_out(own, plain[written])
    elif isinstance(value, list | tuple):
        for each, part in zip(value, plain, strict=True):
            if isinstance(each, _HOLDING):
                _leave_out(each, part)
    elif isinstance(value, dict) and any(isinstance(each, msgspec.Struct) for each in value.values()):
        for key, each in value.items():
            _leave_out(each, plain[next(iter(msgspec.to_builtins({key: None}, str_keys=True)))])


@cache
def _later_defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The defaults of the keys that came later, by name. Raises TypeError for one that has none."""
    found: dict[str, Any] = {}
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        if any(mark is LATER or mark == LATER for mark in getattr(hints[field.name], "__metadata__", ())):
            if field.default is not msgspec.NODEFAULT:
                found[field.name] = field.default
            elif field.default_factory is not msgspec.NODEFAULT:
                found[field.name] = field.default_factory()
            else:
                raise TypeError(f"{kind.__name__}.{field.name}: a key that came later needs a default")
    return found
