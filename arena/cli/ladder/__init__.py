"""``arena ladder``: the group; each command has a file of its own."""

from __future__ import annotations

import click

from arena.cli.commands import Commands
from arena.cli.ladder.audit import audit
from arena.cli.ladder.author import author
from arena.cli.ladder.backup import backup
from arena.cli.ladder.check import check
from arena.cli.ladder.disable import disable
from arena.cli.ladder.enable import enable
from arena.cli.ladder.export import export
from arena.cli.ladder.history import history
from arena.cli.ladder.init import init
from arena.cli.ladder.play import play
from arena.cli.ladder.rerun import rerun
from arena.cli.ladder.retire import retire
from arena.cli.ladder.season import season
from arena.cli.ladder.show import show
from arena.cli.ladder.standings import standings
from arena.cli.ladder.submit import submit


@click.group(cls=Commands, short_help="A league that plays night after night.")
def ladder() -> None:
    """Ladders: leagues that play for as long as you like. Bots come, change and go; every match and every version stays
    in one folder. `arena docs ladders` begins at the beginning.

    \b
    Examples:
      arena ladder init my-ladder --rules eagle-gryphon
      arena ladder submit my-ladder ./mybot.py
      arena ladder play my-ladder --minutes 30
      arena ladder standings my-ladder
    """


for command in (
    init,
    author,
    submit,
    retire,
    disable,
    enable,
    play,
    standings,
    history,
    show,
    rerun,
    audit,
    season,
    check,
    export,
    backup,
):
    ladder.add_command(command)
