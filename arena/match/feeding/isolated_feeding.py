"""Puts recorded asks to bots, with the seed of the match or another one, and starts those that have processes of their
own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.isolation.worker.isolated_player import IsolatedPlayer
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.match.feeding.refeeding_loop import RefeedLoop
from arena.match.walk.timeline import Timeline
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.player import Player
from arena.replay.read import read_header, rules_of, split_replay

_encode = msgspec.json.Encoder().encode


@contextmanager
def player_apart(
    replay: bytes, bot: BotRef, server: ForkServer, desk: ConsultDesk = NO_MODELS
) -> Iterator[IsolatedPlayer]:
    """A bot in a process of its own, for the match of a replay; the process ends with this context. It consults models
    at the ``desk``. Raises ReplayError."""
    header = read_header(split_replay(replay)[0])
    server.warm_up(header.game, rules_of(header), len(header.seats))
    processes = MatchProcesses(ForkServerTransport(server, header.game), [bot], desk)
    try:
        yield IsolatedPlayer(bot, processes, processes.processes[0])
    finally:
        processes.close()


class ReseededAnswer(NamedTuple):
    """The answer to the ask with this ``number``, or to the start (0) where the bot was missing in the match: the
    ``move`` as JSON with the words, or a fault as in the replay; notes, which no other seat sees, are left out.
    ``as_recorded`` says whether the answer is the one in the match; true where a fault is recorded, because there is no
    answer to differ from."""

    number: int
    move: bytes
    said: str
    as_recorded: bool


def answers_with_seed(timeline: Timeline, seat: int, player: Player, seed: str | None = None) -> list[ReseededAnswer]:
    """The answers of a ``player`` that has not been started to all asks of ``seat`` in a match; ``seed`` replaces its
    own seed of the match. Empty where the bot cannot be asked at all. Raises Mismatch and ReplayError as the timeline
    does, and CassetteMiss."""
    refeeding = RefeedLoop(timeline, seat, player)
    if seed is not None:
        refeeding.give_seed(seed)
    if refeeding.of.was_missing:
        fault = player.start(refeeding.of.start).fault
        return [ReseededAnswer(0, b"" if fault is None else _encode(fault), "", True)]
    return [_reseeded_answer(asked) for asked in refeeding.asks()]


def _reseeded_answer(asked: RepeatedAsk) -> ReseededAnswer:
    fault, move = asked.answered.fault, asked.answered.move
    what = _encode(fault) if fault is not None else b"" if move is None else _encode(move)
    return ReseededAnswer(asked.number, what, asked.answered.say, asked.same or asked.recorded.fault is not None)
