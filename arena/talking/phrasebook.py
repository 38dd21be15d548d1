"""The phrases of a language, with gaps that are filled in."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import nearest_hint


class Phrasebook:
    """The phrases of a ``language``, of all ``languages`` there are. Raises ValueError for one that is not among
    them."""

    def __init__(self, languages: Mapping[str, Mapping[str, str]], language: str) -> None:
        if language not in languages:
            known = ", ".join(languages)
            raise ValueError(
                f"no prompts in the language {language!r}{nearest_hint(language, languages)}; there are {known}"
            )
        self.language, self.texts = language, languages[language]

    def phrase(self, key: str, **gaps: object) -> str:
        """The phrase ``key`` with its gaps filled. What is filled in is never read as a phrase."""
        return self.texts[key].format(**gaps)
