"""``arena ladder history``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.options.option_records import gathered
from arena.cli.output.terminal import terminal_width, use_color
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.ladder.command.ladder_options import SeasonOptions, folder_argument, ladder_option, season_option
from arena.ladder.command.read_only import open_read_only
from arena.ladder.database.ladder_folder import LadderFolder
from arena.storage.files.atomic_files import check_place, write_whole

TERMINAL_COLORS = (33, 208, 36, 175, 214, 81, 141, 113, 160, 250, 221, 69)
"""Of a terminal's 256, by line; names and small charts tell lines apart without them."""


@click.command(cls=ArenaCommand)
@folder_argument
@click.argument("names", metavar="[VERSION]...", nargs=-1)
@ladder_option
@season_option
@click.option("--by", type=click.Choice(["matches", "date"]), default="matches", help="Unit of the time axis.")
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Draw the chart to this file (SVG).")
@click.option("--color/--no-color", default=None, help="Colour the output; by default on a terminal.")
@json_option
@gathered(chosen=SeasonOptions)
def history(
    place: LadderFolder,
    names: tuple[str, ...],
    by: str,
    svg: Path | None,
    color: bool | None,
    as_json: bool,
    chosen: SeasonOptions,
) -> None:
    """Print the ratings over a season of the ladder in DIR: for each version that you name, for all versions of each
    bot that you name, or for the ten with the highest ratings. Below them, list the events: which versions entered,
    were replaced, withdrawn, disabled or suspended.

    \b
    Examples:
      arena ladder history league
      arena ladder history league haggler greedy:2 --by date
      arena ladder history league --season 1 --svg season-1.svg
    """
    if svg is not None:
        check_place(svg, "--svg")
    from arena.ladder.database.bot_versions.version_history import (
        rating_history as read_history,  # numpy takes longer to load than other commands run
    )
    from arena.ladder.presenting.svg_chart import history_svg
    from arena.ladder.presenting.text_chart import history_text
    from arena.ladder.rating.rating_history import HistoryAxis, history_data

    with open_read_only(place, chosen.ladder, chosen.season) as (database, found):
        shown = read_history(database, found, names)
    if svg is not None:
        write_whole(svg, history_svg(shown, HistoryAxis(by)).encode())
        print_message(f"picture {svg}")
    if as_json:
        print_json(history_data(shown))
        return
    colours = use_color(color)

    def paint(text: str, line: int) -> str:
        return click.style(text, fg=TERMINAL_COLORS[line % len(TERMINAL_COLORS)]) if colours and line >= 0 else text

    click.echo(history_text(shown, terminal_width(), HistoryAxis(by), paint), nl=False, color=colours)
