"""Words between a bot of the board game and a language model: a view as short text, a question with its choices and the
JSON Schema of its answer, other seats' words as data, and the conversation until the answer is of use. The bundled bot
``talker`` is built from it; so can bots of your own be."""

from arena.talking.ask_model import ModelTalk, Objection, shortened_say
from arena.talking.board_brief import BoardBrief
from arena.talking.board_questions import BoardQuestions, ModelQuestion
from arena.talking.phrasebook import LANGUAGES, Phrasebook
from arena.talking.quoted_words import heard_line, quote_words
from arena.talking.rule_bot import RuleBot

__all__ = [
    "LANGUAGES",
    "BoardBrief",
    "BoardQuestions",
    "ModelQuestion",
    "ModelTalk",
    "Objection",
    "Phrasebook",
    "RuleBot",
    "heard_line",
    "quote_words",
    "shortened_say",
]
