"""What all commands share: their classes, messages, options of several of them."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import click

from arena.cli.renamed import in_new_names
from arena.config.duration import parse_duration
from arena.errors import UserError, nearest
from arena.sandbox.probe import UNTRUSTED, Level

Function = TypeVar("Function", bound=Callable[..., Any])


class Talk(io.TextIOBase):
    """Standard error, for messages and progress. That nobody can read them any more is no reason to fail."""

    def write(self, text: str) -> int:
        """Write, if that is possible."""
        with suppress(OSError, ValueError):
            return sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if that is possible."""
        with suppress(OSError, ValueError):
            sys.stderr.flush()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return sys.stderr.isatty()

    def fileno(self) -> int:
        """Its descriptor."""
        return sys.stderr.fileno()


TALK = Talk()
NULL_RUN = "null run: all entrants are the same bot; any difference between them is chance"


def say(text: str) -> None:
    """Print a message to standard error, in one piece."""
    TALK.write(f"{text}\n")
    TALK.flush()


class Command(click.Command):
    """The class of every command: reads old names of options too, and says what they are called now."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        words, warnings = in_new_names(ctx.command_path.partition(" ")[2], args, self.params)
        for warning in warnings:
            say(warning)
        return super().parse_args(ctx, words)


def processes(number: int) -> str:
    """So many processes, in words."""
    return "1 process" if number == 1 else f"{number} processes"


class Commands(click.Group):
    """The class of every group of the ``arena`` command."""

    command_class = Command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command named by the first argument. Raises UsageError, which suggests the nearest name."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(
                f"no command {args[0]!r}{nearest(args[0], known)}; there are {', '.join(known)}", ctx
            )
        return super().resolve_command(ctx, args)


class Seconds(click.FloatRange):
    """Seconds as an option's value: finite, and in the range."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Fails with a usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return number


class Duration(click.ParamType[float]):
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


TRUST = "Run bots in arena's own processes: faster, for bots you wrote."
REQUIRE = f"Refuse to start below this isolation level: {', '.join(Level)} (see arena doctor)."
SECRET = f"{REQUIRE} From {UNTRUSTED} on, also refuse a seed that a bot could guess."


def isolation_options(require: str = REQUIRE) -> Callable[[Function], Function]:
    """Add the options that choose how bots are isolated, the one for the level with this help text."""
    trusted = click.option("--trust", is_flag=True, help=TRUST)
    level = click.option(
        "--require",
        type=click.Choice([level.value for level in Level]),
        metavar="LEVEL",
        callback=lambda _, __, value: None if value is None else Level(value),
        help=require,
    )
    return lambda command: trusted(level(command))


def rules_options(command: Function) -> Function:
    """Add the options that choose an edition's variants and change its rules."""
    variant = click.option(
        "--variant", "variants", multiple=True, metavar="NAME", help="A variant of the edition; repeatable."
    )
    rule = click.option(
        "--rule", "settings", multiple=True, metavar="KEY=VALUE", help="Change a rule, e.g. max_turns=50; repeatable."
    )
    return variant(rule(command))
