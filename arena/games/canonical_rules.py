"""The canonical form of an edition's rules: digests are computed from it, and replays contain it.

A key that was added to the rules later is marked with :data:`LATER`; with its default the game is played as before. The
canonical form omits such a key if it has its default, so that older digests stay valid.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, get_type_hints

import msgspec

LATER = msgspec.Meta(extra={"later": True})
"""Marks a key that was added to a game's rules later: ``bank_fee: Annotated[Count, LATER] = 0``."""


def canonical_rules(rules: msgspec.Struct) -> dict[str, Any]:
    """Typed rules as plain data, mappings sorted, without the :data:`LATER` keys that have their defaults."""
    plain: dict[str, Any] = msgspec.to_builtins(rules, order="deterministic", str_keys=True)
    _leave_out(rules, plain)
    return plain


def rules_digest(plain: dict[str, Any]) -> str:
    """The SHA-256 (hex) of plain rules, computed from their JSON with sorted keys."""
    return sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


_HOLDING = (msgspec.Struct, list, tuple, dict)
"""The types that may contain a :data:`LATER` key at some depth."""


def _leave_out(value: Any, plain: Any) -> None:
    """Delete from ``plain`` the :data:`LATER` keys that have their defaults; ``value`` is the typed form of it."""
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
    """The defaults of the struct's :data:`LATER` keys, by name. Raises TypeError if such a key has no default."""
    found: dict[str, Any] = {}
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        if any(mark is LATER or mark == LATER for mark in getattr(hints[field.name], "__metadata__", ())):
            if field.default is not msgspec.NODEFAULT:
                found[field.name] = field.default
            elif field.default_factory is not msgspec.NODEFAULT:
                found[field.name] = field.default_factory()
            else:
                raise TypeError(f"{kind.__name__}.{field.name}: a key that was added later needs a default")
    return found
