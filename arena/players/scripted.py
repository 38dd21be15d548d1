"""The shipped fake: a player that answers from a script, for tests of everything that holds players."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from arena.bot import Finish, Start
from arena.games.contract import Hook, Move, View
from arena.players.faults import Fault
from arena.players.player import TimedAnswer

Line = Move | Fault | None | Callable[[View], Move | None]


class ScriptedPlayer:
    """Implements :class:`arena.players.player.Player` from lists of answers by hook.

    An answer is a move, None (do nothing), a fault, or a function of the view. A hook whose list is used up repeats
    its last answer. ``asked`` keeps every view with its hook, ``told`` the start and the finish.
    """

    def __init__(self, script: Mapping[str, Iterable[Line]], seconds: float = 0.0) -> None:
        self._script = {hook: deque(lines) for hook, lines in script.items()}
        self.hooks = frozenset(self._script)
        self.seconds = seconds
        self.asked: list[tuple[str, View]] = []
        self.told: list[Start | Finish] = []
        self._posted: deque[tuple[Hook, View]] = deque()

    def start(self, start: Start) -> TimedAnswer:
        """Record the start."""
        self.told.append(start)
        return TimedAnswer(None, None, 0.0)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Record the ask."""
        self.asked.append((hook.name, view))
        self._posted.append((hook, view))

    def take(self, limit: float) -> TimedAnswer:
        """The script's next answer."""
        hook, view = self._posted.popleft()
        lines = self._script[hook.name]
        line = lines.popleft() if len(lines) > 1 else lines[0]
        if isinstance(line, Fault):
            return TimedAnswer(None, line, self.seconds, gone=line.kind.always_gone)
        move = line(view) if callable(line) else line
        return TimedAnswer(move, None, self.seconds)

    def finish(self, finish: Finish) -> None:
        """Record the end."""
        self.told.append(finish)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
