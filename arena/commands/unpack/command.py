"""``arena unpack``."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from arena.cli.options.game_options import game_option
from arena.cli.options.replay_arguments import FOLDER_TYPE, complete_replays
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.unpack.unpack_replays import unpack_run as write_files
from arena.errors import ReplayError


@click.command()
@click.argument("folder", type=FOLDER_TYPE, metavar="DIR")
@click.argument("ids", nargs=-1, metavar="[MATCH]...", shell_complete=complete_replays)
@click.option("--out", "-o", type=click.Path(path_type=Path), help="Folder for the files; DIR/unpacked by default.")
@game_option
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
def unpack(folder: Path, ids: tuple[str, ...], out: Path | None, as_json: bool, quiet: bool) -> None:
    """Write the replays of the run in DIR, or those of some matches, as separate files: ID.jsonl for each match.

    A run keeps its replays packed, many in one file. All commands of arena read the packs, so you need separate files
    only for other programs. Damaged replays are left out and reported; the exit code is then 2.

    \b
    Examples:
      arena unpack results/quick-20260101-120000 --out replays
      arena unpack results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
    """
    from tqdm import tqdm

    with tqdm(unit=" replays", file=MESSAGE_STREAM, disable=True if quiet else None, leave=False) as bar:
        done = write_files(folder, out, ids, bar.update)
    for problem in done.damaged:
        print_message(f"arena: {problem}")
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(done)))
    else:
        click.echo(f"{done.replays:,} {'replay' if done.replays == 1 else 'replays'}  {done.out}")
    sys.exit(ReplayError.exit_code if done.damaged else 0)
