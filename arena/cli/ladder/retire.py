"""``arena ladder retire``."""

from __future__ import annotations

import click

from arena.app.ladder import states
from arena.app.ladder.place import Place
from arena.cli.commands import Command
from arena.cli.ladder.changed import print_changed
from arena.cli.ladder.options import author_options, bot_argument, folder_argument, ladder_option


@click.command(cls=Command, short_help="Withdraw a bot, for its author.")
@folder_argument
@bot_argument
@ladder_option
@author_options
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def retire(place: Place, bot: str, ladder: str, author: str, token: str, as_json: bool) -> None:
    """Withdraw BOT, or its version N alone, from a ladder: it is not played any more, from the next match on. Its
    matches and its place in past standings stay.

    \b
    Examples:
      arena ladder retire my-ladder haggler
      arena ladder retire my-ladder haggler:3 --author ann
    """
    print_changed(states.retire(place, ladder, bot, author, token), as_json)
