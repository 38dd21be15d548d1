"""``arena ladder retire``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.ladder.command.entry.state_changes import print_changed
from arena.ladder.command.ladder_options import author_options, bot_argument, folder_argument, ladder_option
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry import version_states


@click.command(cls=ArenaCommand)
@folder_argument
@bot_argument
@ladder_option
@author_options
@json_option
def retire(place: LadderFolder, bot: str, ladder: str, author: str, token: str, as_json: bool) -> None:
    """Withdraw BOT, or only its version N, from a ladder: it no longer plays, from the next match on. Its matches and
    its place in past standings stay.

    \b
    Examples:
      arena ladder retire my-ladder haggler
      arena ladder retire my-ladder haggler:3 --author ann
    """
    print_changed(version_states.retire_versions(place, ladder, bot, author, token), as_json)
