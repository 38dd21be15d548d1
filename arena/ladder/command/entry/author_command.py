"""``arena ladder author``."""

from __future__ import annotations

from contextlib import closing

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_message import print_message
from arena.ladder.command.ladder_options import folder_argument
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.authors import make_author


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("name")
@click.option("--new-token", is_flag=True, help="Replace the token of an existing author.")
def author(place: LadderFolder, name: str, new_token: bool) -> None:
    """Add an author NAME to all ladders in DIR, and print a token on standard output. It is printed only once, because
    only its SHA-256 is stored. Anybody with the token can submit and retire bots in this name.

    \b
    Examples:
      arena ladder author my-ladder ann > ann.token
      arena ladder author my-ladder ann --new-token > ann.token
    """
    with closing(open_database(place.database, place.shown, write=True)) as database:
        token = make_author(database, name, new_token)
    click.echo(token)
    print_message(f"the token of author {name}, which is shown only once; use it with --token or as ARENA_LADDER_TOKEN")
