"""Colours of a terminal, by ANSI escape sequences; a colour never says anything that the text beside it does not."""

from __future__ import annotations

import re

COLOUR_CODES = {
    "red": "31",
    "yellow": "33",
    "blue": "94",
    "magenta": "35",
    "orange": "38;5;208",
    "green": "32",
}
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Ink:
    """Paints text where ``on``, else leaves it as it is. Paint after padding: escape sequences have no width."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def paint(self, name: str, text: str) -> str:
        """In the colour of this name; a name without a colour paints nothing."""
        return self._sgr(COLOUR_CODES[name], text) if name in COLOUR_CODES else text

    def strong(self, text: str) -> str:
        """Bold."""
        return self._sgr("1", text)

    def faint(self, text: str) -> str:
        """Dim."""
        return self._sgr("2", text)

    def warn(self, text: str) -> str:
        """For a line that was not understood."""
        return self._sgr("1;33", text)

    def _sgr(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


PLAIN_INK = Ink(False)


def strip_escapes(text: str) -> str:
    """The text without escape sequences."""
    return _ESCAPE.sub("", text)
