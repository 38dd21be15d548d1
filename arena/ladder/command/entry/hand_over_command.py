"""``arena ladder hand-over``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.ladder.command.ladder_options import author_options, folder_argument
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.hand_over import hand_over_bot


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("bot")
@click.option("--to", "receiver", required=True, metavar="NAME", help="The author who gets the bot.")
@click.option(
    "--to-token",
    "receiver_token",
    default="",
    metavar="TOKEN",
    envvar="ARENA_LADDER_TO_TOKEN",
    help="That author's token; the operator needs none. ARENA_LADDER_TO_TOKEN is safer.",
)
@author_options
@json_option
def hand_over(
    place: LadderFolder, bot: str, receiver: str, receiver_token: str, author: str, token: str, as_json: bool
) -> None:
    """Hand BOT, with all its versions in all ladders of DIR, over to another author: by the operator, or by its author
    with the tokens of both. Matches and ratings stay; the limits of the new author apply.

    \b
    Examples:
      arena ladder hand-over my-ladder haggler --to ben
      arena ladder hand-over my-ladder haggler --to ben --token "$(cat ann.token)" --to-token "$(cat ben.token)"
    """
    handed = hand_over_bot(place, bot, receiver, (author, token), receiver_token)
    if as_json:
        print_json(handed)
    else:
        click.echo(fold_to_terminal(f"{handed.bot} belongs to author {handed.receiver} now; it was {handed.giver}'s"))
