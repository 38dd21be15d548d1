"""Options of ``arena collusion`` for playing a pair's matches again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEALS = 30
"""Number of blocks whose matches are played again by default."""


@dataclass(frozen=True, slots=True)
class ProofOptions:
    """The ``neutral`` bot that replaces either of a pair (None: the first suitable bundled bot), the number of blocks
    to play again (``deals``; None: 30), and the folder for the replays (``out``; None: they are not kept)."""

    neutral: str | None = None
    deals: int | None = None
    out: Path | None = None
