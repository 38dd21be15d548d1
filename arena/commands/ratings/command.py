"""``arena ratings``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.output.terminal import terminal_width
from arena.cli.print_message import print_message
from arena.storage.files.atomic_files import check_place, write_whole


@click.command(cls=ArenaCommand)
@click.argument(
    "folders",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR...",
    nargs=-1,
    required=True,
)
@click.option("--measure", type=click.Choice(["money", "order"]), help="Print only this rating; by default both.")
@click.option("--edition", "editions", multiple=True, metavar="LABEL", help="Only matches of this edition; repeatable.")
@click.option("--without", multiple=True, metavar="NAME", help="Leave out matches with this entrant; repeatable.")
@click.option(
    "--anchor", default="", metavar="NAME", help="Make ratings relative to this entrant, not to the mean of all."
)
@click.option("--no-seats", is_flag=True, help="Ignore the effects of seats.")
@click.option("--seats", is_flag=True, help="Also show the effects of seats.")
@click.option(
    "--matrix", is_flag=True, help="Show the matrix of who is above whom, even if it is wider than the terminal."
)
@click.option("--clone-robust", is_flag=True, help="Add a rating that does not change when an entrant is copied.")
@click.option(
    "--pgn",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every pair of a match as a game to this file, for programs such as Ordo.",
)
@click.option("--csv", type=click.Path(path_type=Path, dir_okay=False), help="Write the ratings to this file (CSV).")
@game_option
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def ratings(
    folders: tuple[Path, ...],
    measure: str | None,
    editions: tuple[str, ...],
    without: tuple[str, ...],
    anchor: str,
    no_seats: bool,
    seats: bool,
    matrix: bool,
    clone_robust: bool,
    pgn: Path | None,
    csv: Path | None,
    as_json: bool,
) -> None:
    """Rate the entrants of the run in DIR, or of several runs with the same bots and rules together. Runs may be
    unfinished.

    It prints two tables, one by order of finish (Plackett–Luce with ties), one in money. Both account for seats and
    editions, and have 95 % intervals. Below the tables: which entrants do not differ significantly, which cannot be
    compared and why, and what the numbers mean. More: `arena docs ratings`.

    \b
    Examples:
      arena ratings results/quick-20260101-120000
      arena ratings results/quick-20260101-120000 --edition outline-4p --anchor greedy --clone-robust
      arena ratings results/monday results/tuesday --csv ratings.csv --pgn games.pgn
    """
    if no_seats and seats:
        raise click.UsageError("--no-seats ignores the effects of seats, --seats shows them: give only one")
    for place, option in ((pgn, "--pgn"), (csv, "--csv")):
        if place is not None:
            check_place(place, option)
    from arena.analysis.run_ratings import rate_runs, unfinished_run_notes
    from arena.commands.ratings.pgn import write_pgn  # numpy takes longer to load than other commands run
    from arena.ratings.presenting.rating_figures import ratings_csv, ratings_data
    from arena.ratings.presenting.rating_text import ratings_text
    from arena.ratings.rate import Basis, RatingOptions

    wanted = RatingOptions((Basis(measure),) if measure else (), anchor, not no_seats, clone_robust)
    found = rate_runs(folders, wanted, editions, without)
    for line in unfinished_run_notes(folders):
        print_message(line)
    if csv is not None:
        write_whole(csv, ratings_csv(found).encode())
        print_message(f"ratings {csv}")
    if pgn is not None:
        games = write_pgn(folders, pgn, editions, without)
        print_message(f"games   {pgn}: {games}, of two seats each; those of one match are not independent")
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(ratings_data(found))))
    else:
        click.echo(ratings_text(found, terminal_width(), matrix, seats), nl=False)
