"""What a bot of the card game says to a language model: the table as short text, and the questions about bargains with
their choices and the JSON Schema of an answer, in several languages. :mod:`arena.talking` has the conversation.

To add a language: a file beside ``phrases_en.py`` with the same phrases and gaps, and its line in ``LANGUAGES``.
"""

from arena.games.cards.talking.cards_brief import CardsBrief
from arena.games.cards.talking.cards_questions import CardsQuestions
from arena.games.cards.talking.phrases_en import ENGLISH
from arena.games.cards.talking.phrases_nl import DUTCH

LANGUAGES = {"en": ENGLISH, "nl": DUTCH}
"""The phrases of each language, by its code."""

__all__ = ["LANGUAGES", "CardsBrief", "CardsQuestions"]
