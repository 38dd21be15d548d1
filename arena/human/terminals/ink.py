"""Colours of a terminal, by ANSI escape sequences; no information is in a colour alone."""

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
    """Colours text if ``on``, else leaves it unchanged. Pad before you paint: ``len()`` counts escape sequences."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def paint(self, name: str, text: str) -> str:
        """The text in the colour of this name; unchanged if there is no such colour."""
        return self._sgr(COLOUR_CODES[name], text) if name in COLOUR_CODES else text

    def bold_text(self, text: str) -> str:
        """The text in bold."""
        return self._sgr("1", text)

    def dim_text(self, text: str) -> str:
        """The text dimmed."""
        return self._sgr("2", text)

    def warn(self, text: str) -> str:
        """The text in the colour of warnings, for a line that was not understood."""
        return self._sgr("1;33", text)

    def _sgr(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


PLAIN_INK = Ink(False)


def strip_escapes(text: str) -> str:
    """The text without escape sequences."""
    return _ESCAPE.sub("", text)
