"""How wide a text is, at most, in the fonts that readers of a picture may have, and how texts are made to fit.

A picture names fonts that every machine has one of, and cannot know which. The widths here are those of DejaVu Sans,
the widest of them, so that what fits here fits everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_NARROW_LETTERS = dict.fromkeys("ijlI.,:;'|!()[] \u00a0’", 0.40) | dict.fromkeys('frt-/\\"·“”', 0.50)
_BROAD_LETTERS = dict.fromkeys("mwMW@%—", 1.0) | dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&+=<>#~…✓✕→−", 0.84)
_LETTER_WIDTHS = _NARROW_LETTERS | _BROAD_LETTERS
_OTHER_LETTER = 0.65
NO_BREAK = "\u00a0"
"""A space at which no line is broken; drawn as any other."""
BOLD_FACTOR = 1.12
"""How much wider bold letters are."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of ``text`` in letters of ``size``, both in pixels."""
    total = sum(_LETTER_WIDTHS.get(letter) or _other_width(letter) for letter in text)
    return total * size * (BOLD_FACTOR if bold else 1.0)


def _other_width(letter: str) -> float:
    if letter < "\x7f":
        return _OTHER_LETTER
    if unicodedata.combining(letter):
        return 0.0
    return 1.0 if letter < "\u0250" else 1.4  # scripts whose letters may be as wide as they are high, emoji more


def cut_to_width(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits into ``room`` pixels, and an ellipsis."""
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def cut_middle(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text, or as much of its beginning and its end as fits: names often differ in their last letters."""
    kept = len(text)
    while kept and text_width(shorten_middle(text, kept), size, bold) > room:
        kept -= 1
    return shorten_middle(text, kept)


def shorten_middle(text: str, letters: int) -> str:
    """The text, or its beginning and its end with an ellipsis between, of so many letters in all."""
    if len(text) <= letters:
        return text
    tail = min(6, letters // 3)
    return f"{text[: max(0, letters - tail - 1)]}…{text[len(text) - tail :]}"


def wrap_to_width(text: str, room: float, size: float, most: int, bold: bool = False) -> list[str]:
    """The text in at most ``most`` lines, each no wider than ``room`` pixels; what does not fit is cut off."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= room:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = longer
            break  # one word too many: the last line is cut
    return [cut_to_width(line, room, size, bold) for line in lines]


def flow_in_rows(widths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """Things of these ``widths`` set side by side, ``gap`` pixels apart, in lines of ``room`` pixels: their indices,
    line by line. What is wider than a line has one of its own."""
    lines: list[list[int]] = []
    used = 0.0
    for index, each in enumerate(widths):
        if lines and used + gap + each <= room:
            lines[-1].append(index)
            used += gap + each
        else:
            lines.append([index])
            used = each
    return lines
