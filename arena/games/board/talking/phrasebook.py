"""The phrases of a language, with gaps that are filled in.

To add a language: a file of its own beside ``phrases_en.py``, with the same phrases and gaps, and its line in
:data:`LANGUAGES`.
"""

from __future__ import annotations

from arena.errors import nearest_hint
from arena.games.board.talking.phrases_en import ENGLISH
from arena.games.board.talking.phrases_nl import DUTCH

LANGUAGES = {"en": ENGLISH, "nl": DUTCH}
"""The phrases of each language, by its code."""


class Phrasebook:
    """The phrases of a ``language``. Raises ValueError for one that there is none of."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ValueError(
                f"no prompts in the language {language!r}{nearest_hint(language, LANGUAGES)}; there are {known}"
            )
        self.language, self.texts = language, LANGUAGES[language]

    def phrase(self, key: str, **gaps: object) -> str:
        """The phrase ``key`` with its gaps filled. What is filled in is never read as a phrase."""
        return self.texts[key].format(**gaps)
