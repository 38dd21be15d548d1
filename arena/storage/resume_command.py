"""The command that resumes a run, with every option that must be given again because the folder is not allowed to
decide it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from arena.config.documents.yamlfile import read_yaml
from arena.consultation.model_spec import SCRIPTED_URL, ModelSpec
from arena.errors import ArenaError
from arena.plugins import is_plugin
from arena.sandbox.policy import Amounts, beyond_usual
from arena.storage.layout import CONFIG_FILE
from arena.storage.run_facts.facts import Facts
from arena.tournament.measures.custom_measures import CustomMeasure

COMPARISON_FACT = "comparison"
"""The key in the manifest of a comparison that says what is compared."""
TUNING_FACT = "tuning"
"""The key in the facts of a tuning that says what is tuned."""


def resume_command(folder: Path, manifest: Mapping[str, Any]) -> str:
    """The command that resumes the run in ``folder``, as it is typed; ``manifest`` is empty where none can be read."""
    programs = {COMPARISON_FACT: "compare", TUNING_FACT: "tune"}
    program = next((name for fact, name in programs.items() if fact in manifest), "run")
    said: list[str] = []
    if manifest:
        facts = msgspec.convert(manifest, Facts)
        config = _config(folder) if program == "run" else {}
        said = [*_isolation_options(facts), *_scheduler_option(config), *_models_option(config)]
        if not facts.is_trusted:
            said += _plugin_options(config)
    return shlex.join(["arena", program, "--resume", str(folder), *said])


def _isolation_options(facts: Facts) -> Iterator[str]:
    """The options that give bots the same isolation as before. Trusting bots includes games and other parts from
    outside arena."""
    if facts.is_trusted:
        yield "--trust"
        return
    with suppress(msgspec.ValidationError):
        sandbox = msgspec.convert(facts.settings.get("sandbox", {}), Amounts)
        if beyond_usual(sandbox):
            yield "--wider-sandbox"
        for module in facts.isolation.get("preload", ()):  # the games from outside, and what the sandbox names
            if module not in sandbox.preload:
                yield from ("--game", str(module))


def _config(folder: Path) -> dict[str, Any]:
    """The configuration of the run; empty where it cannot be read."""
    with suppress(ArenaError, OSError):
        if isinstance(config := read_yaml(folder / CONFIG_FILE).data, dict):
            return config
    return {}


def _scheduler_option(config: Mapping[str, Any]) -> Iterator[str]:
    """The option that names the run's Dask scheduler."""
    if config.get("executor") == "dask" and config.get("scheduler"):
        yield from ("--scheduler", str(config["scheduler"]))


def _models_option(config: Mapping[str, Any]) -> Iterator[str]:
    """The option without which models that the folder's configuration names are not asked over a network."""
    with suppress(msgspec.ValidationError):
        models = msgspec.convert(config.get("models", {}), dict[str, ModelSpec])
        if any(model.url != SCRIPTED_URL for model in models.values()):
            yield "--allow-models"


def _plugin_options(config: Mapping[str, Any]) -> Iterator[str]:
    """The options that name the run's executor and measures, where these are from outside arena."""
    with suppress(msgspec.ValidationError):
        measures = msgspec.convert(config.get("measures", {}), dict[str, CustomMeasure])
        for part in dict.fromkeys([str(config.get("executor", "")), *(made.of for made in measures.values())]):
            if is_plugin(part):
                yield from ("--plugin", part)
