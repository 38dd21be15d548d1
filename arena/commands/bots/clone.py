"""``arena bots clone``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.print_json import print_json
from arena.cli.print_message import MESSAGE_STREAM
from arena.learning.fit_settings import MOST_MATCHES, FitSettings
from arena.runs.job_count import up_to_cores


@click.command(cls=ArenaCommand, short_help="Write a bot that plays as an entrant of a run does.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.argument("entrant")
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="Folder of the new bot."
)
@click.option(
    "--matches", type=click.IntRange(1), default=MOST_MATCHES, show_default=True, help="Read at most this many matches."
)
@click.option(
    "--hidden",
    type=click.IntRange(1, 1024),
    default=FitSettings().hidden[0],
    show_default=True,
    help="Width of the hidden layer.",
)
@click.option(
    "--epochs",
    type=click.IntRange(1, 1000),
    default=FitSettings().epochs,
    show_default=True,
    help="Times through the data.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@game_option
def clone(
    folder: Path,
    entrant: str,
    out: Path,
    matches: int,
    hidden: int,
    epochs: int,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Fit a small network to what ENTRANT did in the matches of the run in DIR, and write it as a bot: a folder with
    bot.py and weights.npz, which needs NumPy alone.

    Every fifth deal is kept apart, to test how often the network answers as ENTRANT did. Let it play to
    see how good it is.

    \b
    Examples:
      arena bots clone results/quick-20260101-120000 dealmaker --out ./copycat
      arena bots clone results/quick-20260101-120000 fair --out ./copycat --hidden 128 --json
    """
    from tqdm import tqdm

    from arena.learning.clone_entrant import clone_entrant

    hide = True if quiet else None  # None: shown on terminals alone
    with tqdm(unit=" matches", file=MESSAGE_STREAM, disable=hide, leave=False) as bar:
        settings = FitSettings(hidden=(hidden,), epochs=epochs)
        report = clone_entrant(folder, entrant, out, matches, up_to_cores(jobs), settings, bar.update)
    if as_json:
        print_json(report)
        return
    click.echo(
        f"{report.decisions:,} decisions of {entrant} in {report.matches:,} matches of {report.deals:,} deals; "
        f"{report.exact:.1%} have an action of their own, the others the nearest"
        + (f"; {report.unlike:,} that are like none were left out" if report.unlike else "")
    )
    click.echo(f"answered as {entrant} did: {report.fitted:.1%} of the decisions that the network was fitted to,")
    click.echo(f"  {report.held_out:.1%} of the {report.tested:,} in deals kept apart")
    place = shlex.quote(str(out if out.is_absolute() else Path(".") / out))
    place = place if "/" in place else f"./{place}"
    click.echo(f"wrote {place}; now try:\n  arena bots check {place}")
    click.echo(f"  arena compare {place} {shlex.quote(entrant)} OPPONENT...")
