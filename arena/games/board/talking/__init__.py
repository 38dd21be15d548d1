"""What a bot of the board game says to a language model: the table as short text, and the questions of a negotiation
with their choices and the JSON Schema of an answer, in several languages. :mod:`arena.talking` has the conversation.

To add a language: a file beside ``phrases_en.py`` with the same phrases and gaps, and its line in ``LANGUAGES``.
"""

from arena.games.board.talking.board_brief import BoardBrief
from arena.games.board.talking.board_questions import BoardQuestions
from arena.games.board.talking.phrases_en import ENGLISH
from arena.games.board.talking.phrases_nl import DUTCH

LANGUAGES = {"en": ENGLISH, "nl": DUTCH}
"""The phrases of each language, by its code."""

__all__ = ["LANGUAGES", "BoardBrief", "BoardQuestions"]
