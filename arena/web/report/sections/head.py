"""The head of the report: what was played, with which bots and rules, and how to repeat it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHOWN_DIGITS = 12
"""How many digits of a digest are shown; the tooltip has all of them."""


@dataclass(frozen=True, slots=True)
class PlayedEntrant:
    """An entrant: its ``bot`` with the SHA-256 of its source, its ``options`` as JSON, its ``team``, and the ``label``
    that says whether it repeats itself ("": unknown)."""

    name: str
    bot: str
    sha256: str
    options: str
    team: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSubject:
    """The run that the report describes. ``folder`` is its folder as the reader calls it; ``state`` is in words;
    ``editions`` are the digests of the rules by label; ``started`` and ``ended`` are times as in the manifest ("":
    unknown); ``root`` is the root digest; ``again`` are the commands that repeat and check the run; ``notes`` are
    sentences on what is missing."""

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

    def short_digest(self, digest: str) -> str:
        """The first digits of a digest."""
        return digest[:SHOWN_DIGITS]

    def playing_time(self) -> str:
        """When the run was played, in words."""
        began, ended = (each.replace("T", " ").replace("+00:00", " UTC") for each in (self.started, self.ended))
        if not began:
            return "unknown"
        return f"{began} to {ended}" if ended else f"from {began}"
