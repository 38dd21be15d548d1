"""A player that is asked only when its answer is taken, so that its time does not run while another player thinks."""

from __future__ import annotations

from collections import deque

from arena.bot import Finish, Start
from arena.games.contract import Hook, View
from arena.players.player import Player, TimedAnswer


class OneAtATimePlayer:
    """Implements :class:`arena.players.player.Player` by delegating to another player, which gets one ask at a time:
    for matches with a human, who may think for an hour while the bots' answers to the same phase are due."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._posted: deque[tuple[Hook, View, int]] = deque()

    @property
    def hooks(self) -> frozenset[str]:
        """The hooks that the bot implements."""
        return self.player.hooks

    def start(self, start: Start) -> TimedAnswer:
        """Tell the player the start."""
        return self.player.start(start)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Keep the ask until it is taken."""
        self._posted.append((hook, view, number))

    def take(self, limit: float) -> TimedAnswer:
        """Ask now, and take the answer."""
        hook, view, number = self._posted.popleft()
        self.player.post(hook, view, limit, number)
        return self.player.take(limit)

    def finish(self, finish: Finish) -> None:
        """Tell the player the end."""
        self.player.finish(finish)

    def close(self) -> None:
        """Release what the bot holds."""
        self.player.close()
