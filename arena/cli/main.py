"""The ``arena`` command: parses, calls :mod:`arena.app`, prints.

Data goes to standard output, talk and progress to standard error. Exit codes: 0 done, 1 failed, 2 a mistake on
the command line or in a file, 3 a replay that does not verify, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from arena import __version__
from arena.cli import bench, bots, docs, match, replays, rules, run, standings
from arena.errors import ArenaError, nearest


class Commands(click.Group):
    """A group that knows the nearest name for a typo."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(
                f"no command {args[0]!r}{nearest(args[0], known)}; there are {', '.join(known)}", ctx
            )
        return super().resolve_command(ctx, args)


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(cls=Commands, context_settings=SETTINGS)
@click.version_option(__version__, "--version", prog_name="arena")
def cli() -> None:
    """Where negotiation bots meet: I'm the Boss! tournaments that can be repeated, verified and trusted.

    \b
    Examples:
      arena run quick
      arena match dealmaker greedy fair hard --seed 7
      arena bots new mybot && arena bots check ./mybot.py
    """


for command in (
    run.run,
    match.match,
    replays.verify,
    replays.rerun,
    replays.show,
    standings.standings,
    rules.rules,
    bots.bots,
    bench.bench,
    docs.docs,
):
    cli.add_command(command)


def main() -> None:
    """Run the command and turn what it raises into a message and an exit code."""
    try:
        cli.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except ArenaError as problem:
        click.echo(f"arena: {problem}", err=True)
        sys.exit(problem.exit_code)
    except KeyboardInterrupt:
        click.echo("arena: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has gone; nobody is left to complain to
        sys.exit(0)
