"""What is known of a run before its first match, and whether a resumed run is the same."""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from typing import Any

import msgspec

from arena.engine import PURE
from arena.errors import UserError
from arena.sandbox.probe import Level
from arena.storage.run_facts.registration import RegisteredRun
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
    """What is known of a run before its first match: what is played, by name and digest. ``isolation`` is the result of
    :meth:`arena.runs.planning.isolation_level.Isolation.describe`; ``settings`` are the other keys of the configuration
    (:func:`arena.storage.run_facts.settings.settings_of`); ``code`` are the digests of the code that plays the run
    (:mod:`arena.code_digest`), empty where unknown; ``engines`` are those that have played it (:mod:`arena.engine`), in
    the order in which they joined; ``config_sha256`` is :meth:`digest`; ``config`` is the resolved tournament file;
    ``share`` says which share of the tournament the run plays, such as ``3/16``, and is empty where it plays all;
    ``measure_names`` are the measures of its standings besides the made ones, empty in older runs, whose
    standings have all; ``registration`` is what was registered before the first match, if anything."""

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
    engines: tuple[str, ...] = (PURE,)
    measure_names: tuple[str, ...] = ()
    registration: RegisteredRun | None = None
    config: dict[str, Any] = {}

    def digest(self) -> str:
        """The SHA-256 of what is played: of these fields as compact JSON, in a list."""
        told = [self.tournament, self.seed, self.matches, self.editions, self.entrants, self.settings]
        return sha256(msgspec.json.encode(told)).hexdigest()

    @property
    def played_share(self) -> Share | None:
        """The share of the tournament that is played. Raises UserError where ``share`` is no valid share."""
        return read_share(self.share) if self.share else None

    @property
    def is_trusted(self) -> bool:
        """Whether the bots are trusted and run in arena's own processes. Where nothing isolates bots, a run of bundled
        bots, which are exempt, has the level none too."""
        return self.isolation.get("level") == Level.NONE and "exempt" not in self.isolation

    @property
    def binding_isolation(self) -> dict[str, Any]:
        """The isolation without what makes no difference for a match: which entrants were ``exempt`` from it. A
        manifest that does not say it is an older run's, in which nobody was."""
        return {key: value for key, value in self.isolation.items() if key != "exempt"}

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of the standings. Raises UserError where the manifest names some that this arena does not
        have."""
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
        """The number of blocks of the run; 0 where the manifest does not say."""
        return int(self.settings.get("blocks", 0))

    @property
    def suspend_after(self) -> int | None:
        """The setting ``suspend_after`` of the configuration."""
        after = self.settings.get("suspend_after")
        return None if after is None else int(after)

    @property
    def looks_back(self) -> bool:
        """Whether the tables of a block depend on the results of earlier blocks."""
        return Formats(self.settings.get("format", Formats.ROUND_ROBIN)) in LOOK_BACK

    @property
    def in_stages(self) -> bool:
        """Whether a block depends on earlier ones, in its tables or in who plays."""
        return self.looks_back or self.suspend_after is not None

    def comparable_settings(self) -> dict[str, Any]:
        """The run's configuration in the form of :func:`arena.storage.run_facts.settings.comparable_settings`, for
        comparing."""
        entrants = [
            {"name": name, "options": each.get("options", {}), "team": each.get("team", "")}
            | ({"models": each["models"]} if each.get("models") else {})
            for name, each in self.entrants.items()
        ]
        return {"name": self.tournament, "seed": self.seed, "entrants": entrants, **complete_settings(self.settings)}
