"""What is known of a run before its first match, and whether one that goes on is the same."""

from __future__ import annotations

import platform
from enum import StrEnum
from hashlib import sha256
from typing import Any

import msgspec

from arena import __version__
from arena.app.plan import Plan
from arena.app.settings import LONGER, comparable, completed, differences, in_one_line, settings_of
from arena.errors import UserError
from arena.games.chance import SCHEME
from arena.replay.lines import FORMAT
from arena.tournament.formats import LOOK_BACK, Formats
from arena.tournament.made_measures import MadeMeasure, with_made
from arena.tournament.measures import Measure
from arena.tournament.share import Share, read_share


class RunState(StrEnum):
    """The state of a run: running (or killed), stopped by its user, incomplete because some matches could not be
    played, or complete."""

    RUNNING = "running"
    STOPPED = "stopped"
    INCOMPLETE = "incomplete"
    COMPLETE = "complete"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a run before its first match: what is played with what, by name and digest. ``isolation`` is as
    :meth:`arena.app.isolation.Isolation.describe` tells it; ``settings`` are what else the configuration says
    (:func:`arena.app.settings.settings_of`); ``config_sha256`` is :meth:`digest`; ``config`` is the tournament file
    spelled out; ``share`` says which share of the tournament the run plays, such as ``3/16``, and is empty where it
    plays all."""

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
    def measures(self) -> tuple[Measure, ...]:
        """The measures of its standings. Raises UserError where the manifest has some that this arena cannot make."""
        try:
            return with_made(msgspec.convert(self.settings.get("measures", {}), dict[str, MadeMeasure]))
        except msgspec.ValidationError as problem:
            raise UserError(f"manifest.json: settings.measures: {problem}") from None

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
        """The run's configuration in the form of :func:`arena.app.settings.comparable`, to be compared with it."""
        entrants = [
            {"name": name, "options": each.get("options", {}), "team": each.get("team", "")}
            for name, each in self.entrants.items()
        ]
        return {"name": self.tournament, "seed": self.seed, "entrants": entrants, **completed(self.settings)}


def facts_of(plan: Plan, command: str) -> Facts:
    """The facts of a run of this plan here and now."""
    config = plan.resolved()
    facts = Facts(
        tournament=plan.tournament.name,
        seed=plan.seed,
        command=command,
        matches=len(plan.schedule),
        arena=__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        replay_format=FORMAT,
        chance=SCHEME,
        isolation=plan.isolation.describe(),
        editions={label: edition.digest for label, (edition, _) in zip(plan.labels, plan.tables, strict=True)},
        entrants={
            entrant.name: {"bot": bot.name, "sha256": bot.sha256, "options": bot.options}
            | ({"team": entrant.team} if entrant.team else {})
            for entrant, bot in zip(plan.tournament.entrants, plan.bots, strict=True)
        },
        settings=settings_of(config),
        skipped=plan.skipped,
        share=str(plan.share or ""),
        config=config,
    )
    return msgspec.structs.replace(facts, config_sha256=facts.digest())


def check_same(began: Facts, now: Facts, more_blocks: bool = False) -> None:
    """Raise UserError if configuration, bots, rules, isolation or arena's version differ from those with which the run
    began. With ``more_blocks`` it may have more blocks than before."""
    if began.arena != now.arena:
        raise UserError(f"this run began with arena {began.arena}, this is {now.arena}; start a new run")
    if not began.config_sha256:
        raise UserError("manifest.json does not say with which configuration this run began; start a new run")
    if began.config_sha256 != began.digest():
        raise UserError("manifest.json has been changed: its settings do not have its config_sha256; start a new run")
    changed = differences(began.comparable(), comparable(now.config))
    if more_blocks and (before := began.blocks) > now.config["blocks"]:
        raise UserError(f"this run has {before} blocks, and may have more but not fewer, got {now.config['blocks']}")
    if more_blocks or "blocks" not in changed:
        more = ""
    else:
        more = f"; for more blocks put it back and say --blocks {now.config['blocks']}"
    changed = {key: values for key, values in changed.items() if not (more_blocks and key in LONGER)}
    if changed:
        problem = f"config.resolved.yaml has changed since this run began: {in_one_line(changed, 'then', 'now')}"
        raise UserError(f"{problem}; put it back, or start a new run{more}")
    for name, entrant in now.entrants.items():
        if began.entrants[name].get("sha256") != entrant["sha256"]:
            raise UserError(f"the bot of {name} ({entrant['bot']}) has changed since this run began; start a new run")
    for label, digest in now.editions.items():
        if began.editions.get(label) != digest:
            raise UserError(f"the rules of {label} have changed since this run began; start a new run")
    level, here = began.isolation.get("level"), now.isolation["level"]
    if level != here:
        raise UserError(f"this run began with bots at isolation level {level}, here it is {here}")
