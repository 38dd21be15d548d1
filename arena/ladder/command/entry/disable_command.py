"""``arena ladder disable``."""

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
@click.option("--why", required=True, metavar="TEXT", help="The reason, for the author and for the record.")
@ladder_option
@json_option
def disable(place: LadderFolder, bot: str, why: str, ladder: str, as_json: bool) -> None:
    """Disable BOT, or only its version N, in a ladder; the ladder may be playing. No match with it is begun from now
    on, and no new version of it is accepted until it is enabled. Its matches stay; `arena ladder standings --without`
    shows the standings without them.

    \b
    Example:
      arena ladder disable my-ladder haggler --why "loses to one bot on purpose"
    """
    print_changed(version_states.disable_versions(place, ladder, bot, why), as_json)
