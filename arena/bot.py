"""What every bot imports, whatever it plays.

A bot is a class in one file, derived from the base of the game it plays::

    from arena.games.board import BoardBot, Draw, Roll, TurnAnswer, TurnView

    class Patient(BoardBot):
        def turn(self, view: TurnView) -> TurnAnswer:
            return Draw() if view.rolled else Roll()

The words of a game (its base for bots, views, moves, answers, cards and events) come from the game's package; here is
what all games share. What happened at the table stands in ``view.news``. A hook that a bot does not override is
answered by its default and never asked. ``arena docs bots`` tells it all.
"""

from arena.consulting.consultation import ChatMessage, Consult, Consulted, ConsultFailed, ConsultProblem
from arena.games.contract import Event, Move, Refusal, View
from arena.games.game_bot import (
    MOVE_LENGTH,
    NOTE_LENGTH,
    SAY_LENGTH,
    Answer,
    Bot,
    Finish,
    Limits,
    Reply,
    Said,
    Start,
)

__all__ = [
    "MOVE_LENGTH",
    "NOTE_LENGTH",
    "SAY_LENGTH",
    "Answer",
    "Bot",
    "ChatMessage",
    "Consult",
    "ConsultFailed",
    "ConsultProblem",
    "Consulted",
    "Event",
    "Finish",
    "Limits",
    "Move",
    "Refusal",
    "Reply",
    "Said",
    "Start",
    "View",
]
