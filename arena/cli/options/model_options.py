"""The options of a run whose bots consult language models, or merely wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from arena.config.tournament_config import MOST_JOBS
from arena.consultation.match_desk import CassetteMode
from arena.runs.models.model_access import ModelOptions
from arena.runs.models.named_models import NamedModels, read_named_models

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
    help="Record new calls of models (default), only replay recorded ones, or make all calls again (passthrough).",
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


def named_model_options(command: Function) -> Function:
    """Add those with which bots that are named on the command line consult models, gathered as
    :class:`NamedModelOptions`."""
    file = click.option(
        "--models",
        "models_file",
        metavar="FILE",
        help="Let bots consult the language models that FILE names, a YAML file with `models`.",
    )
    return file(_MONEY(allow_models_option(command)))


def replayed_model_options(command: Function) -> Function:
    """Add those of :func:`folder_model_options`, and ``--calls``, for single recorded matches; gathered as
    :class:`ReplayedModelOptions`."""
    calls = click.option(
        "--calls",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="With --allow-models: keep what models answer in DIR; what is there is not asked again.",
    )
    return calls(folder_model_options(command))


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
class ReplayedModelOptions(FolderModelOptions):
    """The options of :func:`replayed_model_options`, as given; None: not given."""

    calls: Path | None

    def check(self) -> None:
        """Raise UsageError for options that mean nothing without ``--allow-models``."""
        for name, value in (("--money", self.money), ("--calls", self.calls)):
            if value is not None and not self.allow_models:
                raise click.UsageError(f"{name} is for models that are asked anew; add --allow-models")


@dataclass(frozen=True, slots=True)
class PlayModelOptions(FolderModelOptions):
    """The options of :func:`play_model_options`, as given; None: not given."""

    give_up: bool

    @property
    def models(self) -> ModelOptions:
        """What they say about models."""
        return ModelOptions(money=self.money, allowed=self.allow_models, give_up=self.give_up)


@dataclass(frozen=True, slots=True)
class NamedModelOptions(FolderModelOptions):
    """The options of :func:`named_model_options`, as given; None: not given."""

    models_file: str | None

    def read(self) -> NamedModels | None:
        """The models that bots may consult, and the time limits for these bots: those on the command line, else the
        file's, else some that fit its models; None where no file is named. Raises UserError."""
        if self.models_file is None:
            if self.money is not None:
                raise click.UsageError("--money is what models may cost; name them with --models FILE")
            return None
        context, given = click.get_current_context(), {}
        for name, key in (("ask", "ask"), ("bank", "bank"), ("match_time", "match")):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                given[key] = context.params[name]
        return read_named_models(self.models_file, self.models, given)

    @property
    def words(self) -> list[str]:
        """The command-line words that repeat these options."""
        file = [] if self.models_file is None else ["--models", self.models_file]
        money = [] if self.money is None else ["--money", f"{self.money:g}"]
        return file + money + ["--allow-models"] * self.allow_models


NO_MODEL_OPTIONS = RunModelOptions(None, None, None, False, False)
"""None of these options given."""
