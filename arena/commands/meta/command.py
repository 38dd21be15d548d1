"""``arena meta``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, json_option
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.errors import UserError
from arena.storage.files.atomic_files import check_place

PAYOFFS = ("lead", "money", "beaten", "win")


class PopulationShares(click.ParamType[dict[str, float]]):
    """A population as an option's value, such as ``greedy=2,fair=1``."""

    name = "population"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, float]:
        """The shares by bot. Raises UserError for any other text."""
        found: dict[str, float] = {}
        for part in value.split(","):
            name, _, share = part.rpartition("=")
            try:
                found[name.strip()] = float(share)
            except ValueError:
                raise UserError(f"--population: expected BOT=SHARE,BOT=SHARE, got {value!r}") from None
        return found


@click.command(cls=ArenaCommand)
@click.argument(
    "folders", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR...", nargs=-1, required=True
)
@click.option(
    "--payoff", type=click.Choice(PAYOFFS), default=PAYOFFS[0], show_default=True, help="What a seat earns in a match."
)
@click.option("--edition", "editions", multiple=True, metavar="LABEL", help="Only matches of this edition; repeatable.")
@click.option("--without", multiple=True, metavar="NAME", help="Leave out matches with this entrant; repeatable.")
@click.option(
    "--population",
    "populations",
    type=PopulationShares(),
    multiple=True,
    metavar="BOT=SHARE,...",
    help="What can each bot expect from this population? Repeatable.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for CSV files and arrays.")
@json_option
@game_option
def meta(
    folders: tuple[Path, ...],
    payoff: str,
    editions: tuple[str, ...],
    without: tuple[str, ...],
    populations: tuple[dict[str, float], ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Which bots hold their own against which others? Look at the run in DIR, or at several runs together, as a game
    of many seats.

    It prints what each bot earns in each mixture of bots, what bots can expect from a population and its regret, who
    can invade whom, in which cycles, and populations of least regret. Mixtures that were not played are named, with the
    command that plays them. Entrants with the same bot and options are copies of one bot. More: `arena docs meta`.

    \b
    Examples:
      arena meta results/every-mixture
      arena meta results/every-mixture --payoff money --population greedy=2,fair=1
      arena meta results/every-mixture --out tables
    """
    if out is not None:
        check_place(out, "--out", folder=True)
    from arena.analysis.run_meta_game import meta_games_of  # numpy takes longer to load than other commands run
    from arena.analysis.run_ratings import unfinished_run_notes
    from arena.commands.meta.meta_files import write_meta_files
    from arena.commands.meta.results import meta_data
    from arena.commands.meta.words import meta_text, missing_command
    from arena.metagame.payoff import Payoff

    games = meta_games_of(folders, Payoff(payoff), editions, without)
    for line in unfinished_run_notes(folders):
        print_message(line)
    if out is not None:
        for path in write_meta_files(games, out):
            print_message(f"written {path}")
    if as_json:
        print_json([meta_data(each, populations) for each in games])
        return
    click.echo("\n\n".join(meta_text(each, populations) for each in games))
    if len(folders) == 1 and any(each.missing for each in games):
        print_message(f"play every mixture with:\n  {missing_command(folders[0], games)}")
