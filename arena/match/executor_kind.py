"""The ways of playing matches, by their names in files and on the command line."""

from __future__ import annotations

from enum import StrEnum


class ExecutorKind(StrEnum):
    """Worker processes on this machine; one match after another in this process; the workers of a Dask scheduler."""

    POOL = "pool"
    SERIAL = "serial"
    DASK = "dask"
