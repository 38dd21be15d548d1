"""``arena ladder standings``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.option_records import gathered
from arena.cli.output.terminal import terminal_width
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.ladder.command.ladder_options import SeasonOptions, folder_argument, ladder_option, season_option
from arena.ladder.command.read_only import open_read_only
from arena.ladder.database.ladder_folder import LadderFolder
from arena.storage.files.atomic_files import check_place, write_whole


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_option
@season_option
@click.option(
    "--without", multiple=True, metavar="NAME", help="Leave out matches with this version or bot; repeatable."
)
@click.option("--all", "all_versions", is_flag=True, help="Also show versions that no longer play.")
@click.option("--since", default="", metavar="WHEN", help="Show changes since then: a round's number, or a date.")
@click.option("--csv", type=click.Path(path_type=Path, dir_okay=False), help="Write the standings to this file (CSV).")
@click.option("--md", "as_markdown", is_flag=True, help="Print the standings as Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
@gathered(chosen=SeasonOptions)
def standings(
    place: LadderFolder,
    without: tuple[str, ...],
    all_versions: bool,
    since: str,
    csv: Path | None,
    as_markdown: bool,
    as_json: bool,
    chosen: SeasonOptions,
) -> None:
    """Print the standings of the ladder in DIR, computed from all matches of closed rounds.

    For each version that still plays they show its rating, the change since the ladder was last played, and the places
    of the versions from which it does not differ significantly. With --without, matches of these versions or bots do
    not count. `arena docs ladder-standings` explains every column.

    \b
    Examples:
      arena ladder standings league
      arena ladder standings league --without haggler:3 --without greedy
      arena ladder standings league --season 1 --all --csv standings.csv
      arena ladder standings league --since 2026-01-31
    """
    if as_markdown and as_json:
        raise click.UsageError("--md and --json each print the standings: give only one")
    if csv is not None:
        check_place(csv, "--csv")
    from arena.ladder.database.ladder_standings import (
        StandingsRequest,  # numpy takes longer to load than other commands run
    )
    from arena.ladder.database.ladder_standings import ladder_standings as rated
    from arena.ladder.presenting.standings_figures import ladder_standings_csv, ladder_standings_data
    from arena.ladder.presenting.text_table import ladder_standings_markdown, standings_text

    with open_read_only(place, chosen.ladder, chosen.season) as (database, found):
        shown = rated(database, found, StandingsRequest(without, since, all_versions))
    if csv is not None:
        write_whole(csv, ladder_standings_csv(shown).encode())
        print_message(f"standings {csv}")
    if as_json:
        print_json(ladder_standings_data(shown))
    elif as_markdown:
        click.echo(ladder_standings_markdown(shown), nl=False)
    else:
        click.echo(standings_text(shown, terminal_width()), nl=False)
