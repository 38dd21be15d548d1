"""The bot in one seat of a match: its time limits, and the time it took."""

from __future__ import annotations

from math import inf

from arena.bot import Limits, Start
from arena.games.contract import Hook, View
from arena.match.refereeing.seat_time import LateAsk, SeatTime
from arena.penalties import FaultKind
from arena.players.player import Player, TimedAnswer, thinks_last


class Allowance:
    """The time that the limits leave to one bot. ``bank`` is what slow asks may still draw on, ``left`` the rest of the
    total for the match (``inf``: there is no total)."""

    def __init__(self, limits: Limits) -> None:
        self.ask, self.bank = limits.ask, limits.bank
        self.left = inf if limits.match is None else limits.match

    @property
    def ask_seconds(self) -> float:
        """Seconds that an ask may take now: its limit plus the rest of the bank, but at most the rest of the total for
        the match."""
        return min(self.ask + self.bank, self.left)

    def charge(self, seconds: float) -> None:
        """Take the time of an ask out of the total for the match, and its part beyond the limit of one ask out of the
        bank."""
        self.left = max(0.0, self.left - seconds)
        over = seconds - self.ask
        if over > 0:
            self.bank = max(0.0, self.bank - over)


class SeatBot:
    """A ``player`` in a seat, with its ``allowance``, the ``time`` that it took, and how many asks of each hook were
    put to it (``asked``)."""

    def __init__(self, player: Player, limits: Limits) -> None:
        self.player, self.limits = player, limits
        self.thinks_last = thinks_last(player)
        self.allowance, self.time = Allowance(limits), SeatTime()
        self.asked: dict[str, int] = {}

    def start(self, start: Start) -> TimedAnswer:
        """Tell the player the start."""
        answered = self.player.start(start)
        self.time.start = answered.seconds
        self._note_late(0, "start", answered, self.limits.start, 0.0, self.limits.match)
        return answered

    def post(self, hook: Hook, view: View, number: int) -> None:
        """Send the match's ask ``number`` to the player."""
        name = hook.name
        self.asked[name] = self.asked.get(name, 0) + 1
        self.player.post(hook, view, self.allowance.ask_seconds, number)

    def take(self, hook: str, number: int) -> TimedAnswer:
        """The answer to the oldest pending ask, which must be this one. Its time is recorded, and charged to the
        bot."""
        allowance = self.allowance
        answered = self.player.take(allowance.ask_seconds)
        if answered.fault is not None:
            left = None if allowance.left == inf else allowance.left
            self._note_late(number, hook, answered, allowance.ask, allowance.bank, left)
        self.charge(answered.seconds)
        return answered

    def charge(self, seconds: float) -> None:
        """Record the time of an answer, and charge it to the bot."""
        self.time.add(seconds)
        self.allowance.charge(seconds)

    def _note_late(
        self, number: int, hook: str, answered: TimedAnswer, limit: float, bank: float, match: float | None
    ) -> None:
        """Keep the evidence if the fault is lateness: clock readings, which no replay may contain."""
        if answered.fault is not None and answered.fault.kind is FaultKind.LATE:
            late = LateAsk(number, hook, answered.seconds, answered.computed, limit, bank, match)
            self.time.late.append(late)
