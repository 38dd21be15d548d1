"""``arena report``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.runs.job_count import up_to_cores


@click.command(cls=ArenaCommand)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; DIR/report.html by default.",
)
@click.option(
    "--matches",
    type=click.IntRange(0, 200),
    default=12,
    show_default=True,
    metavar="N",
    help="Include the pages of up to N matches, beginning with those that have faults.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes; all cores by default.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@game_option
@plugin_option
def report(folder: Path, out: Path | None, matches: int, jobs: int | None, quiet: bool) -> None:
    """Write the report of the run in DIR, which may be unfinished: one HTML file that needs no network.

    It has the standings with their intervals, who beats whom, money from deal to deal, seats, times, faults with links
    to the event, and how every bot bargains. Each figure has its definition and its rows as CSV. The file includes the
    pages of some matches; open others with `arena view`. More: `arena docs report`.

    \b
    Examples:
      arena report results/quick-20260101-120000
      arena report results/quick-20260101-120000 --out quick.html --matches 30
    """
    jobs = up_to_cores(jobs)
    from tqdm import tqdm

    from arena.web.report import write_report  # numpy and templates take longer to load than other commands run

    out = folder / "report.html" if out is None else out
    with tqdm(unit=" matches", file=MESSAGE_STREAM, disable=True if quiet else None, leave=False) as bar:
        size = write_report(folder, out, matches, jobs, bar.update)
    print_message(f"report  {out} ({size / 1e6:.1f} MB)")
