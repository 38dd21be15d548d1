"""``arena ladder export``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_message import MESSAGE_STREAM
from arena.ladder.command.ladder_options import folder_argument, ladder_option
from arena.ladder.command.read_only import open_read_only
from arena.ladder.database.ladder_folder import LadderFolder


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_option
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), required=True, help="Folder to write, used for nothing else."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
def export(place: LadderFolder, ladder: str, out: Path, as_json: bool, quiet: bool) -> None:
    """Write the ladder in DIR as a folder that any web host can serve: a page with the standings and the ratings over
    time, and all data with every match and every version as CSV, JSON and Markdown.

    Only closed rounds are written, and only those seeds and replays that the ladder's `publish` makes public. The
    folder is written completely or not at all, and only if something has changed. Its README describes each file, and
    how to check the digests.

    \b
    Examples:
      arena ladder export league --out public
      arena ladder export league --out public --json -q
    """
    from tqdm import tqdm

    from arena.ladder.export.export_ladder import (
        export_ladder as write_folder,  # numpy takes longer to load than other commands run
    )

    hidden = True if quiet else None  # None: shown on terminals alone
    with (
        open_read_only(place, ladder) as (database, found),
        tqdm(unit=" replays", file=MESSAGE_STREAM, disable=hidden, leave=False) as bar,
    ):
        done = write_folder(place, database, found, out, bar.update)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(done)))
        return
    told = "written" if done.changed else "unchanged"
    click.echo(f"{told} {done.out}: {done.files} files, {done.matches} matches, {done.replays} replays")
    if done.root:
        click.echo(f"root digest of season {done.root_season}: {done.root}")
