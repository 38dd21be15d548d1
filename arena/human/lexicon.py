"""Looks up typed words: an unambiguous beginning of a word suffices, and an ambiguous one raises Unclear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from arena.errors import cut_text, nearest_hint
from arena.printable import printable_text

T = TypeVar("T")
_MONEY_WORD = re.compile(r"\$?(\d{1,9})m?")
_WORD_PATTERN = re.compile(r"[,;:()]|[^\s,;:()]+")
LISTED_WORDS = 12
"""The most words that an error message lists."""


class Unclear(Exception):
    """A typed line that means nothing, or more than one thing; its ``str()`` says what to type instead."""


def split_words(line: str) -> list[str]:
    """The words of a line in lower case; commas, colons and semicolons are words of their own."""
    return _WORD_PATTERN.findall(line.casefold())


def find_meanings(word: str, known: Mapping[str, T]) -> list[T]:
    """Every meaning that ``word`` may have, each once: that of the word itself, or those of all words it begins."""
    if word in known:
        return [known[word]]
    found: list[T] = []
    for each, meaning in known.items():
        if each.startswith(word) and meaning not in found:
            found.append(meaning)
    return found


def choose_meaning(word: str, known: Mapping[str, T], what: str) -> T:
    """The one meaning of ``word``. Raises Unclear if it has none or several; ``what`` names what was expected."""
    found = find_meanings(word, known)
    if len(found) == 1:
        return found[0]
    if found:
        many = [each for each in known if each.startswith(word)]
        raise Unclear(f"{quote_word(word)} could be {either_words(many)}; type more letters")
    raise Unclear(f"{quote_word(word)} is no {what}{nearest_hint(word, known)}; there are {word_list_text(known)}")


def either_words(words: Sequence[str]) -> str:
    """The words joined as text: ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def word_list_text(words: Iterable[str]) -> str:
    """The words separated by commas; of a long list only the first ``LISTED_WORDS``."""
    listed = list(words)
    return ", ".join(listed[:LISTED_WORDS]) + (", …" if len(listed) > LISTED_WORDS else "")


def quote_word(word: str) -> str:
    """A typed word in quotation marks, cut to the length that suits a message."""
    plain = printable_text(word)
    return f"'{cut_text(plain, 40)}'"


def parse_money(word: str) -> int | None:
    """An amount such as ``5``, ``$5`` or ``$5M``; None for any other word."""
    matched = _MONEY_WORD.fullmatch(word)
    return int(matched[1]) if matched and matched[1].isascii() else None


def seat_words(names: Sequence[str], seat: int, boss: int | None) -> dict[str, int]:
    """The words that name seats: their numbers, the entrants' names, ``me``, and ``boss`` if there is one. A name that
    two seats share, or that is a number, is left out."""
    found = {str(number): number for number in range(len(names))}
    lower = [name.casefold() for name in names]
    for number, name in enumerate(lower):
        if lower.count(name) == 1 and name not in found and name not in ("me", "boss"):
            found[name] = number
    found["me"] = seat
    if boss is not None:
        found["boss"] = boss
    return found


def read_seat(word: str, seats: Mapping[str, int]) -> int:
    """The seat that a word means. Raises Unclear."""
    if parse_money(word) is not None and word not in seats:
        last = max(seats.values())
        raise Unclear(f"there is no seat {quote_word(word)}; seats are 0 to {last}")
    return choose_meaning(word, seats, "seat")
