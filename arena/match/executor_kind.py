"""The ways in which matches can be played, by the names that files and the command line have for them."""

from __future__ import annotations

from enum import StrEnum


class ExecutorKind(StrEnum):
    """Worker processes on this machine; one match after another in this process; the workers of a Dask scheduler."""

    POOL = "pool"
    SERIAL = "serial"
    DASK = "dask"
