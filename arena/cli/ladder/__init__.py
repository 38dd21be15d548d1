"""``arena ladder``: leagues of versions of bots that play for as long as their operator likes."""

from __future__ import annotations

import click

from arena.cli.commands import Commands
from arena.cli.ladder import standings


@click.group(cls=Commands, short_help="Leagues of versions of bots that play night after night.")
def ladder() -> None:
    """Leagues of versions of bots that play night after night, kept in one folder.

    \b
    Examples:
      arena ladder standings league
    """


for command in (standings.standings,):
    ladder.add_command(command)
