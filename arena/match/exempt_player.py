"""A bundled bot in the referee's process, at a table whose other bots are isolated.

For the table it makes no difference: its faults, and what it prints, are those of an isolated bot. So it is gone once
it has been late, as if it had a process that was ended. Its time does not run into that of the others: in each phase it
is the last to think, when everybody with a process of its own has answered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager

from arena.bot import Finish, Start
from arena.finding.exempt_bots import bundled_copy
from arena.finding.reference import BotRef
from arena.games.contract import Hook, View
from arena.isolation.worker.printed_at import PrintedText
from arena.penalties import FaultKind
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.faults import ENDED_EVIDENCE, Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.player import TimedAnswer
from arena.players.watch import Watch

ENDED = TimedAnswer(None, Fault(FaultKind.LATE, ENDED_EVIDENCE[FaultKind.LATE]), 0.0, gone=True)
"""The answer of a bot that has been late."""


class ExemptPlayer(InProcessPlayer):
    """Implements :class:`arena.players.player.Player` for a bot that is exempt from isolation
    (:func:`arena.finding.exempt_bots.is_exempt`), whatever its reference says of where it lies. ``printed_texts`` are
    the tracebacks of its errors, by ask."""

    thinks_last = True

    def __init__(self, bot: BotRef, watch: Watch) -> None:
        super().__init__(bundled_copy(bot), watch, self._keep_text)
        self.printed_texts: list[PrintedText] = []
        self._numbers: deque[int] = deque()
        self._asked: tuple[int | None, str] = 0, "start"
        self._ended = False

    def start(self, start: Start) -> TimedAnswer:
        """Create the bot and tell it ``start``."""
        return self._end_if_late(super().start(start))

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Keep the ask until it is taken."""
        super().post(hook, view, limit, number)
        self._numbers.append(number)

    def take(self, limit: float) -> TimedAnswer:
        """Let the bot think about the oldest ask."""
        self._asked = self._numbers.popleft(), self._posted[0][0].name
        if self._ended:
            self._posted.popleft()
            return ENDED
        return self._end_if_late(super().take(limit))

    def finish(self, finish: Finish) -> None:
        """Tell the bot the end."""
        self._asked = None, "finish"
        super().finish(finish)

    def _end_if_late(self, answered: TimedAnswer) -> TimedAnswer:
        if answered.fault is None or answered.fault.kind is not FaultKind.LATE:
            return answered
        self._ended, self.bot = True, None
        return ENDED._replace(seconds=answered.seconds, computed=answered.computed)

    def _keep_text(self, text: str) -> None:
        """Keep the traceback of an error as output at this ask."""
        self.printed_texts.append(PrintedText(*self._asked, f"{text}\n".encode("utf-8", "backslashreplace")))


@contextmanager
def exempt_player(bot: BotRef, watch: Watch, desk: ConsultDesk = NO_MODELS) -> Iterator[ExemptPlayer]:
    """A bot that is exempt from isolation, outside of a match; it consults models at the ``desk`` and is closed with
    this context."""
    player = ExemptPlayer(bot, watch)
    player.desk = desk
    with watch.watch_deadlines(), closing(player):
        yield player
