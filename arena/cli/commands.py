"""A group of commands that knows the nearest name for a typo."""

from __future__ import annotations

from typing import Any

import click

from arena.errors import nearest


class Commands(click.Group):
    """What the groups of the ``arena`` command are."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is meant. Raises UsageError, naming the nearest."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(
                f"no command {args[0]!r}{nearest(args[0], known)}; there are {', '.join(known)}", ctx
            )
        return super().resolve_command(ctx, args)
