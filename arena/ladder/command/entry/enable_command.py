"""``arena ladder enable``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.ladder.command.entry.state_changes import print_changed
from arena.ladder.command.ladder_options import bot_argument, folder_argument, ladder_option
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry import version_states


@click.command(cls=ArenaCommand)
@folder_argument
@bot_argument
@click.option("--why", default="", metavar="TEXT", help="The reason.")
@ladder_option
@json_option
def enable(place: LadderFolder, bot: str, why: str, ladder: str, as_json: bool) -> None:
    """Let version N of BOT, or the newest version that does not play, play again from the next round on. It may have
    been disabled, suspended for its faults, retired, or replaced by a newer version, whose place it then takes.

    \b
    Examples:
      arena ladder enable my-ladder haggler
      arena ladder enable my-ladder haggler:2 --why "version 3 was submitted by mistake"
    """
    print_changed(version_states.enable_versions(place, ladder, bot, why), as_json)
