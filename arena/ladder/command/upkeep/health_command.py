"""``arena ladder health``."""

from __future__ import annotations

import sys

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.options.shared_options import DurationOption
from arena.cli.print_json import print_json
from arena.config.documents.duration import duration_in_words
from arena.ladder.command.ladder_options import folder_argument, ladder_permission_options
from arena.ladder.database.ladder_folder import LadderFolder


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_permission_options
@click.option(
    "--older-than",
    type=DurationOption(),
    default="26h",
    show_default=True,
    metavar="DURATION",
    help="A ladder is overdue if it finished no match for this long.",
)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong.")
def health(place: LadderFolder, older_than: float, as_json: bool, quiet: bool) -> None:
    """Check whether the ladders in DIR play as they should; made for a monitor that calls it every hour. It checks:
    when each ladder finished its last match, and why it is overdue; whether the last play failed; the disk, the clock,
    the files of active versions, the seed of the season and the isolation level; whether enough versions play. It
    writes nothing, and does not disturb a play.

    Each problem is a line that says what to do. Exit code 0 if nothing is wrong, 1 if something needs you, 2 if DIR
    holds no ladder.

    \b
    Examples:
      arena ladder health league
      arena ladder health league --older-than 2h -q
      arena ladder health league --json
    """
    from arena.ladder.show.ladder_health import ladder_health  # numpy takes longer to load than other commands run

    found = ladder_health(place, older_than)
    if as_json:
        print_json(found)
        sys.exit(found.exit_code)
    for each in found.findings:
        click.echo(f"{each.ladder or place.shown}: {each.problem}: {each.found}; {each.advice}")
    if not quiet:
        for age in found.ladders:
            last = f"last match {age.played}, {duration_in_words(age.seconds)} ago" if age.played else "no match yet"
            click.echo(f"{age.ladder}.{age.season}: {last}")
        if not found.findings:
            click.echo(f"{place.shown}: nothing is wrong")
    sys.exit(found.exit_code)
