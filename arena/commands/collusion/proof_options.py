"""Options of ``arena collusion`` for playing a pair's matches again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEALS = 30
"""Blocks whose matches are played again unless told otherwise."""


@dataclass(frozen=True, slots=True)
class ProofOptions:
    """The ``neutral`` bot that is exchanged for either of a pair (None: the first bundled one that can be), how many
    blocks are played again (``deals``; None: 30), and below which folder the replays go (``out``; None: nowhere)."""

    neutral: str | None = None
    deals: int | None = None
    out: Path | None = None
