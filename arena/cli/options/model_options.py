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


allow_models_option = click.option(
    "--allow-models",
    is_flag=True,
    help="Ask the models that the folder's configuration names, with the keys that it names.",
)
"""The user's word for addresses and variables that anybody may have written."""
_MONEY = click.option(
    "--money", type=click.FloatRange(0), metavar="DOLLARS", help="What models may cost, in place of the budget in DIR."
)
_GIVE_UP = click.option(
    "--give-up",
    is_flag=True,
    help="Finish matches whose model stays out of reach as void, instead of suspending them.",
)
_CASSETTE = click.option(
    "--cassette",
    type=click.Choice([each.value for each in CassetteMode]),
    help="Record new calls of models (default), replay recorded ones alone, or make all anew (passthrough).",
)
_SLOTS = click.option(
    "--slots",
    type=click.IntRange(1, MOST_JOBS),
    help="Matches under way at once in one process, for bots that wait or consult models.",
)


def model_options(command: Function) -> Function:
    """Add ``--slots``, ``--cassette``, ``--money``, ``--give-up`` and ``--allow-models``, gathered as
    :class:`RunModelOptions`."""
    return _SLOTS(_CASSETTE(_MONEY(_GIVE_UP(allow_models_option(command)))))


def play_model_options(command: Function) -> Function:
    """Add those of :func:`model_options` with which a ladder is played, gathered as :class:`PlayModelOptions`."""
    return _MONEY(_GIVE_UP(allow_models_option(command)))


def folder_model_options(command: Function) -> Function:
    """Add those with which recorded matches are played otherwise than recorded, gathered as
    :class:`FolderModelOptions`."""
    return _MONEY(allow_models_option(command))


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


@dataclass(frozen=True, slots=True)
class FolderModelOptions:
    """The options of :func:`folder_model_options`, as given; None: not given."""

    money: float | None
    allow_models: bool

    @property
    def models(self) -> ModelOptions:
        """What they say about models."""
        return ModelOptions(money=self.money, allowed=self.allow_models)


@dataclass(frozen=True, slots=True)
class PlayModelOptions(FolderModelOptions):
    """The options of :func:`play_model_options`, as given; None: not given."""

    give_up: bool

    @property
    def models(self) -> ModelOptions:
        """What they say about models."""
        return ModelOptions(money=self.money, allowed=self.allow_models, give_up=self.give_up)


NO_MODEL_OPTIONS = RunModelOptions(None, None, None, False, False)
"""None of these options given."""
