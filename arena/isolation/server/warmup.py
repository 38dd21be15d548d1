"""Warms up the fork server: it plays bundled bots under the rules of later matches.

This does once what every bot's process would otherwise do itself (imports, tables cached for the rules, decoders, code
specialised by the interpreter). Nothing of it depends on a match: it uses only the rules, which bots are told anyway,
and bots that everybody can read.
"""

from __future__ import annotations

import importlib
import pkgutil
from contextlib import redirect_stdout
from io import StringIO
from itertools import cycle, islice
from types import ModuleType
from typing import Any

import msgspec

from arena import bundled, games
from arena.bot import Limits
from arena.bundled import bundled_classes
from arena.errors import IllegalMove
from arena.finding.hooks import hooks_of
from arena.finding.loading import make_bot
from arena.finding.reference import UNSEATED_BOTS, BotRef, bundled_bots, find_file
from arena.games import import_game
from arena.games.chance import Chance
from arena.games.contract import Game, State
from arena.isolation.bot.session import BotSession, rules_by_json
from arena.isolation.wire.control import WarmUp
from arena.protocol.changes import Sender
from arena.protocol.messages import PROTOCOL_VERSION, Asked, Begin, Replied, line_of
from arena.protocol.reading import read_answer, read_hello

WARMUP_MATCHES, WARMUP_ASKS = 2, 400
"""The minimum number of matches (every bot that plays the game sits in one), and the maximum number of asks in each."""
PRESENTING = "presenting"
"""The package of a game that shows it to people: no bot needs it, and it may need what is not installed."""


def import_games(package: ModuleType = games) -> None:
    """Import every module of every game that bots may import."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if module.ispkg and module.name.endswith(f".{PRESENTING}"):
            continue
        imported = importlib.import_module(module.name)
        if module.ispkg:
            import_games(imported)


def import_bundled() -> None:
    """Import the classes of the bundled bots, for bots that build on them: a bot's process may not read their files."""
    for name in bundled_classes():
        getattr(bundled, name)


def warm_up(given: WarmUp) -> None:
    """Play matches of bundled bots in this process, including the referee's part. Their moves are discarded."""
    game = import_game(given.game)
    rules = msgspec.json.decode(given.rules, type=game.rules_type)
    bots = [find_file(name) for name in bundled_bots() if name not in UNSEATED_BOTS]
    able = [bot for bot in bots if hooks_of(type(make_bot(bot)), game.name)] or bots
    seats = cycle(able)
    rules_by_json[bytes(given.rules)] = rules
    for number in range(max(WARMUP_MATCHES, -(-len(able) // given.players))):
        state = game.start(rules, given.players, Chance(f"warm-up {number}"), [])
        with redirect_stdout(StringIO()):
            _play_match(game, rules, state, list(islice(seats, given.players)))


class _Seat:
    """One seat of a warm-up match."""

    def __init__(self, game: Game, rules: Any, bot: BotRef, seat: int, players: int) -> None:
        self.session, self.sender = BotSession(bot, game.name), Sender(game.name)
        begin = Begin(PROTOCOL_VERSION, game.name, "", rules, players, seat, "warm-up", Limits(), bot.options)
        hello, _, _ = self.session.begin(line_of(begin)).partition(b"\n")
        self.hooks: tuple[str, ...] = getattr(read_hello(hello), "hooks", ())


def _play_match(game: Game, rules: Any, state: State, bots: list[BotRef]) -> None:
    seats = [_Seat(game, rules, bot, seat, len(bots)) for seat, bot in enumerate(bots)]
    number = 0
    while state.asks and number < WARMUP_ASKS:
        for index, ask in enumerate(state.asks):
            number += 1
            hook, seat = game.hooks[ask.hook], seats[ask.seat]
            move = None
            if hook.name in seat.hooks:
                line = line_of(Asked(number, hook.name, changes=seat.sender.changes(state.view(index))))
                answer = read_answer(seat.session.answer(line), number, hook)
                move = answer.move if isinstance(answer, Replied) else None
            try:
                state.apply(index, move or hook.idle or state.default(index), [])
            except IllegalMove:
                state.apply(index, state.default(index), [])
