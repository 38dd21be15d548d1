"""Everything a bot imports.

A bot is a class in one file::

    from arena.bot import Bot, Draw, Open, Roll, TurnView

    class Patient(Bot):
        def turn(self, view: TurnView):
            return Draw() if view.rolled else Roll()

What happened at the table stands in ``view.news`` as values of the classes in ``events``.

A hook that a bot does not define is answered by its default and never asked. ``arena docs bots`` tells it all.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from arena.games.board import events
from arena.games.board.cards import CARDS, FAMILIES, Card, Family
from arena.games.board.moves import (
    Agreement,
    Close,
    Discard,
    Draw,
    GiveUp,
    GoOn,
    Lay,
    No,
    Offer,
    Offers,
    Open,
    Pass,
    PlaceMarker,
    Recruit,
    Roll,
    Stop,
    TakeOver,
    Travel,
    Unchanged,
    Yes,
)
from arena.games.board.rules import Rules, Space
from arena.games.board.views import (
    AcceptView,
    BoardView,
    ClosedDeal,
    CloseView,
    DiscardView,
    InterruptView,
    MarkerView,
    OfferView,
    OpenOffer,
    OpenPlay,
    Placard,
    TurnView,
)
from arena.games.contract import Event, Move, Refusal, View

SAY_LENGTH, NOTE_LENGTH = 200, 1000


class Limits(msgspec.Struct, frozen=True):
    """Seconds: for loading and ``start``; for each ask; and a bank for the whole match that slow asks draw on."""

    start: float = 10.0
    ask: float = 1.0
    bank: float = 10.0


class Start(msgspec.Struct, frozen=True):
    """What a bot is told once, before its first ask.

    ``rules`` are the resolved rules of the ``edition``; ``players`` the number of seats and ``seat`` the bot's own;
    ``seed`` feeds all randomness the bot wants; ``limits`` are in seconds.
    """

    game: str
    edition: str
    rules: Any
    players: int
    seat: int
    seed: str
    limits: Limits


class Finish(msgspec.Struct, frozen=True):
    """What a bot is told at the end, by seat: money, ranks (1 is best), and how each seat ended (``played``,
    ``struck-out``, ``forfeit``)."""

    money: tuple[int, ...]
    ranks: tuple[int, ...]
    ended: tuple[str, ...]


class Reply(msgspec.Struct, frozen=True):
    """A move with words: ``say`` (at most 200 characters) is shown to every seat, ``note`` (at most 1,000) only
    kept in the replay. ``move`` None does nothing, where that is possible."""

    move: Move | bool | None = None
    say: str = ""
    note: str = ""


class Said(Event, frozen=True, tag="said"):
    """``seat`` said ``text`` with a move: talk costs and binds nothing. It stands in ``view.news``."""

    seat: int
    text: str


Answer = Move | Reply | None


class Bot:
    """Base class of every bot. Define the hooks you want; the constructor's keywords are the bot's options.

    Before ``start`` is called, these are set: ``self.seat``, ``self.players``, ``self.rules``, ``self.random`` (seeded
    from the match; the only randomness that repeats in every way of running a bot) and ``self.limits``.
    """

    seat: int
    players: int
    rules: Any
    random: random.Random
    limits: Limits

    def start(self, start: Start) -> None:
        """Told once before the first ask."""

    def finish(self, finish: Finish) -> None:
        """Told once after the last."""

    def place_marker(self, view: MarkerView) -> Answer:
        """Board, set-up (B2.4): :class:`PlaceMarker`. Default: space 0."""

    def turn(self, view: TurnView) -> Answer:
        """Board (B3): :class:`Open` or :class:`Roll`, after rolling :class:`Open` or :class:`Draw`. Not None."""

    def offer(self, view: OfferView) -> Answer:
        """Board (B4.5): :class:`Offers`, the full set wanted, or None for unchanged (the default)."""

    def accept(self, view: AcceptView) -> Answer | bool:
        """Board (B4.5): True or :class:`Yes` accepts ``view.offer``. Default: no."""

    def interrupt(self, view: InterruptView) -> Answer:
        """Board (B5): :class:`Lay`, :class:`Travel`, :class:`TakeOver`, :class:`Recruit`, or where ``view.can_stop`` is
        set :class:`Stop`; None for nothing (the default)."""

    def close(self, view: CloseView) -> Answer:
        """Board (B4.5), asked of the Boss: :class:`Close`, :class:`GiveUp`, or None to go on (the default)."""

    def discard(self, view: DiscardView) -> Answer:
        """Board (B3.3): :class:`Discard` of ``view.excess`` cards, or :class:`Recruit`. Default: the lowest cards."""

    def legal_moves(self, view: View, prices: Sequence[int] | None = None) -> tuple[Move, ...]:
        """Every legal answer to the ask; offers are single-card ones at ``prices`` ($M; None: 1–2 dividends)."""
        return view.legal_moves(self.rules, prices)

    def refusal(self, view: View, move: Move) -> Refusal | None:
        """Why the rules would refuse ``move`` (rule number and reason), or None where it is legal."""
        return view.refusal(self.rules, move)


__all__ = [
    "CARDS",
    "FAMILIES",
    "AcceptView",
    "Agreement",
    "Answer",
    "BoardView",
    "Bot",
    "Card",
    "Close",
    "CloseView",
    "ClosedDeal",
    "Discard",
    "DiscardView",
    "Draw",
    "Event",
    "Family",
    "Finish",
    "GiveUp",
    "GoOn",
    "InterruptView",
    "Lay",
    "Limits",
    "MarkerView",
    "Move",
    "No",
    "Offer",
    "OfferView",
    "Offers",
    "Open",
    "OpenOffer",
    "OpenPlay",
    "Pass",
    "Placard",
    "PlaceMarker",
    "Recruit",
    "Refusal",
    "Reply",
    "Roll",
    "Rules",
    "Said",
    "Space",
    "Start",
    "Stop",
    "TakeOver",
    "Travel",
    "TurnView",
    "Unchanged",
    "View",
    "Yes",
    "events",
]
