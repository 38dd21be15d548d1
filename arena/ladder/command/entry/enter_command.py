"""``arena ladder enter``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.ladder.command.ladder_options import folder_argument
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.promotion import enter_version


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("version", metavar="BOT[:N]")
@click.option("--ladder", required=True, metavar="NAME", help="The ladder into which it enters.")
@json_option
def enter(place: LadderFolder, version: str, ladder: str, as_json: bool) -> None:
    """Let version N of BOT, or its newest version, play in another ladder of DIR too, from the next round on: with the
    same bytes and the same author, without a token and without a new check. This is for the operator, so limits of
    authors do not apply.

    \b
    Example:
      arena ladder enter my-ladder haggler:3 --ladder final
    """
    entered = enter_version(place, ladder, version)
    if as_json:
        print_json(entered)
        return
    replaced = f", in place of {', '.join(entered.replaced)}" if entered.replaced else ""
    told = (
        f"{entered.version} plays in {entered.ladder}{replaced}, from the next round on (entered from {entered.source})"
    )
    click.echo(fold_to_terminal(told))
