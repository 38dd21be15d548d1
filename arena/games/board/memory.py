"""What a seat's memory of a match says of other hands: cards seen to go there (B6.1), and STOPs that were not spent."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.board.cards import CARD_ID, CARD_KINDS, FAMILY_ID, Card, Family
from arena.games.board.events import (
    Closed,
    Discarded,
    Drew,
    Failed,
    Laid,
    NewBoss,
    Opened,
    Played,
    Recruited,
    Returned,
    Travelled,
)
from arena.games.board.state import State
from arena.games.contract import Event

UNSTOPPED = 0.3
"""How often a seat that holds a STOP lets a play pass that takes its deal or its placard, or breaks its deal: an
estimate, on which nothing but weights depends."""
STOP = CARD_ID[Card.STOP]


class Knowledge:
    """What the events ``seen`` by a seat say: by seat the clan cards known to be in its ``hands``, as counts by kind,
    and how many harmful plays of others it has left ``unstopped`` since it last drew cards."""

    def __init__(self, players: int, seen: Sequence[Event]) -> None:
        self.hands = [[0] * CARD_KINDS for _ in range(players)]
        self.unstopped = [0] * players
        self._laid = [[0] * CARD_KINDS for _ in range(players)]
        self._boss: int | None = None
        self._player: int | None = None
        """The seat that made the last play: nobody is asked to stop a play of its own (B5.5)."""
        for event in seen:
            self._follow(event)

    def likelihood(self, state: State, viewer: int) -> float:
        """How likely it is, relative to other hands, that the others have let pass what they have let pass."""
        found = 1.0
        for seat, times in enumerate(self.unstopped):
            if times and seat != viewer and state.hands[seat][STOP]:
                found *= UNSTOPPED**times
        return found

    def _follow(self, event: Event) -> None:
        match event:
            case Drew():
                self.unstopped[event.seat] = 0
            case Laid():
                self._move(self.hands, event.seat, event.clans, -1)
                self._move(self._laid, event.seat, event.clans, 1)
            case Returned():
                self._move(self._laid, event.seat, event.clans, -1)
                self._move(self.hands, event.seat, event.clans, 1)
            case Discarded():
                for card in event.cards:
                    kind = CARD_ID[card]
                    held = self._laid if self._laid[event.seat][kind] else self.hands
                    held[event.seat][kind] = max(0, held[event.seat][kind] - 1)
            case Opened():
                self._boss = event.seat
            case Closed() | Failed():
                self._boss = None
            case Played():
                self._player = event.seat
            case NewBoss():
                self._suffer(self._boss)
                self._boss = event.seat
            case Recruited():
                self._suffer(event.owner)
            case Travelled():
                self._suffer(self._boss)
            case _:
                pass

    def _suffer(self, seat: int | None) -> None:
        if seat is not None and seat != self._player:
            self.unstopped[seat] += 1

    def _move(self, held: list[list[int]], seat: int, clans: tuple[Family, ...], by: int) -> None:
        for family in clans:
            kind = FAMILY_ID[family]
            held[seat][kind] = max(0, held[seat][kind] + by)
