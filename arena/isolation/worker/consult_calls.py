"""Consultations of the processes of one match: taken from their pipes, handed in at the desk, and answered.

While a model is asked, its bot's time does not run; as much is charged as the desk says, also where a recorded answer
came at once. The other bots of a phase go on thinking, and consulting, meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future

from arena.isolation.worker.process import BotProcess
from arena.isolation.worker.transport import Transport
from arena.players.consult_desk import ConsultDesk, DeskAnswer
from arena.protocol.messages import ConsultAnswered, line_of
from arena.protocol.reading import Garbled, is_consult, read_consult


class ConsultCalls:
    """The consultations of one match that are under way, each with its process and the time at which it began."""

    def __init__(self, transport: Transport, desk: ConsultDesk) -> None:
        self._transport, self._desk = transport, desk
        self._open: list[tuple[BotProcess, Future[DeskAnswer], float]] = []

    def exchange(self, processes: Iterable[BotProcess]) -> None:
        """Hand in the questions that bots have sent, and give the answers that have come to their bots. Raises
        MatchSuspended where the match cannot go on."""
        for process in processes:
            lines = process.pipe.incoming.lines
            if lines and process.asks and not process.consulting and is_consult(lines[0][0]):
                self._hand_in(process)
        if any(future.done() for _, future, _ in self._open):
            before, self._open = self._open, []
            for process, future, began in before:
                if future.done():
                    self._hand_back(process, future.result(), began)
                else:
                    self._open.append((process, future, began))

    def _hand_in(self, process: BotProcess) -> None:
        """Take the question of a bot from its pipe, unless it cannot be read: then its player finds that out."""
        line, came = process.pipe.incoming.lines[0]
        ask = process.asks[0]
        try:
            consult = read_consult(line, ask.id)
        except Garbled:
            process.garbled_consult = True
            return
        process.pipe.incoming.lines.popleft()
        process.consulting = True
        future = self._desk.submit(process.seat, ask.number, consult)
        self._open.append((process, future, came))
        future.add_done_callback(lambda _: self._transport.wake())

    def _hand_back(self, process: BotProcess, answer: DeskAnswer, began: float) -> None:
        """Give a bot the answer, and let its time go on."""
        process.consulting = False
        if not process.running:
            return
        ask = process.asks[0]
        if answer.digest is not None:
            ask.extend_deadline(self._transport.clock.now() - began - answer.seconds)
            process.calls.append(answer.digest)
        process.desk_fault = process.desk_fault or answer.fault
        process.pipe.send(line_of(ConsultAnswered(ask.id, answer.consulted, answer.fault is not None)))
