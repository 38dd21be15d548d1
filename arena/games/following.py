"""What follows a recorded match from its lines alone, without a state, a seed or bots: the fold has the table after
every event, the ledger makes tables of all that was offered and paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from arena.errors import UserError

if TYPE_CHECKING:
    from arena.games.contract import Event, Move


class Fold(Protocol):
    """The table after every event, computed only from a replay's events: without a state, a seed or bots."""

    @property
    def table(self) -> msgspec.Struct:
        """What lies on the table now: an immutable record of the game, writable as JSON."""

    def follow(self, event: Event) -> None:
        """Let ``event`` happen. Lines of a replay that are no events of the game change nothing.

        Raises ValueError for an event that cannot happen on this table.
        """


def no_fold(rules: Any, players: int, seat: int | None) -> Fold:
    """Raises UserError: the fold of a game that defines none."""
    raise UserError("this game does not say how its table is folded from events")


class Ledger(Protocol):
    """A match as tables of what was dealt, offered and paid: computed only from what its replay records."""

    @property
    def hears(self) -> frozenset[str]:
        """The hooks whose answers :meth:`answer` must be told."""

    def answer(self, ask: int, seat: int, hook: str, move: Move) -> None:
        """The match's ask number ``ask`` was answered so. An idle answer may be left out, as in a replay."""

    def fail(self, ask: int, seat: int, hook: str, out: bool) -> None:
        """A bot was at fault at an ask, and the default was played; ``out``: its bot is out from here on."""

    def follow(self, event: Event) -> None:
        """Let ``event`` happen, after the answers that it follows from.

        Raises ValueError for an event that cannot happen now.
        """

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of each of the game's :attr:`Game.tables`, in the order it happened."""


def no_ledger(rules: Any, players: int) -> Ledger:
    """Raises UserError: the ledger of a game that defines none."""
    raise UserError("this game does not say how its tables are made from events")
