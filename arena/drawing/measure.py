"""The greatest width that a text may have in the fonts of a picture's readers, and texts shortened to fit.

A picture names several fonts, of which every machine has at least one, and cannot know which one is used. The widths
here are those of DejaVu Sans, the widest of them, so a text that fits here fits everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_NARROW_LETTERS = dict.fromkeys("ijlI.,:;'|!()[] \u00a0’", 0.40) | dict.fromkeys('frt-/\\"·“”', 0.50)
_BROAD_LETTERS = dict.fromkeys("mwMW@%—", 1.0) | dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&+=<>#~…✓✕→−", 0.84)
_LETTER_WIDTHS = _NARROW_LETTERS | _BROAD_LETTERS
_OTHER_LETTER = 0.65
NO_BREAK = "\u00a0"
"""The no-break space: lines are never broken at it; it is drawn like any other space."""
BOLD_FACTOR = 1.12
"""How many times wider bold letters are than normal ones."""


@lru_cache(maxsize=4096)  # a picture that is too large is drawn again and again, with the same texts
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
    """The text, or if it is wider than ``room`` pixels as much of its beginning as fits, with an ellipsis."""
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def cut_middle(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text, with as much of its middle as necessary cut out to fit ``room``: names often differ at their ends."""
    kept = len(text)
    while kept and text_width(shorten_middle(text, kept), size, bold) > room:
        kept -= 1
    return shorten_middle(text, kept)


def shorten_middle(text: str, letters: int) -> str:
    """The text cut to ``letters`` characters in all, by an ellipsis in its middle; unchanged if it is short enough."""
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
    """Arrange items of these ``widths`` side by side, ``gap`` pixels apart, in lines of ``room`` pixels; return the
    indices of the items line by line. An item wider than ``room`` gets a line of its own."""
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
