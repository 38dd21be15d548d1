"""How a bot answers what a seat of a recorded match was asked: in a process of its own, with the seed that it was given
then or with another.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.match.refeed_players import player_apart
from arena.match.refeeding_loop import RefeedLoop, RepeatedAsk

_encode = msgspec.json.Encoder().encode


class ReseededAnswer(NamedTuple):
    """What was answered to the ask of this ``number``, or at the start (0) where the bot was missing in the match: the
    ``move`` as JSON with the words, or a fault as the replay has it; notes, which no other seat is shown, do not count.
    ``as_recorded`` says whether it was the same in the match; where a fault is recorded nothing was answered that could
    differ."""

    number: int
    move: bytes
    said: str
    as_recorded: bool


def answers_with_seed(
    replay: bytes, seat: int, bot: BotRef, server: ForkServer, seed: str | None = None
) -> list[ReseededAnswer]:
    """The answers of ``bot``, as it can be loaded here, to all that ``seat`` was asked in ``replay``; ``seed`` is its
    own, if not that of the match. Empty where it cannot be asked at all.

    Raises Mismatch at a line that does not follow from the rules, and ReplayError for what is no replay."""
    with player_apart(replay, bot, server) as player:
        refeeding = RefeedLoop(replay, seat, player)
        if seed is not None:
            refeeding.give_seed(seed)
        try:
            if refeeding.of.was_missing:
                fault = player.start(refeeding.of.start).fault
                return [ReseededAnswer(0, b"" if fault is None else _encode(fault), "", True)]
            return [_reseeded_answer(asked) for asked in refeeding.asks()]
        finally:
            player.close()


def _reseeded_answer(asked: RepeatedAsk) -> ReseededAnswer:
    fault, move = asked.answered.fault, asked.answered.move
    what = _encode(fault) if fault is not None else b"" if move is None else _encode(move)
    return ReseededAnswer(asked.number, what, asked.answered.say, asked.same or asked.recorded.fault is not None)
