"""The command that plays a run on: with every option that whoever plays it has to say again, because a folder does not
decide it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from arena.config.documents.yamlfile import read_yaml
from arena.errors import ArenaError
from arena.sandbox.policy import Amounts, beyond_usual
from arena.storage.layout import CONFIG_FILE
from arena.storage.run_facts.facts import Facts

COMPARISON_FACT = "comparison"
"""In the manifest of a comparison: what is compared."""


def resume_command(folder: Path, manifest: Mapping[str, Any]) -> str:
    """The command that plays the run in ``folder`` on, as it is typed; ``manifest`` is empty where it has none that can
    be read."""
    program = "compare" if COMPARISON_FACT in manifest else "run"
    said = (
        [*_isolation_options(msgspec.convert(manifest, Facts)), *_scheduler_option(folder, program)] if manifest else []
    )
    return shlex.join(["arena", program, "--resume", str(folder), *said])


def _isolation_options(facts: Facts) -> Iterator[str]:
    """The options that let its bots what they had. Trust includes their games."""
    if facts.trusted:
        yield "--trust"
        return
    with suppress(msgspec.ValidationError):
        sandbox = msgspec.convert(facts.settings.get("sandbox", {}), Amounts)
        if beyond_usual(sandbox):
            yield "--wider-sandbox"
        for module in facts.isolation.get("preload", ()):  # the games from outside, and what the sandbox names
            if module not in sandbox.preload:
                yield from ("--game", str(module))


def _scheduler_option(folder: Path, program: str) -> Iterator[str]:
    """The option that names the Dask scheduler of its configuration."""
    with suppress(ArenaError, OSError):
        config = read_yaml(folder / CONFIG_FILE).data
        if program == "run" and isinstance(config, dict) and config.get("executor") == "dask" and config["scheduler"]:
            yield from ("--scheduler", str(config["scheduler"]))
