"""``arena ladder export``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_json import print_json
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
    """Write the ladder in DIR as a folder that any web host can serve: pages with the standings, the ratings over time,
    versions, authors and seasons, a viewer for the last matches, and all data with every match and every version as
    CSV, JSON and Markdown.

    Only closed rounds are written, and only those seeds and replays that the ladder's `publish` makes public. The
    folder is written completely or not at all, and only if something has changed. Its README describes each file, and
    how to check the digests.

    \b
    Examples:
      arena ladder export league --out public
      arena ladder export league --out public --json -q
    """
    from tqdm import tqdm

    from arena.ladder.export.export_ladder import export_ladder  # numpy takes longer to load than other commands run
    from arena.ladder.export.viewed_matches import MatchViewer
    from arena.web.viewer.open_page import page_of_match, write_open_page

    hidden = True if quiet else None  # None: shown on terminals alone
    with (
        open_read_only(place, ladder) as (database, found),
        tqdm(unit=" replays", file=MESSAGE_STREAM, disable=hidden, leave=False) as bar,
    ):
        done = export_ladder(place, database, found, out, MatchViewer(write_open_page, page_of_match), bar.update)
    if as_json:
        print_json(done)
        return
    told = "written" if done.changed else "unchanged"
    click.echo(f"{told} {done.out}: {done.files} files, {done.matches} matches, {done.replays} replays")
    if done.root:
        click.echo(f"root digest of season {done.root_season}: {done.root}")
