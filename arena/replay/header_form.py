"""Whether the first line of a replay is written as the format's documentation says, beyond what its types require.

The rules are read as a mapping, whose keys may be in any order and whose values may have any equivalent form: so this
module checks both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from arena.errors import cut_text
from arena.games.canonical_rules import canonical_rules
from arena.games.identity import SameObject
from arena.replay.lines import Header
from arena.replay.read import KNOWN_RULES


def out_of_form(header: Header, rules: Any) -> str:
    """The deviations from the form in a header whose typed rules are ``rules``, in words; empty where there are
    none."""
    if header.block < 0:
        return f"block is {header.block}; blocks count from 0"
    if header.strikes < 1:
        return f"strikes is {header.strikes}; a bot is out after 1 or more"
    return _rules_deviation(msgspec.json.encode(header.rules), SameObject(rules))


@lru_cache(maxsize=KNOWN_RULES)
def _rules_deviation(written: bytes, rules: SameObject[Any]) -> str:
    """The deviation from the form in rules that are ``written`` as JSON, as :func:`out_of_form`."""
    found, due = msgspec.json.decode(written), canonical_rules(rules.it)
    wrong = _header_difference(found, due, "rules")
    if wrong and not _header_difference(found, _as_in_ladders(due), "rules"):
        return ""
    return wrong


def _as_in_ladders(rules: Any) -> Any:
    """The rules in the form that ladders store and write into replays: with all keys sorted."""
    return msgspec.json.decode(msgspec.json.encode(rules, order="deterministic"))


def _header_difference(found: Any, due: Any, where: str) -> str:
    """The first difference between the header ``found`` and its expected form ``due``, in words. ``due`` may have more
    keys: older replays lack later ones."""
    if isinstance(found, dict) and isinstance(due, dict):
        if extra := [key for key in found if key not in due]:
            return f"{where} has {cut_text(repr(extra[0]))}, which must be left out or written differently"
        for there, expected in zip(found, (key for key in due if key in found), strict=True):
            if there != expected:
                return f"{where} has the key {there!r} where {expected!r} is due; its keys have an order"
        parts = [(found[key], due[key], f"{where}.{key}") for key in found]
    elif isinstance(found, list) and isinstance(due, list | tuple) and len(found) == len(due):
        parts = [(one, other, f"{where}[{at}]") for at, (one, other) in enumerate(zip(found, due, strict=True))]
    elif type(found) is type(due) and found == due:
        return ""
    else:
        return f"{where} is {cut_text(repr(found))}; it is written as {cut_text(repr(due))}"
    return next(filter(None, (_header_difference(*part) for part in parts)), "")
