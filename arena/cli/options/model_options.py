"""The options of a run whose bots consult language models, or merely wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from arena.config.tournament_config import MOST_JOBS
from arena.consultation.match_desk import CassetteMode
from arena.runs.models.model_access import ModelOptions

Function = TypeVar("Function", bound=Callable[..., Any])


def model_options(command: Function) -> Function:
    """Add ``--slots``, ``--cassette``, ``--money``, ``--give-up`` and ``--allow-models``."""
    for option in (
        click.option(
            "--allow-models",
            is_flag=True,
            help="With --resume: ask the models that the folder's configuration names, with the keys that it names.",
        ),
        click.option(
            "--give-up",
            is_flag=True,
            help="Finish matches whose model stays out of reach as void, instead of suspending them.",
        ),
        click.option(
            "--money",
            type=click.FloatRange(0),
            metavar="DOLLARS",
            help="What models may cost in this run, in place of consulting.run.money.",
        ),
        click.option(
            "--cassette",
            type=click.Choice([each.value for each in CassetteMode]),
            help="Record new calls of models (default), replay recorded ones alone, or make all anew (passthrough).",
        ),
        click.option(
            "--slots",
            type=click.IntRange(1, MOST_JOBS),
            help="Matches under way at once in one process, for bots that wait or consult models.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class RunModelOptions:
    """The options of :func:`model_options`, as given; None: not given."""

    slots: int | None
    cassette: str | None
    money: float | None
    give_up: bool
    allow_models: bool

    @property
    def models(self) -> ModelOptions:
        """What they say about models."""
        mode = CassetteMode(self.cassette or CassetteMode.RECORD)
        return ModelOptions(mode, self.give_up, self.money, self.allow_models)


NO_MODEL_OPTIONS = RunModelOptions(None, None, None, False, False)
"""None of these options given."""
