"""Repeats the asks of one seat of a recorded match to a bot, to find where it answers differently.

At each ask of the seat the bot gets the view that the seat's bot got in the match, news included; before the first it
gets the same start, with the same seed of its own. Whatever it answers, the match continues as recorded: so the asks
are always those of the match.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from arena.match.feeding.fed_bot import FedBot, RepeatedAsk
from arena.match.walk.recorded_asks import AskCache, CachedSeatAsks
from arena.match.walk.seat_asks import SeatAsk, SeatAsks
from arena.match.walk.timeline import Timeline
from arena.players.faults import Fault
from arena.players.player import Player


class RefeedLoop:
    """A bot to which the asks of one ``seat`` of a recorded match are put. ``fault`` is the bot's fault at the start,
    after which it gets no asks. The caller closes the player."""

    def __init__(self, timeline: Timeline, seat: int, player: Player, shelf: AskCache | None = None) -> None:
        """Raises Mismatch and ReplayError as the timeline does, and UserError where the match has no such seat. With a
        ``shelf``, no Mismatch is raised where it holds the asks already; else they are put there afterwards
        (:mod:`arena.match.walk.recorded_asks`)."""
        self.of = SeatAsks(timeline, seat) if shelf is None else CachedSeatAsks(timeline, seat, shelf)
        self.bot = FedBot(player, self.of.header.limits)
        self.fault: Fault | None = None

    def give_seed(self, seed: str) -> None:
        """Give the bot this seed for its own random numbers instead of that of the match."""
        self.of.start = msgspec.structs.replace(self.of.start, seed=seed)

    def asks(self) -> Iterator[RepeatedAsk]:
        """Each ask of the seat after putting it again, up to where its bot was put out of the match, or to the end."""
        if self.of.was_missing:
            return
        self.fault = self.bot.start(self.of.start).fault
        if self.fault is not None:
            return
        phase: list[SeatAsk] = []
        for ask in self.of.asks(self.bot.player.hooks):
            phase.append(ask)
            if not ask.more:
                yield from self.bot.put(phase, self.of.rules)
                phase.clear()
