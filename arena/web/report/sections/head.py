"""The head of the report: what was played, with what, and how it is repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHOWN_DIGITS = 12
"""Of a digest that are shown; the whole one stands in its hint."""


@dataclass(frozen=True, slots=True)
class PlayedEntrant:
    """An entrant: its ``bot`` with the SHA-256 of its source, its ``options`` as JSON, its ``team``, and what is known
    of whether it repeats itself (``label``; "": nothing)."""

    name: str
    bot: str
    sha256: str
    options: str
    team: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSubject:
    """What the report is of. ``folder`` is the run's as the reader calls it; ``state`` in words; ``editions`` are the
    digests of the rules by label; ``started`` and ``ended`` are times as the manifest has them ("": unknown); ``root``
    is the root digest; ``again`` the commands that repeat and check the run; ``notes`` sentences on what is missing."""

    tournament: str
    seed: str
    folder: str
    state: str
    finished: int
    planned: int
    voids: int
    blocks: int
    seats: str
    editions: Mapping[str, str]
    entrants: Sequence[PlayedEntrant]
    started: str
    ended: str
    arena: str
    command: str
    again: Sequence[str]
    root: str
    notes: Sequence[str]

    def short(self, digest: str) -> str:
        """The first digits of a digest."""
        return digest[:SHOWN_DIGITS]

    def when(self) -> str:
        """When it was played, in words."""
        began, ended = (each.replace("T", " ").replace("+00:00", " UTC") for each in (self.started, self.ended))
        if not began:
            return "unknown"
        return f"{began} to {ended}" if ended else f"from {began}"
