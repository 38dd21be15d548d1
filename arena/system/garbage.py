"""How often Python looks for reference cycles in a process of arena: a look costs as much as there are objects, and
those of imported modules alone are tens of thousands, none of which ever becomes garbage."""

from __future__ import annotations

import gc

PLAYING_THRESHOLD = 10_000
"""Allocated objects after which a process in which bots may run looks for cycles."""
READING_THRESHOLD = 100_000
"""The same for one that only reads replays, which have many objects, but no cycles."""


def collect_garbage_rarely(threshold: int = PLAYING_THRESHOLD) -> None:
    """From now on leave out of the search what is loaded already, and search after so many allocated objects."""
    gc.freeze()
    gc.set_threshold(threshold)
    gc.enable()
