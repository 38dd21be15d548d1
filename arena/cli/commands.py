"""A group of commands that suggests the nearest name for a typo."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import click

from arena.errors import nearest

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


def say(text: str) -> None:
    """Print a message to standard error, in one piece."""
    TALK.write(f"{text}\n")
    TALK.flush()


class Commands(click.Group):
    """The class of every group of the ``arena`` command."""

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

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Fails with a usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return number


def isolation_options(command: Function) -> Function:
    """Add the options that choose how bots are isolated."""
    trust = click.option("--trust", is_flag=True, help="Run bots in arena's own processes: faster, for bots you wrote.")
    strict = click.option(
        "--untrusted",
        is_flag=True,
        help="Refuse to start below isolation level `locked`, or with a seed that bots could guess.",
    )
    return trust(strict(command))
