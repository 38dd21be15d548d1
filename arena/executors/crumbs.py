"""What a worker was doing when it was last seen, in memory shared with its parent.

A process that ends in the middle of a match (``os._exit``, a crash, a loop in C that no signal reaches) cannot say
which bot was thinking. The note made before every ask can.
"""

from __future__ import annotations

import mmap
import os
import struct
from time import monotonic, sleep
from typing import NamedTuple

_NOTE = struct.Struct("=iiiid")
_WORKER = struct.Struct("=i")
NOWHERE = -2
CORES = 1024


class Note(NamedTuple):
    """Match ``place`` within the chunk, ask (-1 at the finish) and seat (both ``NOWHERE`` before any match), and the
    reading of ``time.monotonic`` by which the bot must have answered (0: nobody is thinking). ``process`` is the
    worker's."""

    process: int
    place: int
    ask: int
    seat: int
    deadline: float

    def overdue(self, now: float) -> bool:
        """Whether a bot should have answered by ``now``, a reading of ``time.monotonic``."""
        return self.ask != NOWHERE and 0.0 < self.deadline < now


class Board:
    """One note a slot; slots belong to chunks of work under way. And by which worker each core is taken."""

    def __init__(self, slots: int) -> None:
        self._memory = mmap.mmap(-1, slots * _NOTE.size)
        self._taken = mmap.mmap(-1, CORES * _WORKER.size)

    def write(self, slot: int, note: Note) -> None:
        """Leave a note."""
        _NOTE.pack_into(self._memory, slot * _NOTE.size, *note)

    def read(self, slot: int) -> Note:
        """The note last left."""
        return Note(*_NOTE.unpack_from(self._memory, slot * _NOTE.size))

    def take_core(self, cores: list[int]) -> int:
        """One of ``cores`` that no living worker has taken, or the first; it is this process's now."""
        free = [core for core in cores if core < CORES and not _lives(self._owner(core))] or cores
        for core in free:  # two may take one at once: the second sees itself overwritten, and takes another
            _WORKER.pack_into(self._taken, core % CORES * _WORKER.size, os.getpid())
            sleep(0.001)
            if self._owner(core) == os.getpid():
                return core
        return free[0]

    def _owner(self, core: int) -> int:
        return int(_WORKER.unpack_from(self._taken, core % CORES * _WORKER.size)[0])

    def clear(self, slot: int) -> None:
        """Forget what was left."""
        self.write(slot, Note(0, 0, NOWHERE, NOWHERE, 0.0))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return process != 0


class SlotCrumbs:
    """The referee's :class:`arena.match.referee.Crumbs` for one match of a chunk."""

    def __init__(self, board: Board, slot: int, place: int) -> None:
        self._board, self._slot, self._place, self._process = board, slot, place, os.getpid()

    def note(self, ask: int, seat: int, limit: float) -> None:
        """A bot starts to think."""
        self._board.write(self._slot, Note(self._process, self._place, ask, seat, monotonic() + limit))
