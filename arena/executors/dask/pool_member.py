"""A Dask worker from the run's point of view."""

from __future__ import annotations

from typing import Any

from arena.executors.dask.cluster_worker import Parcel

BATCHES_AHEAD = 2
"""How many batches each thread of a worker holds: the one it plays and the next."""


class Member:
    """A Dask worker. It is ``tried`` once it has played anything; ``known`` are the parcels it has; ``batches`` is the
    number of those it has not answered; ``refused`` says why it gets no work; ``presence`` is the result by which it
    knows that the run is alive."""

    def __init__(self, address: str, threads: int, host: str) -> None:
        self.address, self.threads, self.host = address, threads, host
        self.tried = False
        self.known: set[Parcel] = set()
        self.batches = 0
        self.presence: Any = None
        self.refused = ""

    @property
    def free_batches(self) -> int:
        """How many more batches it can take. A new worker is tried with a single one."""
        if self.refused:
            return 0
        return (BATCHES_AHEAD * self.threads if self.tried else 1) - self.batches

    @property
    def display_name(self) -> str:
        """Its name in messages."""
        return f"{self.host} ({self.address})" if self.host else self.address
