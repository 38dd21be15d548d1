"""A player whose asks and answers are noted."""

from __future__ import annotations

from collections import deque

from arena.bot import Finish, Start
from arena.games.contract import Hook, View
from arena.match.walk.seat_asks import SeatAsk
from arena.players.player import Player, TimedAnswer, thinks_last


class NotingPlayer:
    """Implements :class:`arena.players.player.Player` by delegating to another player, and keeps ``notes`` of its asks
    in their order, with its answers. A view is a value: it can be handed out again."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.notes: list[SeatAsk] = []
        self._posted: deque[tuple[Hook, View, int]] = deque()

    @property
    def thinks_last(self) -> bool:
        """Whether the answers of the other player are taken last."""
        return thinks_last(self.player)

    @property
    def hooks(self) -> frozenset[str]:
        """The hooks of the other player."""
        return self.player.hooks

    def start(self, start: Start) -> TimedAnswer:
        """Tell the other player the start."""
        return self.player.start(start)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Ask the other player."""
        self._posted.append((hook, view, number))
        self.player.post(hook, view, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        """The other player's answer, which is noted."""
        answered = self.player.take(limit)
        hook, view, number = self._posted.popleft()
        self.notes.append(SeatAsk(number, hook, view, answered))
        return answered

    def finish(self, finish: Finish) -> None:
        """Tell the other player the end."""
        self.player.finish(finish)

    def close(self) -> None:
        """Close the other player."""
        self.player.close()


class AbsentPlayer:
    """Implements :class:`arena.players.player.Player` for a seat whose bot is not needed yet."""

    hooks: frozenset[str] = frozenset()

    def start(self, start: Start) -> TimedAnswer:
        """Do nothing, successfully."""
        return TimedAnswer(None, None, 0.0)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Raise AssertionError: this player has no hooks and is never asked."""
        raise AssertionError(f"an absent bot was asked {hook.name}")

    def take(self, limit: float) -> TimedAnswer:
        """Raise AssertionError: this player is never asked."""
        raise AssertionError("an absent bot has no answers")

    def finish(self, finish: Finish) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
