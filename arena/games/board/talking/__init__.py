"""What a bot of the board game says to a language model: the table as short text, and the questions of a negotiation
with their choices and the JSON Schema of an answer, in several languages. :mod:`arena.talking` has the conversation."""

from arena.games.board.talking.board_brief import BoardBrief
from arena.games.board.talking.board_questions import BoardQuestions, ModelQuestion
from arena.games.board.talking.phrasebook import LANGUAGES, Phrasebook

__all__ = ["LANGUAGES", "BoardBrief", "BoardQuestions", "ModelQuestion", "Phrasebook"]
