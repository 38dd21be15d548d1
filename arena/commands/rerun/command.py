"""``arena rerun``: one match played again with its bots, and compared."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, json_option
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import bots_by_entrant, replay_argument
from arena.cli.options.shared_options import IsolationOptions, isolation_options, say_isolation
from arena.cli.output.host_table import difference_lines
from arena.cli.print_message import print_message
from arena.code_digest import PLAYING, code_difference
from arena.commands.rerun.rerun_replay import code_of_run
from arena.commands.rerun.rerun_replay import rerun_replay as rerun_match
from arena.executors.make import make_executor


@click.command(cls=ArenaCommand)
@replay_argument
@click.option("--bot", "bots", multiple=True, metavar="ENTRANT=BOT", help="Where an entrant's bot is now.")
@game_option
@isolation_options()
@json_option
@gathered(isolating=IsolationOptions)
def rerun(file: Path, bots: tuple[str, ...], isolating: IsolationOptions, as_json: bool) -> None:
    """Play the match of a replay again from its seed, with its bots, and say whether it is identical. Give the replay
    as a FILE, or as a MATCH of the run in DIR.

    If it is not, print the first decision that differs; the exit code is then 1.

    \b
    Examples:
      arena rerun match.jsonl
      arena rerun results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
      arena rerun old.jsonl --bot mybot=versions/mybot_v7.py
    """
    given, isolation = bots_by_entrant(bots), isolating.choose()
    if code := code_difference(code_of_run(file), PLAYING):
        print_message(f"{file} was played by other {code}: if it differs now, that may be the reason")
    with closing(make_executor(1, shown=True)) as executor:
        difference = rerun_match(file, given, isolation, executor, lambda: say_isolation(isolation))
    if as_json:
        found = {"file": str(file), "identical": difference is None, "difference": difference}
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
    else:
        click.echo(
            f"{file}: identical" if difference is None else f"{file}: differs; first:\n{difference_lines(difference)}"
        )
    sys.exit(0 if difference is None else 1)
