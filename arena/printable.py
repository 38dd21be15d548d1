"""Text of strangers, such as bots' names and words, made fit to be shown."""

from __future__ import annotations


def printable_text(text: str, kept: str = "") -> str:
    """The text with a mark in place of each unprintable character, such as line breaks and those that XML forbids;
    characters in ``kept`` are not replaced."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in kept else "�" for letter in text)
