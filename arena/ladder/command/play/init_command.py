"""``arena ladder init``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_message import print_message
from arena.config.ladder_yaml import find_ladder_file
from arena.ladder.command.ladder_options import folder_argument
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.begin_ladder import begin_new_ladder


@click.command(cls=ArenaCommand)
@folder_argument
@click.option("--config", metavar="FILE", help="The ladder's file (YAML), or the name of one that ships with arena.")
@click.option("--name", metavar="NAME", help="Name of the ladder; by default that of the edition.")
@click.option("--rules", metavar="NAME", help="The edition: a bundled name or a file.")
@click.option("--seats", type=click.IntRange(2, 100), help="Size of its tables; 4 by default.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change any key; repeatable.")
def init(
    place: LadderFolder,
    config: str | None,
    name: str | None,
    rules: str | None,
    seats: int | None,
    settings: tuple[str, ...],
) -> None:
    """Begin a ladder in the folder DIR, from a file or only from an edition. A folder may hold several ladders, which
    share bots and authors. `arena docs ladders` lists the keys of the file.

    \b
    Examples:
      arena ladder init my-ladder --rules eagle-gryphon
      arena ladder init my-ladder --config nightly --set suspend_after=5
      arena ladder init my-ladder --name duels --rules cards --seats 3
    """
    given = {"name": name, "seats": seats, "rules": rules if config is not None else None}
    overrides = [*(f"{key}={value}" for key, value in given.items() if value is not None), *settings]
    if config is None and rules is None:
        raise click.UsageError("give the ladder's file with --config, or an edition with --rules")
    file = None if config is None else find_ladder_file(config)
    ladder = begin_new_ladder(place, file, rules, overrides, print_message)
    print_message(f"ladder {ladder.name}: {ladder.label}, in {place.shown}")
    as_whom = " --author operator" if ladder.config.entry.tokens else ""
    print_message(f"next: arena ladder submit {place.shown} ./mybot.py{as_whom}")
