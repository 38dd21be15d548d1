"""``arena picture``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options.game_options import game_option
from arena.cli.options.replay_arguments import replay_argument
from arena.cli.print_message import print_message
from arena.storage.files.atomic_files import check_place, write_whole


@click.command()
@replay_argument
@click.option("--deal", type=click.IntRange(min=1), metavar="N", help="Draw this deal (in the card game this round).")
@click.option("--seat", type=click.IntRange(min=0), help="Draw only what this seat knew.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the picture to this file (SVG).",
)
@game_option
def picture(file: Path, deal: int | None, seat: int | None, out: Path | None) -> None:
    """Draw one negotiation of a replay as a picture in SVG, or list all negotiations. Give the replay as a FILE, or as
    a MATCH of the run in DIR.

    The seats stand side by side, time runs from top to bottom: who offers what at what price, what is agreed, played
    and stopped, who is the Boss, and at the end who gets what. The picture is one file without scripts or links, made
    for a width of 900 pixels; it is printed unless --out names a file.

    \b
    Examples:
      arena picture match.jsonl
      arena picture results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
      arena picture match.jsonl --deal 2 --out deal.svg
    """
    from arena.web.picture.render_picture import draw_deal, list_deals  # drawing is needed by no other command

    if deal is None:
        if out is not None or seat is not None:
            raise click.UsageError(f"say which deal to draw, such as --deal 1; list them with: arena picture {file}")
        deals = list_deals(file)
        for each in deals:
            click.echo(f"{each.number:>4}  {each.summary}")
        if not deals:
            print_message(f"{file}: no deal was opened")
        return
    if out is None:
        click.echo(draw_deal(file, deal, seat).encode(), nl=False)  # UTF-8, whatever the terminal has
        return
    check_place(out, "--out")
    write_whole(out, draw_deal(file, deal, seat).encode())
    print_message(f"picture {out}")
