"""How a bot answers what a seat of a recorded match was asked: in a process of its own, with the seed that it was given
then or with another.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from arena.bot import Start
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.player import IsolatedPlayer
from arena.isolation.worker.transport import ForkServerTransport
from arena.match.refeed import AskedAgain, Refeeding
from arena.players.player import TimedAnswer
from arena.replay.read import read_header, rules_of, split

_encode = msgspec.json.Encoder().encode


class Answer(NamedTuple):
    """What was answered to the ask of this ``number``: the ``move`` as JSON with the words, or the kind of a fault;
    notes, which no other seat is shown, do not count. ``as_recorded`` says whether it was the same in the match; where
    a fault is recorded nothing was answered that could differ."""

    number: int
    move: bytes
    said: str
    as_recorded: bool


class _WithSeed(IsolatedPlayer):
    """A bot that is told another seed of its own than the match gives it."""

    seed: str | None = None

    def start(self, start: Start) -> TimedAnswer:
        """Tell the process the start, with this seed if there is one."""
        return super().start(start if self.seed is None else msgspec.structs.replace(start, seed=self.seed))


def answers(replay: bytes, seat: int, bot: BotRef, server: ForkServer, seed: str | None = None) -> list[Answer]:
    """The answers of ``bot``, as it can be loaded here, to all that ``seat`` was asked in ``replay``; ``seed`` is its
    own, if not that of the match. Empty where it cannot be asked at all.

    Raises Mismatch at a line that does not follow from the rules, and ReplayError for what is no replay."""
    header = read_header(split(replay)[0])
    server.warm_up(header.game, rules_of(header), len(header.seats))
    processes = MatchProcesses(ForkServerTransport(server, header.game), [bot])
    player = _WithSeed(bot, processes, processes.processes[0])
    player.seed = seed
    try:
        return [_answer(asked) for asked in Refeeding(replay, seat, player).asks()]
    finally:
        player.close()
        processes.close()


def _answer(asked: AskedAgain) -> Answer:
    fault, move = asked.answered.fault, asked.answered.move
    what = fault.kind.encode() if fault is not None else b"" if move is None else _encode(move)
    return Answer(asked.number, what, asked.answered.say, asked.same or asked.recorded.fault is not None)
