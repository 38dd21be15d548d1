"""Puts the asks of recorded matches to bots, as far away from arena as matches are played."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServers
from arena.isolation.worker.isolated_player import IsolatedPlayer
from arena.match.feeding.answer_difference import AnswerComparison, compare_answer
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.match.feeding.isolated_feeding import player_apart
from arena.match.feeding.refeeding_loop import RefeedLoop
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.walk.recorded_asks import AskCache
from arena.match.walk.timeline import Timeline
from arena.players.faults import Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.player import Player
from arena.players.watch import Watch
from arena.sandbox.demand import Demand, resolve_demand
from arena.sandbox.probe import Level

Hooks = dict[str, tuple[int, int]]
"""By hook how many asks were put, and how many were answered otherwise than they are recorded."""
ILLEGAL_MARK = b'"kind":"illegal"'
"""Stands in every replay in which the rules have refused a reply."""


class AskFeeder:
    """The asks of one ``seat`` of a match that are put to a player; an answer is slow if it takes more than ``slow``
    seconds. ``fault`` is the bot's at the start, for which it is not asked. ``printed`` gives what the bot has printed
    at an ask (0: at the start), such as a traceback; of a bot in this process only that.

    Raises Mismatch and ReplayError as :class:`arena.match.feeding.refeeding_loop.RefeedLoop`."""

    def __init__(
        self,
        timeline: Timeline,
        seat: int,
        player: Player,
        slow: float | None = None,
        printed: Callable[[int], str] = lambda number: "",
        shelf: AskCache | None = None,
    ) -> None:
        self.slow, self.printed = slow, printed
        self._refeeding = RefeedLoop(timeline, seat, player, shelf)
        self._suspicious = ILLEGAL_MARK in timeline.content

    @property
    def fault(self) -> Fault | None:
        """The bot's fault at the start."""
        return self._refeeding.fault

    def give_seed(self, seed: str) -> None:
        """Have the bot draw lots by another seed of its own than that of the match."""
        self._refeeding.give_seed(seed)

    def asks(self) -> Iterator[AnswerComparison]:
        """Every ask with what its answer is, in the order of the match: to its end, to where the seat's bot was put out
        in it, or to where there is no bot any more that could be asked; that ask is the last."""
        rules = self._refeeding.of.rules
        for asked in self._refeeding.asks():
            compared = compare_answer(asked, rules, self.slow, self._suspicious)
            yield compared
            if compared.ends:
                return


class BotFeeder:
    """Bots that are asked again, isolated as the ``demand`` says, inside of ``with``. What they are asked is kept on
    the ``shelf``, if there is one. Trusted bots too have processes of their own, so that one that ends its process is
    a finding; with ``here`` they are in this one, which they can end."""

    def __init__(self, demand: Demand, shelf: AskCache | None = None, here: bool = False) -> None:
        self.demand, self.shelf, self.here = demand, shelf, here and demand.level is Level.NONE
        self.depot, self.servers, self.watch = BotCopies(), ForkServers(), Watch()

    def __enter__(self) -> BotFeeder:
        return self

    def __exit__(self, *raised: object) -> None:
        self.servers.close()
        self.depot.close()

    def start_anew(self) -> None:
        """End the processes from which bots' are made; others are started when they are needed."""
        self.servers.close()

    @contextmanager
    def putting(self, timeline: Timeline, seat: int, bot: BotRef, slow: float | None = None) -> Iterator[AskFeeder]:
        """The asks of this seat, put to the bot, which is ended with this context. A bot in this process prints to
        standard error."""
        bot = self.depot.place(bot)
        if self.here and not bot.command:
            broke: list[str] = []
            player = InProcessPlayer(bot, self.watch, broke.append)
            with self.watch.ticking(), contextlib.redirect_stdout(sys.stderr):
                try:
                    yield AskFeeder(timeline, seat, player, slow, lambda number: "\n".join(broke[-1:]), self.shelf)
                finally:
                    player.close()
            return
        server = self.servers.under(resolve_demand(self.demand) or UNLOCKED_POLICY)
        with player_apart(timeline.content, bot, server) as apart:
            yield AskFeeder(timeline, seat, apart, slow, partial(_printed_text, apart), self.shelf)

    def ask(self, timeline: Timeline, seat: int, bot: BotRef, first_only: bool = False) -> Hooks:
        """By hook the asks of this seat, and those that the bot answers otherwise; with ``first_only`` those up to the
        first of these. Words alone do not count: they cost a copy nothing. Raises Mismatch and ReplayError as
        :class:`arena.match.feeding.refeeding_loop.RefeedLoop`."""
        found: Hooks = {}
        with self.putting(timeline, seat, bot) as putting:
            for compared in putting.asks():
                asks, other = found.get(compared.asked.hook, (0, 0))
                found[compared.asked.hook] = asks + 1, other + compared.other
                if first_only and compared.other:
                    break
        return found

    def answers(self, timeline: Timeline, seat: int, bot: BotRef, seed: str | None = None) -> list[RepeatedAsk]:
        """Every ask of this seat as the bot answers it now; ``seed`` is its own, if not that of the match. Empty where
        it cannot be asked at all. Raises as :meth:`ask`."""
        with self.putting(timeline, seat, bot) as putting:
            if seed is not None:
                putting.give_seed(seed)
            return [compared.asked for compared in putting.asks()]


def _printed_text(player: IsolatedPlayer, number: int) -> str:
    """What a bot in a process of its own has printed at an ask."""
    text = b"".join(part.text for part in player.printed if part.number == number)
    return player.ref.as_its_author_knows(text).decode("utf-8", "backslashreplace")
