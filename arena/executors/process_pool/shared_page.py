"""The memory that a worker shares with its parent: values that the parent must know even if the worker does not
answer."""

from __future__ import annotations

import mmap
from ctypes import c_bool, c_double, sizeof
from math import inf

from arena.players.watch import Deadline


class SharedPage:
    """Created before the worker is forked, and then shared by both processes. ``deadline``: when the running bot must
    have answered; ``due``: when the worker must have given the next sign of life (:mod:`arena.match.pulse`); both by
    ``time.perf_counter``, and ``inf`` while nothing is expected. ``held``: set by the parent to make the worker begin
    no more matches."""

    def __init__(self) -> None:
        memory = mmap.mmap(-1, 2 * sizeof(c_double) + sizeof(c_bool))
        self.deadline = Deadline.from_buffer(memory)
        self.due = Deadline.from_buffer(memory, sizeof(c_double))
        self.held = c_bool.from_buffer(memory, 2 * sizeof(c_double))
        self.deadline.value = self.due.value = inf
