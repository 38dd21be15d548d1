"""The ``arena`` command: parses, calls :mod:`arena.app`, prints.

Data goes to standard output, messages and progress to standard error. Exit codes: 0 done, 1 failed, 2 a mistake on the
command line or in a file, 3 a replay that does not verify, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys

import click

from arena import __version__
from arena.cli import bench, bots, docs, doctor, match, replays, rules, run, standings
from arena.cli.commands import Commands
from arena.errors import ArenaError

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
    doctor.doctor,
    docs.docs,
):
    cli.add_command(command)


def main() -> None:
    """Run the command and turn what it raises into a message and an exit code."""
    try:
        cli.main(prog_name="arena", standalone_mode=False)
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has closed the pipe: nothing to report
        sys.exit(0)
    except OSError as problem:
        about = f"{problem.filename}: " if problem.filename else ""
        click.echo(f"arena: {about}{problem.strerror or problem}", err=True)
        sys.exit(1)
