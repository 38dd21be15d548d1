"""The asks of a seat put again to one bot, in this process or in one of its own: what came of it, summed up."""

from __future__ import annotations

from typing import NamedTuple

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.match.feeding.isolated_feeding import player_apart
from arena.match.feeding.refeeding_loop import RefeedLoop
from arena.match.walk.timeline import Timeline
from arena.players.faults import Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.player import Player
from arena.players.watch import Watch


class SeatRefeed(NamedTuple):
    """How many of the seat's ``asks`` were put again, and the ``differences`` among them, in the order of the match.
    ``start`` is the fault for which the bot could not be asked at all."""

    asks: int
    differences: tuple[RepeatedAsk, ...]
    start: Fault | None = None

    @property
    def same(self) -> bool:
        """Whether the bot answered everything that it was asked as it is recorded."""
        return self.start is None and not self.differences


def refeed(replay: bytes, seat: int, player: Player) -> SeatRefeed:
    """Put the asks of ``seat`` in ``replay`` to ``player``, which is closed afterwards."""
    try:
        refeeding = RefeedLoop(Timeline(replay), seat, player)
        asked = list(refeeding.asks())
        return SeatRefeed(len(asked), tuple(each for each in asked if not each.same), refeeding.fault)
    finally:
        player.close()


def refeed_here(replay: bytes, seat: int, bot: BotRef) -> SeatRefeed:
    """With a bot that is trusted in this process."""
    watch = Watch()
    with watch.watch_deadlines():
        return refeed(replay, seat, InProcessPlayer(bot, watch))


def refeed_isolated(replay: bytes, seat: int, bot: BotRef, server: ForkServer) -> SeatRefeed:
    """With a bot of any language in a process of its own, which the fork server forks."""
    with player_apart(replay, bot, server) as player:
        return refeed(replay, seat, player)
