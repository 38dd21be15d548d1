"""Which match is being played here, for the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PLAYING_MATCH: ContextVar[str] = ContextVar("playing", default="")


def playing_now() -> str:
    """The id of the match that is being played here; empty between matches."""
    return _PLAYING_MATCH.get()


@contextmanager
def name_played_match(id: str) -> Iterator[None]:
    """Inside, the match ``id`` is played."""
    before = _PLAYING_MATCH.set(id)
    try:
        yield
    finally:
        _PLAYING_MATCH.reset(before)
