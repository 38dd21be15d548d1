"""The ``arena`` command: runs the command that is called, and turns what it raises into a message and an exit code.

Data goes to standard output, messages and progress to standard error. Exit codes: 0 done, 1 failed, 2 a mistake on the
command line or in a file, 3 a replay that does not verify, 124 a run's time limit is reached, 130 stopped by Ctrl-C
(143 by SIGTERM, 129 by SIGHUP). Output that nobody wants (a closed pipe or descriptor) is thrown away.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import IO, cast

import click

from arena import __version__
from arena.cli.command_classes import LazyGroup
from arena.cli.command_table import COMMAND_GROUPS
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.engine import engine_in_use, engine_problem
from arena.errors import ArenaError, UserError, one_line_message
from arena.executors.interrupt import exit_code, raise_on_stop

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""Error numbers of a failed write, such as on a full disk. Errors about arena's own files already name the file."""
NO_PATH = (errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR)
"""Error numbers of an invalid path: the user's mistake."""
CONTEXT_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(cls=LazyGroup, context_settings=CONTEXT_SETTINGS)
@click.version_option(__version__, "--version", message=f"arena, version {__version__}, {engine_in_use()}")
def cli() -> None:
    """Play negotiation bots against each other in the game I'm the Boss!, and measure how good they are.

    New here? Read `arena docs bargaining`, or write a bot with `arena docs first-bot`.

    \b
    Examples:
      arena run quick
      arena match dealmaker greedy fair hard --seed 7
      arena gauntlet ./mybot.py greedy fair hard --deals 50
      arena bots new mybot && arena bots check ./mybot.py
    """


cli.groups = COMMAND_GROUPS


def main() -> None:
    """Run the command and turn what it raises into a message and an exit code."""
    try:
        with raise_on_stop():
            _run_command()
            sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as problem:
        problem.__dict__["message"] = one_line_message(problem.message)
        problem.show(cast(IO[str], MESSAGE_STREAM))
        sys.exit(problem.exit_code)
    except ArenaError as problem:
        print_message(f"arena: {one_line_message(problem)}")
        sys.exit(problem.exit_code)
    except KeyboardInterrupt as stop:
        print_message("arena: stopped")
        sys.exit(exit_code(stop))
    except MemoryError:
        print_message("arena: out of memory; free some memory, or play fewer matches at once (-j)")
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(0)  # the reader has closed the pipe: nothing to report
    except OSError as problem:
        about = problem.filename or ("standard output" if problem.errno in NO_ROOM and _was_printing(problem) else "")
        print_message(f"arena: {f'{about}: ' if about else ''}{one_line_message(problem.strerror or problem)}")
        sys.exit(UserError.exit_code if problem.errno in NO_PATH else 1)
    finally:
        _discard_unwritable()


def _run_command() -> None:
    """Run the command. Click's own ``main`` would turn signals and closed pipes into codes of its own."""
    if "_ARENA_COMPLETE" in os.environ:
        cli.main(prog_name="arena")
    if problem := engine_problem():
        print_message(f"arena: {problem}")
    with cli.make_context("arena", sys.argv[1:]) as context:
        cli.invoke(context)


def _was_printing(problem: OSError) -> bool:
    """Whether the error was raised while something was printed."""
    place = problem.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_code.co_filename in (click.utils.__file__, __file__)


def _discard_unwritable() -> None:
    """Discard what standard output and standard error no longer accept, such as those of a closed terminal. Python
    would try to write it once more as it ends, and replace the exit code by 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
