"""The classes of all commands and groups. They accept old names of options, suggest the nearest name for a typo, and
import a command only when it is called."""

from __future__ import annotations

import gc
import resource
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click

from arena.cli.options.old_option_names import replace_old_options
from arena.cli.print_message import print_message
from arena.errors import nearest_hint
from arena.system.garbage import collect_garbage_rarely


class ArenaCommand(click.Command):
    """The class of every command: also reads old names of options, and warns with their new names. In a process that
    ``arena`` has started, garbage is collected once the command is loaded."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        words, warnings = replace_old_options(ctx.command_path.partition(" ")[2], args, self.params)
        for warning in warnings:
            print_message(warning)
        return super().parse_args(ctx, words)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        if not gc.isenabled():
            collect_garbage_rarely()
        return super().invoke(ctx)


class ArenaGroup(click.Group):
    """The class of every group of the ``arena`` command."""

    command_class = ArenaCommand

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command named by the first argument. Raises UsageError, which suggests the nearest name."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(
                f"no command {args[0]!r}{nearest_hint(args[0], known)}; there are {', '.join(known)}", ctx
            )
        return super().resolve_command(ctx, args)


class CommandEntry(NamedTuple):
    """A command that is imported when it is called: the module with a command of the same name, and its line of
    help."""

    module: str
    help: str


class LazyGroup(ArenaGroup):
    """A group that knows its commands by name and imports the module of the one that is called, and of no other. Its
    help lists them in these ``groups``, by title."""

    groups: Mapping[str, Mapping[str, CommandEntry]] = {}

    @property
    def table(self) -> Mapping[str, CommandEntry]:
        """All commands by name, in the order of the help."""
        return {name: entry for group in self.groups.values() for name, entry in group.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in alphabetical order."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, loaded; None if there is none."""
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        try:
            command: click.Command = getattr(import_module(entry.module), cmd_name.replace("-", "_"))
        except Exception as problem:  # without memory imports fail in many ways, a SystemError among them
            if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
                raise
            raise MemoryError from problem
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its line of help, group by group, from the table alone."""
        width = max(len(name) for name in self.table)
        for title, group in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), entry.help) for name, entry in group.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        """The options and commands that begin with ``incomplete``, found without importing a command."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        names = (name for name in self.list_commands(ctx) if name.startswith(incomplete))
        return [click.shell_completion.CompletionItem(name, help=self.table[name].help) for name in names] + options
