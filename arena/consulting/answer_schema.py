"""Which JSON Schemas a bot may ask a model's answer to have: those that can be checked in little time, whatever bot and
model write. There are no patterns and no references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

CHECKED_KEYWORDS = (
    *("type", "enum", "const", "anyOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minLength", "maxLength", "minItems", "maxItems", "items"),
    *("properties", "required", "additionalProperties"),
)
"""The keywords that are checked."""
FREE_KEYWORDS = ("title", "description", "default", "examples")
"""The keywords that are for the model alone."""
DEEPEST_SCHEMA = 20
JSON_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


def schema_refusal(schema: object, depth: int = 1) -> str:
    """Why a schema cannot be used, in words; empty where it can."""
    if not isinstance(schema, dict):
        return f"schema: expected an object, got {type(schema).__name__}"
    if depth > DEEPEST_SCHEMA:
        return f"schema: nested more than {DEEPEST_SCHEMA} deep"
    for keyword, value in schema.items():
        if keyword in FREE_KEYWORDS:
            continue
        if keyword not in CHECKED_KEYWORDS:
            known = ", ".join(sorted((*CHECKED_KEYWORDS, *FREE_KEYWORDS)))
            return f"schema: the keyword {str(keyword)[:40]!r} is not supported; there are {known}"
        if wrong := _value_refusal(keyword, value):
            return f"schema: {keyword}: {wrong}"
        for part in _parts_of(keyword, value):
            if refusal := schema_refusal(part, depth + 1):
                return refusal
    return ""


def _value_refusal(keyword: str, value: Any) -> str:
    """What is wrong with the value of a keyword, apart from the schemas in it; empty if nothing is."""
    match keyword:
        case "type":
            named = value if isinstance(value, list) else [value]
            return "" if named and all(each in JSON_TYPES for each in named) else f"expected {' or '.join(JSON_TYPES)}"
        case "minLength" | "maxLength" | "minItems" | "maxItems":
            return "" if type(value) is int and value >= 0 else "expected a whole number from 0"
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            return "" if type(value) in (int, float) else "expected a number"
        case "enum" | "anyOf":
            return "" if isinstance(value, list) and value else "expected a list that is not empty"
        case "required":
            return "" if isinstance(value, list) and all(isinstance(each, str) for each in value) else "expected names"
        case "properties":
            return "" if isinstance(value, dict) else "expected an object"
        case _:
            return ""


def _parts_of(keyword: str, value: Any) -> Iterator[object]:
    """The schemas within the value of a keyword."""
    match keyword:
        case "properties":
            yield from value.values()
        case "items":
            yield value
        case "additionalProperties" if not isinstance(value, bool):
            yield value
        case "anyOf":
            yield from value
