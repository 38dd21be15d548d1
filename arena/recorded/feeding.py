"""Puts the asks of recorded matches to bots, isolated from arena as in matches."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from arena.finding.depot import BotCopies
from arena.finding.exempt_bots import is_exempt
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServers
from arena.isolation.worker.isolated_player import IsolatedPlayer
from arena.match.exempt_player import ExemptPlayer, exempt_player
from arena.match.feeding.answer_difference import AnswerComparison, compare_answer
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.match.feeding.isolated_feeding import player_apart
from arena.match.feeding.refeeding_loop import RefeedLoop
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.walk.recorded_asks import AskCache
from arena.match.walk.timeline import Timeline
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.faults import Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.player import Player
from arena.players.watch import Watch
from arena.sandbox.demand import Demand, resolve_demand
from arena.sandbox.probe import Level
from arena.system.platform_support import can_fork

Hooks = dict[str, tuple[int, int]]
"""For each hook, how many asks were put, and how many of the answers differ from the recorded ones."""
ILLEGAL_MARK = b'"kind":"illegal"'
"""The bytes that occur in every replay in which the rules have refused a reply."""


class AskFeeder:
    """Puts the asks of one ``seat`` of a match to a player; an answer is slow if it takes more than ``slow`` seconds.
    ``fault`` is the bot's fault at the start, after which it gets no asks. ``printed`` returns what the bot has printed
    at an ask (0: at the start), such as a traceback; for a bot in this process only a traceback.

    Raises Mismatch and ReplayError as :class:`arena.match.feeding.refeeding_loop.RefeedLoop`.
    """

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
        """Give the bot this seed for its own random numbers instead of that of the match."""
        self._refeeding.give_seed(seed)

    def asks(self) -> Iterator[AnswerComparison]:
        """Every ask with the comparison of its answer, in the order of the match: to its end, to where the seat's bot
        was put out of it, or up to and including the ask after which the bot is gone."""
        rules = self._refeeding.of.rules
        for asked in self._refeeding.asks():
            compared = compare_answer(asked, rules, self.slow, self._suspicious)
            yield compared
            if compared.ends:
                return


class BotFeeder:
    """Puts asks to bots, isolated as the ``demand`` says, inside ``with``. The asks are cached on the ``shelf``, if
    there is one. Bundled bots run in this process, unless all are isolated. Other trusted bots have processes of their
    own too, so that a crash is a finding; with ``here``, and where there are no such processes, they run in this
    process, which they can crash."""

    def __init__(self, demand: Demand, shelf: AskCache | None = None, here: bool = False) -> None:
        self.demand, self.shelf, self.here = demand, shelf, (here or not can_fork()) and demand.level is Level.NONE
        self.depot, self.servers, self.watch = BotCopies(), ForkServers(), Watch()

    def __enter__(self) -> BotFeeder:
        return self

    def __exit__(self, *raised: object) -> None:
        self.servers.close()
        self.depot.close()

    def start_anew(self) -> None:
        """End the fork servers; new ones are started when they are needed."""
        self.servers.close()

    @contextmanager
    def open_feeder(
        self, timeline: Timeline, seat: int, bot: BotRef, slow: float | None = None, desk: ConsultDesk = NO_MODELS
    ) -> Iterator[AskFeeder]:
        """Put the asks of this seat to the bot, which is ended with this context and consults models at the ``desk``. A
        bot in this process prints to standard error."""
        bot = self.depot.place(bot)
        if is_exempt(bot, self.demand):
            with exempt_player(bot, self.watch, desk) as exempt:
                yield AskFeeder(timeline, seat, exempt, slow, partial(_printed_text, exempt), self.shelf)
            return
        if self.here and not bot.command:
            broke: list[str] = []
            player = InProcessPlayer(bot, self.watch, broke.append)
            player.desk = desk
            with self.watch.watch_deadlines(), contextlib.redirect_stdout(sys.stderr), contextlib.closing(player):
                yield AskFeeder(timeline, seat, player, slow, lambda number: "\n".join(broke[-1:]), self.shelf)
            return
        server = self.servers.server_for(resolve_demand(self.demand) or UNLOCKED_POLICY)
        with player_apart(timeline.content, bot, server, desk) as apart:
            yield AskFeeder(timeline, seat, apart, slow, partial(_printed_text, apart), self.shelf)

    def ask(
        self, timeline: Timeline, seat: int, bot: BotRef, first_only: bool = False, desk: ConsultDesk = NO_MODELS
    ) -> Hooks:
        """Count by hook the asks of this seat, and the different answers of the bot, which consults models at the
        ``desk``; with ``first_only`` only up to the first of these. A difference in words alone does not count. Raises
        Mismatch and ReplayError as :class:`arena.match.feeding.refeeding_loop.RefeedLoop`, and CassetteMiss."""
        found: Hooks = {}
        with self.open_feeder(timeline, seat, bot, desk=desk) as putting:
            for compared in putting.asks():
                asks, other = found.get(compared.asked.hook, (0, 0))
                found[compared.asked.hook] = asks + 1, other + compared.other
                if first_only and compared.other:
                    break
        return found

    def answers(self, timeline: Timeline, seat: int, bot: BotRef, seed: str | None = None) -> list[RepeatedAsk]:
        """Every ask of this seat with the bot's answer now; ``seed`` replaces its own seed of the match. Empty where
        the bot cannot be asked at all. Raises as :meth:`ask`."""
        with self.open_feeder(timeline, seat, bot) as putting:
            if seed is not None:
                putting.give_seed(seed)
            return [compared.asked for compared in putting.asks()]


def _printed_text(player: IsolatedPlayer | ExemptPlayer, number: int) -> str:
    """The output of an isolated bot, or one that is exempt from isolation, at an ask."""
    text = b"".join(part.text for part in player.printed_texts if part.number == number)
    return player.ref.as_its_author_knows(text).decode("utf-8", "backslashreplace")
