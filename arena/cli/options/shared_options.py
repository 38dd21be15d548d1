"""Options and types of options that several commands share."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from arena.cli.print_message import print_message
from arena.config.documents.duration import parse_duration
from arena.errors import UserError
from arena.sandbox.probe import UNTRUSTED_LEVEL, Level

if TYPE_CHECKING:  # what every command imports starts fast
    from arena.finding.reference import BotRef
    from arena.runs.planning.isolation_level import Isolation

Function = TypeVar("Function", bound=Callable[..., Any])


NULL_RUN = "null run: all entrants are the same bot; any difference between them is chance"


HIDDEN_VALUE = "HIDDEN"
"""What stands in a recorded command in place of the value of an option that may hold a secret."""


def jobs_text(number: int) -> str:
    """A number of processes in words."""
    return "1 process" if number == 1 else f"{number} processes"


def jobs_or_slots_text(jobs: int, slots: int | None) -> str:
    """In words, where matches are played: by so many processes (``jobs``), or in slots of this one, if there are
    any."""
    return jobs_text(jobs) if slots is None else f"{slots} slots in one process"


def running_command(hidden: Sequence[str] = ()) -> str:
    """The command that is running, as it is typed, without the values of ``hidden`` options."""
    words: list[str] = []
    for word in sys.argv[1:]:
        name, equals, _ = word.partition("=")
        if words and words[-1] in hidden:
            word = HIDDEN_VALUE
        elif equals and name in hidden:
            word = f"{name}={HIDDEN_VALUE}"
        words.append(word)
    return shlex.join(["arena", *words])


class SecondsOption(click.FloatRange):
    """Seconds as an option's value: finite, and in the range."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds in the text of the option. Raises click.BadParameter where it is none."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


class DurationOption(click.ParamType[float]):
    """A duration as an option's value, in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The duration in seconds. Raises click.BadParameter where the text is none."""
        if isinstance(value, float):
            return value
        try:
            return parse_duration(str(value))
        except UserError as problem:
            self.fail(str(problem), param, ctx)


TRUST_HELP = "Run bots in arena's own processes: faster, for bots you wrote."
ISOLATE_ALL_HELP = "Isolate bundled bots too, which otherwise run in arena's own processes."
REQUIRE_HELP = f"Refuse to start below this isolation level: {', '.join(Level)} (see arena doctor)."
WIDER_HELP = "Allow sandbox limits in the folder's configuration that exceed the usual ones."
SECRET_HELP = f"{REQUIRE_HELP} From {UNTRUSTED_LEVEL} on, also refuse a seed that a bot could guess."


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How many processes play matches: ``jobs`` (None: one for each core). ``oversubscribe`` allows more than there are
    cores."""

    jobs: int | None
    oversubscribe: bool

    def count(self, configured: int | None = None) -> int:
        """How many processes to use; ``configured`` is the number in the configuration file. Raises UserError for more
        than there are cores, unless ``oversubscribe`` allows it."""
        from arena.runs.job_count import count_jobs

        return count_jobs(self.jobs, configured, self.oversubscribe)


def job_options(command: Function) -> Function:
    """Add the options of :class:`JobOptions`."""
    from arena.config.tournament_config import MOST_JOBS

    jobs = click.option(
        "-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default."
    )
    return jobs(click.option("--oversubscribe", is_flag=True, help="Allow more jobs than cores.")(command))


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What to print: the result ``as_json`` or for people, and progress, unless ``quiet``."""

    as_json: bool
    quiet: bool


@dataclass(frozen=True, slots=True)
class IsolationOptions:
    """Whether to ``trust`` bots, whether to isolate bundled bots too (``isolate_all``), and the isolation level below
    which to refuse to start (``require``; None: any level will do)."""

    trust: bool
    isolate_all: bool
    require: Level | None

    @property
    def level(self) -> Level:
        """The level that is required."""
        return self.require or Level.NONE

    @property
    def words(self) -> list[str]:
        """The command-line words that repeat these options."""
        given = ["--trust"] * self.trust + ["--isolate-all"] * self.isolate_all
        return given + (["--require", self.require] if self.require else [])

    def choose(self) -> Isolation:
        """The isolation of bots on this machine. Raises UserError where it is below the required level."""
        from arena.runs.planning.isolation_level import choose_isolation

        return choose_isolation(self.trust, self.level, isolate_all=self.isolate_all)


def isolation_options(require: str = REQUIRE_HELP) -> Callable[[Function], Function]:
    """Add the options for the isolation of bots; ``require`` is the help text of ``--require``."""
    trusted = click.option("--trust", is_flag=True, help=TRUST_HELP)
    level = click.option(
        "--require",
        type=click.Choice([level.value for level in Level]),
        metavar="LEVEL",
        callback=lambda _, __, value: None if value is None else Level(value),
        help=require,
    )
    every = click.option("--isolate-all", is_flag=True, help=ISOLATE_ALL_HELP)
    return lambda command: trusted(every(level(command)))


def run_permission_options(require: str = REQUIRE_HELP) -> Callable[[Function], Function]:
    """Add :func:`isolation_options`, and the one that lets bots of a folder have more than the usual sandbox."""
    wider = click.option("--wider-sandbox", "wider", is_flag=True, help=WIDER_HELP)
    return lambda command: isolation_options(require)(wider(command))


def say_isolation(isolation: Isolation, bots: Iterable[BotRef] = ()) -> None:
    """Print the isolation level, what it lacks, and whether any of these ``bots`` are exempt from it."""
    print_message(isolation.words(bots))
    if warning := isolation.warn():
        print_message(warning)


def rules_options(command: Function) -> Function:
    """Add the options that choose an edition's variants and change its rules."""
    variant = click.option(
        "--variant", "variants", multiple=True, metavar="NAME", help="A variant of the edition; repeatable."
    )
    rule = click.option(
        "--rule", "settings", multiple=True, metavar="KEY=VALUE", help="Change a rule, e.g. max_turns=50; repeatable."
    )
    return variant(rule(command))


def refuse_parameters(context: click.Context, option: str, allowed: Sequence[str], why: str) -> None:
    """Raise UserError if a parameter is given that is not ``allowed`` together with ``option``; the message ends with
    ``why``."""
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in allowed and context.params[name] not in ((), None):
            word = parameter.opts[0]
            if not word.startswith("-"):
                word = parameter.human_readable_name.strip("[].")
            raise UserError(f"{word} cannot be given with {option}{why}")
