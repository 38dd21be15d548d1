"""``arena ladder disable``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.ladder.command.entry.state_changes import print_changed
from arena.ladder.command.ladder_options import bot_argument, folder_argument, ladder_option
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry import version_states


@click.command(cls=ArenaCommand)
@folder_argument
@bot_argument
@click.option("--why", required=True, metavar="TEXT", help="The reason, for its author and whoever asks later.")
@ladder_option
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def disable(place: LadderFolder, bot: str, why: str, ladder: str, as_json: bool) -> None:
    """Put BOT, or its version N alone, out of a ladder, also while that is played: no match with it is begun any more.
    Until it is enabled, no version of it is taken in. What it has played stays; `arena ladder standings --without`
    shows how things stand without it.

    \b
    Example:
      arena ladder disable my-ladder haggler --why "loses to one bot on purpose"
    """
    print_changed(version_states.disable_versions(place, ladder, bot, why), as_json)
