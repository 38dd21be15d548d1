"""Options and types of options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.cli.print_message import print_message
from arena.config.documents.duration import parse_duration
from arena.errors import UserError
from arena.sandbox.probe import UNTRUSTED_LEVEL, Level

if TYPE_CHECKING:  # what every command imports starts fast
    from arena.runs.planning.isolation_level import Isolation

Function = TypeVar("Function", bound=Callable[..., Any])


NULL_RUN = "null run: all entrants are the same bot; any difference between them is chance"


def jobs_text(number: int) -> str:
    """So many processes, in words."""
    return "1 process" if number == 1 else f"{number} processes"


class SecondsOption(click.FloatRange):
    """Seconds as an option's value: finite, and in the range."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Fails with a usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return number


class DurationOption(click.ParamType[float]):
    """A duration as an option's value, in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Its seconds. Fails with a usage error."""
        if isinstance(value, float):
            return value
        try:
            return parse_duration(str(value))
        except UserError as problem:
            self.fail(str(problem), param, ctx)


TRUST_HELP = "Run bots in arena's own processes: faster, for bots you wrote."
REQUIRE_HELP = f"Refuse to start below this isolation level: {', '.join(Level)} (see arena doctor)."
WIDER_HELP = "Let bots have what the folder's configuration gives them beyond the usual sandbox."
SECRET_HELP = f"{REQUIRE_HELP} From {UNTRUSTED_LEVEL} on, also refuse a seed that a bot could guess."


def isolation_options(require: str = REQUIRE_HELP) -> Callable[[Function], Function]:
    """Add the options that choose how bots are isolated, the one for the level with this help text."""
    trusted = click.option("--trust", is_flag=True, help=TRUST_HELP)
    level = click.option(
        "--require",
        type=click.Choice([level.value for level in Level]),
        metavar="LEVEL",
        callback=lambda _, __, value: None if value is None else Level(value),
        help=require,
    )
    return lambda command: trusted(level(command))


def run_permission_options(require: str = REQUIRE_HELP) -> Callable[[Function], Function]:
    """Add :func:`isolation_options`, and the one that lets bots of a folder have more than the usual sandbox."""
    wider = click.option("--wider-sandbox", "wider", is_flag=True, help=WIDER_HELP)
    return lambda command: isolation_options(require)(wider(command))


def say_isolation(isolation: Isolation) -> None:
    """Say at which level bots are played, and what that lacks."""
    print_message(f"isolation {isolation.level}")
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
