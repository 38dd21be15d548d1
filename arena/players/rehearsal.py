"""A rehearsal in the host: a stretch of random play under the rules of a match to come.

What bots' processes would all do for the first time (imports, tables the rules keep, the interpreter's own warming up)
has then been done once for all of them. Nothing of it depends on a match: only the rules are used, which bots are told.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from contextlib import suppress

import msgspec

from arena import games
from arena.bot import Limits, Start
from arena.games import load_game
from arena.games.chance import Chance
from arena.protocol.changes import Reader, Sender
from arena.protocol.messages import Asked, Replied, line_of

ASKS = 400


class Rules(msgspec.Struct, frozen=True):
    """The rules to rehearse, as JSON."""

    game: str
    rules: msgspec.Raw
    players: int


def import_games() -> None:
    """Import every module of every game, and what bots import besides."""
    importlib.import_module("arena.strategy")
    for module in pkgutil.walk_packages(games.__path__, f"{games.__name__}."):
        importlib.import_module(module.name)


def rehearse(given: Rules) -> None:
    """Play at random, as the referee and bots would."""
    game = load_game(given.game)
    rules = msgspec.json.decode(given.rules, type=game.rules_type)
    Start(given.game, "", rules, given.players, 0, "", Limits())
    state = game.start(rules, given.players, Chance("rehearsal"), [])
    sender, reader, pick = Sender(), Reader(given.game), random.Random(0)
    for number in range(ASKS):
        if not state.asks:
            break
        for index, ask in enumerate(state.asks):
            view = reader.view(ask.hook, msgspec.json.encode(sender.changes(state.view(index))))
            moves = view.legal_moves(rules)
            move = pick.choice(moves)
            view.refusal(rules, move)
            line_of(Replied(number, move))
            line_of(Asked(number, ask.hook, changes=sender.changes(view)))
            with suppress(Exception):
                msgspec.json.decode(msgspec.json.encode(move), type=type(move))
            state.apply(index, move, [])
