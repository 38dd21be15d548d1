"""What is known of a run before its first match, and whether one that goes on is the same."""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from typing import Any

import msgspec

from arena.errors import UserError
from arena.sandbox.probe import Level
from arena.storage.run_facts.settings import complete_settings
from arena.tournament.formats.make_format import LOOK_BACK, Formats
from arena.tournament.measures.custom_measures import CustomMeasure, with_made
from arena.tournament.measures.measures import Measure
from arena.tournament.schedule.share import Share, read_share


class RunState(StrEnum):
    """The state of a run: running (or killed), stopped by its user, incomplete because some matches could not be
    played, or complete."""

    RUNNING = "running"
    STOPPED = "stopped"
    INCOMPLETE = "incomplete"
    COMPLETE = "complete"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a run before its first match: what is played with what, by name and digest. ``isolation`` is as
    :meth:`arena.runs.planning.isolation_level.Isolation.describe` tells it; ``settings`` are what else the
    configuration says (:func:`arena.storage.run_facts.settings.settings_of`); ``code`` are the digests of the code that
    plays it (:mod:`arena.code_digest`), none where they are not known; ``config_sha256`` is :meth:`digest`; ``config``
    is the tournament file spelled out; ``share`` says which share of the tournament the run plays, such as ``3/16``,
    and is empty where it plays all; ``measure_names`` are the measures that its standings have besides those made for
    it, empty in runs of before, whose standings have all."""

    tournament: str
    seed: str
    command: str
    matches: int
    arena: str
    python: str
    platform: str
    replay_format: str
    chance: str
    isolation: dict[str, Any]
    editions: dict[str, str]
    entrants: dict[str, dict[str, Any]]
    settings: dict[str, Any] = {}
    config_sha256: str = ""
    skipped: dict[str, str] = {}
    share: str = ""
    code: dict[str, str] = {}
    measure_names: tuple[str, ...] = ()
    config: dict[str, Any] = {}

    def digest(self) -> str:
        """The SHA-256 of what is played: of these fields as compact JSON, in a list."""
        told = [self.tournament, self.seed, self.matches, self.editions, self.entrants, self.settings]
        return sha256(msgspec.json.encode(told)).hexdigest()

    @property
    def shared(self) -> Share | None:
        """The share that is played. Raises UserError where there can be none of this name."""
        return read_share(self.share) if self.share else None

    @property
    def trusted(self) -> bool:
        """Whether its bots are trusted, and run in arena's own processes."""
        return self.isolation.get("level") == Level.NONE

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of its standings. Raises UserError where the manifest has some that this arena cannot make."""
        try:
            made = msgspec.convert(self.settings.get("measures", {}), dict[str, CustomMeasure])
        except msgspec.ValidationError as problem:
            raise UserError(f"manifest.json: settings.measures: {problem}") from None
        try:
            return with_made(made, self.measure_names)
        except UserError as problem:
            raise UserError(f"manifest.json: measure_names: {problem}") from None

    @property
    def blocks(self) -> int:
        """How many blocks the run has; 0 where the manifest does not say."""
        return int(self.settings.get("blocks", 0))

    @property
    def suspend_after(self) -> int | None:
        """As in the configuration."""
        after = self.settings.get("suspend_after")
        return None if after is None else int(after)

    @property
    def looks_back(self) -> bool:
        """Whether the tables of a block follow from the results of those before."""
        return Formats(self.settings.get("format", Formats.ROUND_ROBIN)) in LOOK_BACK

    @property
    def in_stages(self) -> bool:
        """Whether what is played in a block follows from those before, be it its tables or who plays."""
        return self.looks_back or self.suspend_after is not None

    def comparable(self) -> dict[str, Any]:
        """The run's configuration in the form of :func:`arena.storage.run_facts.settings.comparable_settings`, to be
        compared with it."""
        entrants = [
            {"name": name, "options": each.get("options", {}), "team": each.get("team", "")}
            for name, each in self.entrants.items()
        ]
        return {"name": self.tournament, "seed": self.seed, "entrants": entrants, **complete_settings(self.settings)}
