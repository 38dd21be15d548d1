"""``arena ladder season``."""

from __future__ import annotations

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.ladder.command.ladder_options import folder_argument, ladder_option
from arena.ladder.command.read_only import open_read_only
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder, seasons_of_ladder
from arena.ladder.seasons.season_end import close_season
from arena.ladder.show.ladder_detail import SeasonDetail, season_shown

LIST_ACTION, CLOSE_ACTION = "list", "close"


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("action", type=click.Choice([LIST_ACTION, CLOSE_ACTION]), default=LIST_ACTION)
@ladder_option
@json_option
def season(place: LadderFolder, action: str, ladder: str, as_json: bool) -> None:
    """List the seasons of a ladder, with the commitment to each seed and the seeds that are public; or close the open
    season. Then its seed becomes public, so that everybody can compute all of its deals, and ratings begin anew.
    Versions stay as they are.

    A season cannot be closed while a round is open or the ladder is playing.

    \b
    Examples:
      arena ladder season my-ladder list
      arena ladder season my-ladder close
    """
    if action == CLOSE_ACTION:
        closed = close_season(place, ladder)
        print_message(
            f"season {closed.closed.number} of {closed.ladder} is closed; season {closed.began.number} has begun"
        )
        if not as_json:
            click.echo(fold_to_terminal(f"seed of season {closed.closed.number}: {closed.closed.seed}"))
            click.echo(fold_to_terminal(f"commitment of season {closed.began.number}: {closed.began.seed_sha256}"))
            return
    with open_read_only(place, ladder) as (database, found):
        numbers = [each.number for each in seasons_of_ladder(database, found.id)]
        shown = [season_shown(database, find_ladder(database, found.name, number)) for number in numbers]
    if as_json:
        print_json(shown)
    else:
        click.echo(_season_text(shown))


def _season_text(shown: list[SeasonDetail]) -> str:
    rows = [[each.number, each.began[:10], (each.ended or "–")[:10], each.rounds, each.matches] for each in shown]
    lines = [format_table(rows, ["season", "began", "closed", "rounds", "matches"]), ""]
    for each in shown:
        lines.append(fold_to_terminal(f"commitment {each.number}  {each.seed_sha256}"))
        if each.seed:
            lines.append(fold_to_terminal(f"seed {each.number}        {each.seed}"))
    return "\n".join(lines)
