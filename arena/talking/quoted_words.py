"""What other seats said, as data for a model: one line of JSON, out of which no text can break.

A line break, a quote or a code fence in the text would otherwise end the data, and what looks like a token of a model's
own, such as ``<|im_start|>`` or ``[INST]``, would be read as one by some servers. So every character but letters,
digits, spaces and a few signs is written as ``\\uXXXX``, which JSON reads as the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from arena.bot import SAY_LENGTH, Event, Said

MOST_HEARD = 8
"""How many of the last words at the table a model is told."""
_UNSAFE = re.compile(r"[^\w .,;:!?'%$€+()-]")


def quote_words(text: str) -> str:
    """The text as a JSON string of harmless characters."""
    return f'"{_UNSAFE.sub(_escape_character, text[:SAY_LENGTH])}"'


def heard_line(events: Iterable[Event]) -> str:
    """The last words said among the events, oldest first, as one line of JSON: ``{"heard": [{"seat": 2, "said":
    "…"}]}``; empty where nobody said anything."""
    said = [event for event in events if isinstance(event, Said) and event.text][-MOST_HEARD:]
    if not said:
        return ""
    return (
        f'{{"heard": [{", ".join(f"""{{"seat": {each.seat}, "said": {quote_words(each.text)}}}""" for each in said)}]}}'
    )


def _escape_character(found: re.Match[str]) -> str:
    """A character as ``\\uXXXX``, one outside the first 65,536 as two of these (RFC 8259, section 7)."""
    units = found.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2))
