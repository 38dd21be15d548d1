"""The asks of one seat of a recorded match, put again to a bot: where does it answer otherwise?

At each ask of the seat the bot is handed the view that the seat's bot was handed in the match, news and all; before the
first it was told the same start, with the same seed of its own. Whatever it answers, the match goes on as it was
recorded: so the bot is always asked what was asked then.
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
    """A bot that is asked what one ``seat`` of a recorded match was asked. ``fault`` is the bot's at the start, for
    which it is not asked. The caller closes the player."""

    def __init__(self, timeline: Timeline, seat: int, player: Player, shelf: AskCache | None = None) -> None:
        """Raises Mismatch and ReplayError as the timeline does, and UserError where the match has no such seat; with a
        ``shelf`` no Mismatch where the asks are kept there, as they are afterwards
        (:mod:`arena.match.walk.recorded_asks`)."""
        self.of = SeatAsks(timeline, seat) if shelf is None else CachedSeatAsks(timeline, seat, shelf)
        self.bot = FedBot(player, self.of.header.limits)
        self.fault: Fault | None = None

    def give_seed(self, seed: str) -> None:
        """Have the bot draw lots by another seed of its own than that of the match."""
        self.of.start = msgspec.structs.replace(self.of.start, seed=seed)

    def asks(self) -> Iterator[RepeatedAsk]:
        """Each ask of the seat as it is put again, up to where its bot was put out of the match, or to the end."""
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
