"""Which match is being played here, for the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PLAYING: ContextVar[str] = ContextVar("playing", default="")


def playing_now() -> str:
    """The id of the match that is being played here; empty between matches."""
    return _PLAYING.get()


@contextmanager
def playing(id: str) -> Iterator[None]:
    """Inside, the match ``id`` is played."""
    before = _PLAYING.set(id)
    try:
        yield
    finally:
        _PLAYING.reset(before)
