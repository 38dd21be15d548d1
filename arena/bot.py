"""What every bot imports, whatever it plays.

A bot is a class in one file::

    from arena.bot import Bot
    from arena.games.board import Draw, Open, Roll, TurnView

    class Patient(Bot):
        def turn(self, view: TurnView):
            return Draw() if view.rolled else Roll()

The words of a game (its views, moves, cards and events) come from the game's package. What happened at the table
stands in ``view.news``. A hook that a bot does not define is answered by its default and never asked; so one class may
play several games, with the hooks of each. ``arena docs bots`` tells it all.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from arena.games.contract import Event, Move, Refusal, View

SAY_LENGTH, NOTE_LENGTH, MOVE_LENGTH = 200, 1000, 32_768
"""At most: characters of what a bot says, of what it notes, and bytes of its move as JSON."""


class Limits(msgspec.Struct, frozen=True):
    """Seconds: for loading and ``start``; for each ask; and a bank for the whole match that slow asks draw on."""

    start: float = 10.0
    ask: float = 1.0
    bank: float = 10.0


class Start(msgspec.Struct, frozen=True):
    """What a bot is told once, before its first ask.

    ``rules`` are the resolved rules of the ``edition``; ``players`` the number of seats and ``seat`` the bot's own;
    ``seed`` feeds all randomness the bot wants; ``limits`` are in seconds.
    """

    game: str
    edition: str
    rules: Any
    players: int
    seat: int
    seed: str
    limits: Limits


class Finish(msgspec.Struct, frozen=True):
    """What a bot is told at the end, by seat: money, ranks (1 is best), and how each seat ended (``played``,
    ``struck-out``, ``forfeit``)."""

    money: tuple[int, ...]
    ranks: tuple[int, ...]
    ended: tuple[str, ...]


class Reply(msgspec.Struct, frozen=True):
    """A move with words: ``say`` (at most 200 characters) is shown to every seat, ``note`` (at most 1,000) only
    kept in the replay. ``move`` None does nothing, where that is possible."""

    move: Move | bool | None = None
    say: str = ""
    note: str = ""


class Said(Event, frozen=True, tag="said"):
    """``seat`` said ``text`` with a move: talk costs and binds nothing. It stands in ``view.news``."""

    seat: int
    text: str


Answer = Move | Reply | bool | None


class Bot:
    """Base class of every bot. Define hooks of the games it shall play; the constructor's keywords are its options.

    A hook is a method named as the game names the question. It takes the view and returns a :data:`Answer`: a move, a
    :class:`Reply` with words, True or False to a question of yes or no, or None to do nothing where that is possible.

    Games share names such as ``offer``. A bot is asked in the games it names in ``games``; where it names none, in
    those of which it has a hook that no other game has, and if there is no such hook, in all of which it has one. At
    tables of other games its defaults are played.

    Before ``start`` is called, these are set: ``self.seat``, ``self.players``, ``self.rules``, ``self.random`` (seeded
    from the match; the only randomness that repeats in every way of running a bot) and ``self.limits``.
    """

    games: tuple[str, ...] = ()

    seat: int
    players: int
    rules: Any
    random: random.Random
    limits: Limits

    def start(self, start: Start) -> None:
        """Told once before the first ask."""

    def finish(self, finish: Finish) -> None:
        """Told once after the last."""

    def legal_moves(self, view: View) -> tuple[Move, ...]:
        """Every legal answer to the ask that ``view`` came with, as the game lists them."""
        return view.legal_moves(self.rules)

    def refusal(self, view: View, move: Move) -> Refusal | None:
        """Why the rules would refuse ``move`` (rule number and reason), or None where it is legal."""
        return view.refusal(self.rules, move)


__all__ = [
    "Answer",
    "Bot",
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
