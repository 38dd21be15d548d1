"""Listens to a run that a test plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.runs.run_options import RunListener


class Calling(RunListener):
    """Calls a function with what it hears, by the name of the event."""

    def __init__(self, **calls: Callable[..., Any]) -> None:
        for event, call in calls.items():
            assert hasattr(RunListener, event), event
            setattr(self, event, call)
