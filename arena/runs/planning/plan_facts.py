"""The facts of a run, made from its plan, and whether a resumed run is the same."""

from __future__ import annotations

import platform

import msgspec

from arena import __version__
from arena.code_digest import SCHEDULED, code_difference, code_digests
from arena.engine import engine_in_use
from arena.errors import UserError
from arena.games.chance import CHANCE_SCHEME
from arena.replay.lines import REPLAY_FORMAT
from arena.runs.planning.plan import Plan
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.settings import (
    LENGTH_KEYS,
    comparable_settings,
    differences_line,
    setting_differences,
    settings_of,
)
from arena.tournament.measures.measures import MEASURES


def facts_of(plan: Plan, command: str) -> Facts:
    """The facts of a run of this plan, played now on this machine."""
    config = plan.resolved_config()
    facts = Facts(
        tournament=plan.tournament.name,
        seed=plan.seed,
        command=command,
        matches=len(plan.schedule),
        arena=__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        replay_format=REPLAY_FORMAT,
        chance=CHANCE_SCHEME,
        isolation=plan.isolation.describe(dict(zip(plan.names, plan.bots, strict=True))),
        editions={label: edition.digest for label, (edition, _) in zip(plan.labels, plan.tables, strict=True)},
        entrants={
            entrant.name: {"bot": bot.name, "sha256": bot.sha256, "options": bot.options}
            | ({"team": entrant.team} if entrant.team else {})
            | ({"models": entrant.models} if entrant.models else {})
            for entrant, bot in zip(plan.tournament.entrants, plan.bots, strict=True)
        },
        settings=settings_of(config),
        skipped=plan.skipped,
        share=str(plan.share or ""),
        code=code_digests({edition.game for edition, _ in plan.tables}),
        engines=(engine_in_use(),),
        measure_names=tuple(each.name for each in MEASURES),
        registration=plan.registration,
        config=config,
    )
    return msgspec.structs.replace(facts, config_sha256=facts.digest())


def check_same_plan(began: Facts, now: Facts, more_blocks: bool = False, isolated_alike: bool = True) -> None:
    """Raise UserError if the configuration, bots, rules, isolation, version of arena or code that plays differ from
    those with which the run began. With ``more_blocks`` the run may have more blocks than before. Isolation may differ
    unless ``isolated_alike`` is true, as it must be for matches that are added to the run."""
    if began.arena != now.arena:
        raise UserError(f"this run began with arena {began.arena}, this is {now.arena}; start a new run")
    if code := code_difference(began.code, SCHEDULED, now.code):
        raise UserError(
            f"this run began with other {code}, on which its matches depend; resume it with that code, or start a "
            f"new run"
        )
    if not began.config_sha256:
        raise UserError("manifest.json lacks the configuration with which this run began; start a new run")
    if began.config_sha256 != began.digest():
        raise UserError("manifest.json has been changed: its settings do not have its config_sha256; start a new run")
    changed = setting_differences(began.comparable_settings(), comparable_settings(now.config))
    if more_blocks and (before := began.blocks) > now.config["blocks"]:
        raise UserError(
            f"this run has {before} blocks; you can add blocks but not remove any, got {now.config['blocks']}"
        )
    if more_blocks or "blocks" not in changed:
        more = ""
    else:
        more = f"; for more blocks, restore it and use --blocks {now.config['blocks']}"
    free = {*(LENGTH_KEYS if more_blocks else ()), *(() if isolated_alike else ("isolation",))}
    changed = {key: values for key, values in changed.items() if key not in free}
    if changed:
        problem = f"config.resolved.yaml has changed since this run began: {differences_line(changed, 'then', 'now')}"
        raise UserError(f"{problem}; restore it, or start a new run{more}")
    for name, entrant in now.entrants.items():
        if began.entrants[name].get("sha256") != entrant["sha256"]:
            raise UserError(f"the bot of {name} ({entrant['bot']}) has changed since this run began; start a new run")
    for label, digest in now.editions.items():
        if began.editions.get(label) != digest:
            raise UserError(f"the rules of {label} have changed since this run began; start a new run")
    level, here = began.isolation.get("level"), now.isolation["level"]
    if isolated_alike and level != here:
        raise UserError(f"this run began with bots at isolation level {level}, here it is {here}")
