"""The bookkeeping of asks that games of phases share: who is asked, who has answered, and when all have."""

from __future__ import annotations

from typing import Any

from arena.errors import IllegalMove
from arena.games.contract import Ask, Event, Move, Refusal


class Phased:
    """Half of a state (:class:`arena.games.contract.State`): the game adds :meth:`refusal` and :meth:`resolve`, and
    slots for the attributes. ``waiting`` counts the asks that are not answered yet."""

    __slots__ = tuple[str, ...]()  # none here: the game's own classes have them

    phase: Any
    asks: tuple[Ask, ...]
    answers: list[Move | None]
    waiting: int

    @property
    def pending(self) -> tuple[int, ...]:
        """Indices of the asks not answered yet."""
        return tuple(index for index, move in enumerate(self.answers) if move is None)

    def ask(self, phase: Any, asks: tuple[Ask, ...]) -> None:
        """Put ``asks`` to the seats; they are answered on the same information."""
        self.phase = phase
        self.asks = asks
        self.waiting = len(asks)
        self.answers = [None] * self.waiting

    def refusal(self, index: int, move: Move) -> Refusal | None:
        """Why ``move`` may not answer ``asks[index]``, or None."""
        raise NotImplementedError

    def resolve(self, log: list[Event] | None) -> None:
        """All asks of the phase are answered: let the answers take effect, and ask for what comes next."""
        raise NotImplementedError

    def apply(self, index: int, move: Move, log: list[Event] | None = None) -> None:
        """Answer ``asks[index]``; the phase's last answer makes all of them take effect."""
        refused = self.refusal(index, move)
        if refused is not None:
            raise IllegalMove(refused.rule, refused.reason)
        self.answers[index] = move
        self.waiting -= 1
        if not self.waiting:
            self.resolve(log)
