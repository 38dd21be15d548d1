"""The id of the match that this process is playing, for the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PLAYING_MATCH: ContextVar[str] = ContextVar("playing", default="")


def playing_now() -> str:
    """The id of the match that is being played in this context; empty between matches."""
    return _PLAYING_MATCH.get()


@contextmanager
def name_played_match(id: str) -> Iterator[None]:
    """Inside this context, ``id`` is the match that is being played."""
    before = _PLAYING_MATCH.set(id)
    try:
        yield
    finally:
        _PLAYING_MATCH.reset(before)
