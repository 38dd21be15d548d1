"""``arena ladder quarantine``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.ladder.command.entry.state_changes import print_changed
from arena.ladder.command.ladder_options import folder_argument, ladder_option
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry import version_states


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("version", metavar="BOT[:N]")
@click.option("--because", required=True, metavar="TEXT", help="The reason, for the author and for the record.")
@ladder_option
@json_option
def quarantine(place: LadderFolder, version: str, because: str, ladder: str, as_json: bool) -> None:
    """Take a version out of a ladder as `disable` does, and record the proof: how many matches of this season failed
    with it at the table, and how many of the same rounds without it. A match has failed if it could not be played, is
    void, or had a bot that was put out for its faults. `enable` lets the version play again.

    \b
    Examples:
      arena ladder quarantine my-ladder haggler:3 --because "every match with it ends in a timeout"
      arena ladder enable my-ladder haggler:3 --why "the timeouts were ours"
    """
    print_changed(version_states.quarantine_versions(place, ladder, version, because), as_json)
