"""How much is read and how a network is fitted, unless told otherwise; imports nothing, so that commands start fast."""

from __future__ import annotations

from typing import NamedTuple

MOST_MATCHES = 1000
"""Matches whose decisions are read: those of many more would not fit into the memory of a small machine."""
HIDDEN, EPOCHS = 64, 12


class FitSettings(NamedTuple):
    """``hidden`` has the width of each hidden layer; all decisions are gone through ``epochs`` times, ``batch`` at a
    time, with a ``rate`` that falls to zero; ``seed`` is that of first weights and orders."""

    hidden: tuple[int, ...] = (HIDDEN,)
    epochs: int = EPOCHS
    batch: int = 256
    rate: float = 2e-3
    seed: int = 0


DEFAULT_FIT = FitSettings()
