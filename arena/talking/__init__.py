"""Between a bot and a language model: other seats' words as data, the conversation until an answer is of use, and the
bundled bot that plays where no model is asked. The bundled bot ``talker`` is built from it; so can bots of your own
be."""

from arena.talking.ask_model import ModelTalk, Objection, shortened_say
from arena.talking.phrasebook import Phrasebook
from arena.talking.quoted_words import heard_line, quote_words
from arena.talking.rule_bot import RuleBot, bundled_bot_class

__all__ = [
    "ModelTalk",
    "Objection",
    "Phrasebook",
    "RuleBot",
    "bundled_bot_class",
    "heard_line",
    "quote_words",
    "shortened_say",
]
