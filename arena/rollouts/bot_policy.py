"""Any bot as the policy of a rollout: :class:`Policy`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, cast

from arena.bot import Bot, Event, Limits, Move, Start
from arena.bundled import is_bundled
from arena.errors import BotError, IllegalMove
from arena.finding.hooks import games_of_class, hooks_of
from arena.games import import_game
from arena.games.contract import State, View
from arena.games.field_types import trust_move
from arena.games.playout import SeatPolicy
from arena.players.reply_checks import read_reply

Method = Callable[[View], object]
NO_OPTIONS: Mapping[str, Any] = {}


class Policy(SeatPolicy):
    """A bot of the class ``bot`` in every seat of a table of ``players`` under ``rules``, with its ``options``.

    It answers as the bot would in a match: a hook that it does not define is answered by its default, None, True,
    False and a :class:`Reply` mean what they mean there, and the default is played for a reply that is no move or that
    the rules refuse. In each rollout its bots are new ones, so they remember nothing of another; only their random
    numbers go on, which depend on ``seed`` alone. What happened before the rollout is in nobody's news; bundled bots,
    which read no news, get none, and with ``events=False`` no bot does: that is quicker.

    Raises BotError where the class names other games. An exception of the bot's own is not caught.
    """

    def __init__(
        self,
        bot: type[Bot],
        rules: Any,
        players: int,
        *,
        seed: str = "policy",
        options: Mapping[str, Any] = NO_OPTIONS,
        events: bool = True,
    ) -> None:
        self.bot, self.rules, self.players = bot, rules, players
        self._options = dict(options)
        self._named = sorted(hooks_of(bot, rules.game))
        if rules.game not in (games_of_class(bot) or (rules.game,)):
            raise BotError(f"{bot.__name__} does not play {rules.game}: it is no policy there")
        self._game_hooks = import_game(rules.game).hooks
        self._seed = seed
        self._random: list[Random | None] = [None] * players
        self._methods: list[dict[str, Method] | None] = [None] * players
        self._seen_events: list[list[Event]] = [[] for _ in range(players)]
        self.wants_news = events and not is_bundled(bot)
        self._log: list[Event] | None = None
        self._until = 0
        self._seen = [0] * players
        self._asked: set[int] = set()

    def answer(self, state: State, index: int) -> Move:
        """The bot's answer to ``state.asks[index]``, or what is played in its place."""
        move = self._move(state, index)
        return state.default(index) if move is None or state.refusal(index, move) is not None else move

    def play(self, state: State, index: int, log: list[Event] | None) -> None:
        """Answer ``state.asks[index]`` in ``state``; its events are appended to ``log``."""
        move = self._move(state, index)
        if move is not None:
            try:
                state.apply(index, move, log)
                return
            except IllegalMove:
                pass
        state.apply(index, state.default(index), log)

    def renew(self, log: list[Event] | None) -> None:
        """Begin a rollout with new bots."""
        self._methods = [None] * self.players
        self._log, self._until, self._seen = log, 0, [0] * self.players
        self._asked.clear()

    def begin_phase(self) -> None:
        """Begin a phase: its asks come with the events that each seat has not been told of."""
        for seat in self._asked:
            self._seen[seat] = self._until
        self._asked.clear()
        self._until = 0 if self._log is None else len(self._log)

    def _move(self, state: State, index: int) -> Move | None:
        """The move that the bot's reply means; None where it means none."""
        seat, name, _ = state.asks[index]
        methods = self._methods[seat]
        if methods is None:
            methods = self._begin(seat)
        method = methods.get(name)
        if method is None:
            return None
        hook = self._game_hooks[name]
        if self.wants_news:
            news = self._news(seat)
            self._seen_events[seat] += news
            reply = method(state.view(index, news))
        else:
            reply = method(state.view(index))
            if type(reply) in hook.moves:  # a bundled bot's moves are of the right types: they need not be read
                trust_move(cast(Move, reply))
                return cast(Move, reply)
        answered = read_reply(hook, reply)
        return None if answered.fault is not None else answered.move or hook.idle

    def _begin(self, seat: int) -> dict[str, Method]:
        """Make the bot of a seat; return its hooks."""
        bot, seed = self.bot(**self._options), f"{self._seed}/{seat}"
        random = self._random[seat]
        if random is None:
            self._random[seat] = random = Random(seed)
        bot.seat, bot.players, bot.rules, bot.limits, bot.random = seat, self.players, self.rules, Limits(), random
        self._seen_events[seat] = bot.seen_events = []
        if type(bot).start is not Bot.start:
            bot.start(Start(self.rules.game, self.rules.name, self.rules, self.players, seat, seed, bot.limits))
        self._methods[seat] = methods = {name: getattr(bot, name) for name in self._named}
        return methods

    def _news(self, seat: int) -> tuple[Event, ...]:
        self._asked.add(seat)
        events = [] if self._log is None else self._log[self._seen[seat] : self._until]
        return tuple(seen for event in events if (seen := event.seen_by(seat)) is not None)
