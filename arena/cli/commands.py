"""A group of commands that suggests the nearest name for a typo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from arena.errors import nearest

Function = TypeVar("Function", bound=Callable[..., Any])


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


def isolation_options(command: Function) -> Function:
    """Add the options that choose how bots are isolated."""
    trust = click.option("--trust", is_flag=True, help="Run bots in arena's own processes: faster, for bots you wrote.")
    strict = click.option(
        "--untrusted",
        is_flag=True,
        help="Refuse to start below isolation level `locked`, or with a seed that bots could guess.",
    )
    return trust(strict(command))
