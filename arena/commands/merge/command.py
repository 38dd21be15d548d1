"""``arena merge``."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from tqdm import tqdm

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.options.shared_options import running_command
from arena.cli.output.standings_output import show_standings
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.merge import merge_shares as app
from arena.storage.layout import CONFIG_FILE
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore

SHOWN_SHARES = 8
"""At most this number of missing shares is listed one by one."""


@click.command(cls=ArenaCommand)
@click.argument("folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="New folder for the whole run.")
@game_option
@plugin_option
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress bar.")
def merge(folders: tuple[Path, ...], out: Path, as_json: bool, quiet: bool) -> None:
    """Merge several runs of one tournament: shares played with `arena run --shard`, or copies of a run that were
    continued on several machines.

    The result is the folder of a run like any other. A match that occurs in several runs must be the same in all of
    them. If matches are missing, the exit code is 1, and `arena run --resume` plays them. More: `arena docs sharding`.

    \b
    Examples:
      arena merge part1 part2 part3 --out whole
      arena merge results/league-* --out results/league
    """
    with tqdm(unit=" matches", disable=True if quiet else None, file=MESSAGE_STREAM) as bar:

        def progress() -> None:
            bar.update()

        merged = app.merge_shares(folders, out, running_command(), progress)
    for note in merged.notes:
        print_message(note)
    for folder, matches in merged.from_each.items():
        print_message(f"{folder}: {matches} matches" + ("" if matches else ": the others have them all"))
    if merged.missing_shares:
        more = len(merged.missing_shares) - SHOWN_SHARES
        names = ", ".join(merged.missing_shares[:SHOWN_SHARES]) + (f" and {more} more" if more > 0 else "")
        print_message(f"no matches of: share {names}")
    if merged.state is not RunState.COMPLETE:
        print_message(f"{merged.state}: {merged.finished} of {merged.total} matches are there")
        print_message(f"play the others with: {FolderStore(out).resume_command()}")
        sys.exit(1)
    provenance = FolderStore(out).provenance()
    show_standings(merged.standings, provenance, as_json, merged.decided)
    if not as_json:
        click.echo(f"results  {out}")
        click.echo(f"again    arena run {out / CONFIG_FILE}")
        click.echo(f"root     {provenance.root}")
