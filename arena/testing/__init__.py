"""For tests of authors: play a match and look at its result; put recorded asks to a bot, and compare; check that a game
from outside imagines what is hidden as it must."""

from arena.commands.refeed.results import AnswerData, Place
from arena.match.feeding.answer_difference import Likeness
from arena.match.refereeing.match_result import MatchResult
from arena.testing.bot_tests import Refeed, play, refeed
from arena.testing.imagining import check_game_imagining, check_imagining

__all__ = [
    "AnswerData",
    "Likeness",
    "MatchResult",
    "Place",
    "Refeed",
    "check_game_imagining",
    "check_imagining",
    "play",
    "refeed",
]
