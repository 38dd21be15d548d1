"""A player of whom everything is noted that it is asked and answers."""

from __future__ import annotations

from collections import deque

from arena.bot import Finish, Start
from arena.games.contract import Hook, View
from arena.match.walk.seat_asks import SeatAsk
from arena.players.player import Player, TimedAnswer


class NotingPlayer:
    """Implements :class:`arena.players.player.Player` by another, and keeps ``notes`` of its asks in their order, with
    what it answered. A view is a value: it can be handed out again."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.notes: list[SeatAsk] = []
        self._posted: deque[tuple[Hook, View, int]] = deque()

    @property
    def hooks(self) -> frozenset[str]:
        """The other's."""
        return self.player.hooks

    def start(self, start: Start) -> TimedAnswer:
        """Tell it the start."""
        return self.player.start(start)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Ask it."""
        self._posted.append((hook, view, number))
        self.player.post(hook, view, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        """Its answer, which is noted."""
        answered = self.player.take(limit)
        hook, view, number = self._posted.popleft()
        self.notes.append(SeatAsk(number, hook, view, answered))
        return answered

    def finish(self, finish: Finish) -> None:
        """Tell it the end."""
        self.player.finish(finish)

    def close(self) -> None:
        """Close it."""
        self.player.close()


class AbsentPlayer:
    """Implements :class:`arena.players.player.Player` for a seat whose bot has not been needed yet."""

    hooks: frozenset[str] = frozenset()

    def start(self, start: Start) -> TimedAnswer:
        """Nothing to tell."""
        return TimedAnswer(None, None, 0.0)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Raise AssertionError: a bot without hooks is not asked."""
        raise AssertionError(f"an absent bot was asked {hook.name}")

    def take(self, limit: float) -> TimedAnswer:
        """Nothing was asked."""
        raise AssertionError("an absent bot has no answers")

    def finish(self, finish: Finish) -> None:
        """Nobody to tell."""

    def close(self) -> None:
        """Nothing to let go of."""
