"""``arena losses``."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import click

from arena.analysis.bot_losses import deal_losses, losses_of
from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, json_option
from arena.cli.options.replay_arguments import FOLDER_TYPE
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.commands.losses.words import LossesFound, losses_data, losses_text

SHOWN, LOOKED_AT = 5, 50
"""Defaults: how many matches and deals are listed, and in how many of the most costly matches deals are looked at."""


@click.command(cls=ArenaCommand)
@click.argument("folder", type=FOLDER_TYPE, metavar="DIR")
@click.argument("entrant", metavar="BOT")
@click.option(
    "-n",
    "--top",
    type=click.IntRange(1, 1000),
    default=SHOWN,
    show_default=True,
    help="Number of matches and of deals to list.",
)
@click.option(
    "--matches",
    type=click.IntRange(1, 1_000_000),
    default=LOOKED_AT,
    show_default=True,
    metavar="N",
    help="Look for deals in the N matches that cost most.",
)
@json_option
@game_option
def losses(folder: Path, entrant: str, top: int, matches: int, as_json: bool) -> None:
    """Where did BOT lose most in the run in DIR? List the matches and the single deals that cost it most, with the
    commands that show them.

    The cost of a match is how much more others made on average in the same seat of the same deal, that is, with the
    same cards; if nobody else had that seat, the difference from the bot's own mean. The cost of a deal (in the card
    game: a round) is how much more the seat that gained most by it gained. BOT is the name of an entrant of the run.

    \b
    Examples:
      arena losses results/quick-20260101-120000 greedy
      arena losses results/mine mybot --top 10 --matches 200
    """
    every = losses_of(folder, entrant)
    found = [
        LossesFound(folder, entrant, game, len(own), own[:top], deal_losses(folder, own[:matches])[:top], matches)
        for game, group in groupby(every, key=lambda each: each.game)
        if (own := list(group))
    ]
    if as_json:
        print_json([losses_data(each) for each in found])
        return
    if not found:
        click.echo(fold_to_terminal(f"{entrant} has no finished match in {folder} that counts."))
        return
    click.echo("\n\n".join(map(losses_text, found)))
