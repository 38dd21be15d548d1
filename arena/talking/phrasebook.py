"""Phrases of a language, from the files in ``prompts``, with gaps that are filled in."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from arena.errors import nearest_hint

PROMPTS = Path(__file__).parent / "prompts"
LANGUAGES = ("en", "nl")
"""The languages there are phrases of; each has a file in ``prompts``."""


class Phrasebook:
    """The phrases of a ``language``. Raises ValueError for one that there is none of."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(
                f"no prompts in the language {language!r}{nearest_hint(language, LANGUAGES)}; "
                f"there are {', '.join(LANGUAGES)}"
            )
        self.language = language
        self.texts = _read_phrases(language)

    def phrase(self, key: str, **gaps: object) -> str:
        """The phrase ``key`` (``section.name``) with its gaps filled. What is filled in is never read as a phrase."""
        return self.texts[key].format(**gaps)


@cache
def _read_phrases(language: str) -> dict[str, str]:
    sections = tomllib.loads((PROMPTS / f"{language}.toml").read_text(encoding="utf-8"))
    return {
        f"{section}.{name}": text
        for section, phrases in sections.items()
        if isinstance(phrases, dict)
        for name, text in phrases.items()
    }
